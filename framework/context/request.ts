// The request side of a context: parameters, query, header fields and body.

import { bodyTooLarge, declaresMore, limitedBody } from '../http/body-limit.js';
import { FwError } from '../http/errors.js';
import { firstQueryValue } from '../http/query.js';
import type { RequestSource } from '../http/request-source.js';
import { decodeParam, type Target } from '../http/request-target.js';
import type { MultipartOptions } from '../multipart/limits.js';
import type { MultipartPart } from '../multipart/part.js';
import { chained, MappedPromise } from '../promises.js';
import type { Params } from '../router/path-params.js';
import {
  bytesOfText,
  decodeBody,
  onlyChunk,
  openedLate,
  parseJsonBody,
  parseJsonText,
  refuseEncoded,
} from './buffered-body.js';
import { readForm } from './read-form.js';

/** The request, as `ctx.req`. Values that come from the client are not checked. */
export class FwRequest<ParamNames extends string = string> {
  readonly #source: RequestSource;
  readonly #target: Target;
  readonly #paramNames: readonly string[];
  readonly #paramTexts: readonly string[];
  #body: Promise<Uint8Array> | undefined;
  /** The body, if the runtime has decoded it. */
  #text: Promise<string> | undefined;
  #form: Promise<FormData> | undefined;
  #isStreamed = false;
  readonly #maxBodySize: number | undefined;

  /** @internal */
  constructor(
    source: RequestSource,
    target: Target,
    names: readonly string[],
    texts: readonly string[],
    maxBodySize: number | undefined,
  ) {
    this.#source = source;
    this.#target = target;
    this.#paramNames = names;
    this.#paramTexts = texts;
    this.#maxBodySize = maxBodySize;
  }

  /** Whether the body was requested, buffered or as a stream. @internal */
  get isBodyTaken(): boolean {
    return this.#isBuffered || this.#isStreamed;
  }

  /** The HTTP method as sent, such as `GET`; methods are case-sensitive (RFC 9110, section 9.1). */
  get method(): string {
    return this.#source.method;
  }

  /** The decoded path, the same that the router and logs use; `%2F` and `%25` stay encoded. */
  get path(): string {
    return this.#target.path;
  }

  /**
   * The full URL, for display and links. Its host comes from the `Host` header field, which the client chooses:
   * do not base decisions on it.
   */
  get uri(): URL {
    const { origin, target } = this.#source;
    // Concatenated, not resolved: `//x/y` is a path of this server, and `*` is not a path.
    return new URL(target.startsWith('/') ? origin + target : origin);
  }

  /**
   * The decoded value of a path parameter.
   *
   * @throws FwError `BadRequest` (400) when the matched route has no parameter of this name.
   */
  param(name: ParamNames): string {
    const text = this.paramText(name);
    if (text === undefined) throw FwError.badRequest(`missing path parameter '${name}'`);
    return decodeParam(text);
  }

