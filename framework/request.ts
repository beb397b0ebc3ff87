// What a handler reads: parameters, query, header fields and the body of one request.
import { FwError } from './errors.js';
import type { MultipartOptions } from './multipart/limits.js';
import type { MultipartPart } from './multipart/part.js';
import { decodeParam, type Target } from './path.js';
import type { Params } from './path-params.js';
import type { RequestSource } from './request-source.js';

const decoder = new TextDecoder();

/** The request side of a `Context`, as `ctx.req`. */
export class FwRequest<ParamNames extends string = string> {
  readonly #source: RequestSource;
  readonly #target: Target;
  readonly #paramNames: readonly string[];
  readonly #paramTexts: readonly string[];
  #search: URLSearchParams | undefined;
  #body: Promise<Uint8Array> | undefined;
  #form: Promise<FormData> | undefined;
  #isStreamed = false;

  /** @internal */
  constructor(source: RequestSource, target: Target, names: readonly string[], texts: readonly string[]) {
    this.#source = source;
    this.#target = target;
    this.#paramNames = names;
    this.#paramTexts = texts;
  }

  /** HTTP method as sent, `GET`; methods are case-sensitive (RFC 9110, section 9.1). */
  get method(): string {
    return this.#source.method;
  }

  /** The decoded path in which `%2F` and `%25` stay encoded: what the router, guards and logs see. */
  get path(): string {
    return this.#target.path;
  }

  /** The full address, for display and links; made from the `Host` field, so do not trust its authority. */
  get uri(): URL {
    const { origin, target } = this.#source;
    // Joined, not resolved: `//x/y` is a path of this server, and `*` is no path.
    return new URL(target.startsWith('/') ? origin + target : origin);
  }

  /**
   * A path parameter, decoded.
   *
   * @throws FwError BadRequest when the matched route has no parameter of that name.
   */
  param(name: ParamNames): string {
    const text = this.paramText(name);
    if (text === undefined) throw FwError.badRequest(`missing path parameter '${name}'`);
    return decodeParam(text);
  }

  /** All path parameters, decoded, without a prototype. */
  params(): Params<ParamNames> {
    const params: Record<string, string> = Object.create(null);
    this.#paramNames.forEach((name, index) => {
      params[name] = decodeParam(this.#paramTexts[index] ?? '');
    });
    return params as Params<ParamNames>;
  }

  /** The first value of a query parameter. */
  query(name: string): string | undefined {
    return this.#query().get(name) ?? undefined;
  }

  /** Every query parameter with all its values, without a prototype. */
  queries(): Record<string, string[]> {
    const queries: Record<string, string[]> = Object.create(null);
    for (const [name, value] of this.#query()) {
      const values = queries[name];
      if (values) values.push(value);
      else queries[name] = [value];
    }
    return queries;
  }

  /** A header field; the name is case-insensitive, several fields of one name are joined. */
  header(name: string): string | undefined {
    return this.#source.header(name.toLowerCase());
  }

  /** All header fields by lower-case name, without a prototype. */
  headers(): Record<string, string> {
    return this.#source.headers();
  }

  /**
   * The body parsed as JSON, whatever its media type. Buffered: it may be called again.
   *
   * @throws FwError BadRequest when the body is no JSON.
   */
  async json<T = unknown>(): Promise<T> {
    const text = decoder.decode(await this.bytes());
    try {
      return JSON.parse(text) as T;
    } catch (error) {
      throw FwError.badRequest(`malformed JSON body: ${(error as SyntaxError).message}`, { cause: error });
    }
  }

  /** The body decoded as UTF-8. Buffered: it may be called again. */
  async text(): Promise<string> {
    return decoder.decode(await this.bytes());
  }

  /** The body as it was sent. Buffered: it may be called again. */
  bytes(): Promise<Uint8Array> {
    this.#body ??= this.#readBody();
    return this.#body;
  }

  /** The same as `bytes()`. */
  rawBody(): Promise<Uint8Array> {
    return this.bytes();
  }

  /**
   * The fields and files of a form, `multipart/form-data` or `application/x-www-form-urlencoded`. Buffered: it
   * may be called again, beside the other buffered accessors. File names are the client's word, never paths.
   *
   * @throws FwError BadRequest when the media type is neither, or the body malformed.
   */
  formData(): Promise<FormData> {
    this.#form ??= this.#readForm();
    return this.#form;
  }

  /**
   * The parts of a `multipart/form-data` body as they come, files as streams. A file that is not read is
   * skipped; leaving the loop gives up the rest of the body. Afterwards the buffered accessors throw.
   *
   * ```ts
   * for await (const part of ctx.req.multipart({ maxFiles: 1 })) {
   *   if (part.kind === 'file') await pipeline(part.stream, createWriteStream(`uploads/${randomUUID()}`));
   * }
   * ```
   *
   * @throws FwError BadRequest when the media type is another or the body malformed, 413 over a limit; Error for
   *   malformed options, or when the body was already read.
   */
  async *multipart(options: MultipartOptions = {}): AsyncGenerator<MultipartPart, void, undefined> {
    const [{ multipartLimits }, { readMultipartType }, { readParts }] = await Promise.all([
      import('./multipart/limits.js'),
      import('./multipart/form-type.js'),
      import('./multipart/read-parts.js'),
    ]);
    const limits = multipartLimits(options);
    const boundary = readMultipartType(this.header('content-type'));
    this.#refuseEncoded();
    yield* readParts(this.stream, boundary, limits);
  }

  /** The unread body, for reading it piece by piece; afterwards the buffered accessors throw. */
  get stream(): ReadableStream<Uint8Array> {
    if (this.#body || this.#isStreamed)
      throw new Error('the request body was already read; take it as a stream before anything else');
    this.#isStreamed = true;
    return this.#source.openBody();
  }

  /** A path parameter as it stands in `path`, where an encoded slash separates nothing. @internal */
  paramText(name: string): string | undefined {
    const index = (this.#paramNames as readonly string[]).indexOf(name);
    return index === -1 ? undefined : this.#paramTexts[index];
  }

  /** The target as sent, path and query still encoded. @internal */
  get target(): string {
    return this.#source.target;
  }

  /**
   * The body for a handler of another kind, whether it was buffered before or not. Nothing is read before it is
   * asked for: a body that nobody reads must be seen as such. `failed` is told why it broke off. @internal
   */
  forward(failed: (error: unknown) => void): ReadableStream<Uint8Array> {
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    const open = () => (this.#body === undefined ? this.stream : onlyChunk(this.#body)).getReader();
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            reader ??= open();
            const { done, value } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          } catch (error) {
            failed(error);
            throw error;
          }
        },
        cancel(reason) {
          return reader?.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  async #readBody(): Promise<Uint8Array> {
    if (this.#isStreamed) throw new Error('the request body was already taken by stream or multipart()');
    this.#refuseEncoded();
    return this.#source.readBody();
  }

  async #readForm(): Promise<FormData> {
    const { readFormType } = await import('./multipart/form-type.js');
    const type = readFormType(this.header('content-type'));
    if (type.kind === 'multipart') {
      const { parseForm } = await import('./multipart/read-parts.js');
      return parseForm(await this.bytes(), type.boundary);
    }
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(await this.text())) form.append(name, value);
    return form;
  }

  #refuseEncoded(): void {
    const encoding = this.header('content-encoding');
    if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
    throw FwError.unsupportedMediaType(`request bodies with Content-Encoding '${encoding}' are not accepted`);
  }

  #query(): URLSearchParams {
    this.#search ??= new URLSearchParams(`?${this.#target.search}`);
    return this.#search;
  }
}

function onlyChunk(bytes: Promise<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      const chunk = await bytes;
      if (chunk.length > 0) controller.enqueue(chunk);
      controller.close();
    },
  });
}