  /** All path parameters by name, decoded, in an object without a prototype. */
  params(): Params<ParamNames> {
    const params: Record<string, string> = Object.create(null);
    this.#paramNames.forEach((name, index) => {
      params[name] = decodeParam(this.#paramTexts[index] ?? '');
    });
    return params as Params<ParamNames>;
  }

  /** The first value of a query parameter, decoded; undefined if it is absent. */
  query(name: string): string | undefined {
    return firstQueryValue(this.#target.search, name);
  }

  /** All values of every query parameter, decoded, in an object without a prototype. */
  queries(): Record<string, string[]> {
    const queries: Record<string, string[]> = Object.create(null);
    for (const [name, value] of new URLSearchParams(`?${this.#target.search}`)) {
      const values = queries[name];
      if (values) values.push(value);
      else queries[name] = [value];
    }
    return queries;
  }

  /**
   * The value of a header field; undefined if it is absent. The name is case-insensitive; several fields of the
   * same name are joined.
   */
  header(name: string): string | undefined {
    return this.field(name.toLowerCase());
  }

  /** The same by a name in lower case. @internal */
  field(lowerName: string): string | undefined {
    return this.#source.header(lowerName);
  }

  /** Whether there is more than one header field of the name, of which `header` may give the first. @internal */
  isRepeated(lowerName: string): boolean {
    return this.#source.isRepeated(lowerName);
  }

  /** All header fields by lower-case name, in an object without a prototype. */
  headers(): Record<string, string> {
    return this.#source.headers();
  }

  /**
   * The body parsed as JSON; the media type is not checked, and neither is the type `T`. The body is buffered, so
   * it can be read again.
   *
   * @throws FwError `BadRequest` (400) when the body is not JSON; the errors of `bytes()`.
   */
  json<T = unknown>(): Promise<T> {
    return this.#decodes() ? this.#readText().then(parseJsonText<T>) : this.bytes().then(parseJsonBody<T>);
  }

  /** What `next` makes of what `check` gives for the value of `json()`, with fewer promises. @internal */
  checkJson<T, To>(
    check: (value: unknown) => T | Promise<T>,
    next: (value: T) => To | Promise<To>,
  ): MappedPromise<To> {
    return this.#decodes()
      ? new MappedPromise(this.#readText(), (text: string) => chained(check(parseJsonText(text)), next))
      : new MappedPromise(this.bytes(), (bytes: Uint8Array) => chained(check(parseJsonBody(bytes)), next));
  }

  /** The body decoded as UTF-8. It is buffered, so it can be read again. @throws FwError like `bytes()`. */
  text(): Promise<string> {
    return this.#decodes() ? this.#readText() : this.bytes().then(decodeBody);
  }

  /**
   * The bytes of the body. They are buffered, so the body can be read again.
   *
   * @throws FwError `PayloadTooLarge` (413) when the body is larger than `maxBodySize`, `UnsupportedMediaType` (415)
   *   when it has a `Content-Encoding`; Error when it was already taken by `stream` or `multipart()`. With `app.fetch`
   *   and on runtimes other than Node.js, `BadRequest` (400) after `text()` or `json()` when it is not UTF-8; there
   *   they lack a byte order mark if the body has no `Content-Length`.
   */
  bytes(): Promise<Uint8Array> {
    this.#body ??= this.#text === undefined ? this.#readBody() : this.#encode(this.#text);
    return this.#body;
  }

  /** The same as `bytes()`. */
  rawBody(): Promise<Uint8Array> {
    return this.bytes();
  }

  /**
   * The fields and files of a form, `multipart/form-data` or `application/x-www-form-urlencoded`. The body is
   * buffered, so it can be read again, also by `bytes()`, `text()` and `json()`. File names come from the client:
   * never use them as paths.
   *
   * @throws FwError `BadRequest` (400) when the media type is another one or the body is malformed.
   */
  formData(): Promise<FormData> {
    this.#form ??= readForm(this);
    return this.#form;
  }

  /**
   * Reads the parts of a `multipart/form-data` body one by one as they arrive, files as streams. A file that is
   * not read is skipped; leaving the loop discards the rest of the body. Afterwards `bytes()`, `text()`, `json()`
   * and `formData()` throw.
   *
   * ```ts
   * for await (const part of ctx.req.multipart({ maxFiles: 1 })) {
   *   if (part.kind === 'file') await pipeline(part.stream, createWriteStream(`uploads/${randomUUID()}`));
   * }
   * ```
   *
   * @throws FwError `BadRequest` (400) when the media type is another one or the body is malformed,
   *   `PayloadTooLarge` (413) when a limit is exceeded; Error when an option is malformed or the body was already
   *   read.
   */
  async *multipart(options: MultipartOptions = {}): AsyncGenerator<MultipartPart, void, undefined> {
    const [{ multipartLimits }, { readMultipartType }, { readParts }] = await Promise.all([
      import('../multipart/limits.js'),
      import('../multipart/form-type.js'),
      import('../multipart/read-parts.js'),
    ]);
    const limits = multipartLimits(options);
    const boundary = readMultipartType(this.header('content-type'));
    refuseEncoded(this.#source.header('content-encoding'));
    yield* readParts(this.stream, boundary, limits);
  }

  /**
   * The unread body, for reading it chunk by chunk; afterwards `bytes()`, `text()`, `json()` and `formData()` throw.
   *
   * @throws FwError `PayloadTooLarge` (413) when the body is larger than `maxBodySize`; Error when it was already
   *   read.
   */
  get stream(): ReadableStream<Uint8Array> {
    if (this.isBodyTaken)
      throw new Error('the request body was already read; use it as a stream before anything else');
    const maxBytes = this.#maxBodySize;
    if (maxBytes === undefined) {
      this.#isStreamed = true;
      return this.#source.openBody();
    }
    if (declaresMore(this.#source, maxBytes)) throw bodyTooLarge(maxBytes);
    this.#isStreamed = true;
    return limitedBody(this.#source, maxBytes);
  }

  /** A path parameter as in `path`, where `%2F` stays encoded. @internal */
  paramText(name: string): string | undefined {
    const index = (this.#paramNames as readonly string[]).indexOf(name);
    return index === -1 ? undefined : this.#paramTexts[index];
  }

  /** The target as sent, path and query still encoded. @internal */
  get target(): string {
    return this.#source.target;
  }

  /**
   * The body for a handler of another framework, whether it was already buffered or not. Nothing is read until the
   * consumer reads, so that an unread body is recognized as unread. `failed` is called with the error if the body
   * breaks off. @internal
   */
  forward(failed: (error: unknown) => void): ReadableStream<Uint8Array> {
    return openedLate(() => (this.#isBuffered ? onlyChunk(this.bytes()) : this.stream), failed);
  }

  get #isBuffered(): boolean {
    return this.#body !== undefined || this.#text !== undefined;
  }

  /** Whether the runtime reads the body as text, of which `bytes()` makes the bytes. */
  #decodes(): boolean {
    return this.#source.readText !== undefined && this.#body === undefined && this.#maxBodySize === undefined;
  }

  #readText(): Promise<string> {
    this.#text ??= this.#readDecoded();
    return this.#text;
  }

  /** Neither is async, which would add a promise to every body. */
  #readDecoded(): Promise<string> {
    try {
      this.#assertReadable();
      return this.#source.readText?.() ?? this.bytes().then(decodeBody);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #readBody(): Promise<Uint8Array> {
    try {
      this.#assertReadable();
      const maxBytes = this.#maxBodySize;
      if (maxBytes !== undefined && declaresMore(this.#source, maxBytes)) throw bodyTooLarge(maxBytes);
      return this.#source.readBody(maxBytes);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #encode(text: Promise<string>): Promise<Uint8Array> {
    return bytesOfText(await text, this.#source.header('content-length'));
  }

  #assertReadable(): void {
    if (this.#isStreamed) throw new Error('the request body was already taken by stream or multipart()');
    refuseEncoded(this.#source.header('content-encoding'));
  }
}
