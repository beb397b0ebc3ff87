// The request side of a context: parameters, query, header fields and body.

import { FwError } from '../http/errors.js';
import { firstQueryValue } from '../http/query.js';
import type { RequestSource } from '../http/request-source.js';
import { decodeParam, type Target } from '../http/request-target.js';
import type { MultipartOptions } from '../multipart/limits.js';
import type { MultipartPart } from '../multipart/part.js';
import type { Params } from '../router/path-params.js';
import { readForm } from './read-form.js';
import { RequestBody } from './request-body.js';

/** The request, as `ctx.req`. Values that come from the client are not checked. */
export class FwRequest<ParamNames extends string = string> {
  readonly #source: RequestSource;
  readonly #target: Target;
  readonly #paramNames: readonly string[];
  readonly #paramTexts: readonly string[];
  #body: RequestBody | undefined;
  #form: Promise<FormData> | undefined;
  readonly #maxBodySize: number | undefined;

  /** @internal */
  constructor(
    source: RequestSource,
    target: Target,
    names: readonly string[],
    texts: readonly string[],
    maxBodySize: number | undefined,
    body?: RequestBody,
  ) {
    this.#source = source;
    this.#target = target;
    this.#paramNames = names;
    this.#paramTexts = texts;
    this.#maxBodySize = maxBodySize;
    this.#body = body;
  }

  /** Whether the body was requested, buffered or as a stream. @internal */
  get isBodyTaken(): boolean {
    return this.#body?.isTaken === true;
  }

  /** @internal */
  get body(): RequestBody {
    this.#body ??= new RequestBody(this.#source, this.#maxBodySize);
    return this.#body;
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
    return this.#source.header(name.toLowerCase());
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
    return this.body.json();
  }

  /** The body decoded as UTF-8. It is buffered, so it can be read again. @throws FwError like `bytes()`. */
  text(): Promise<string> {
    return this.body.text();
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
    return this.body.bytes();
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
    this.body.assertPlain();
    yield* readParts(this.stream, boundary, limits);
  }

  /**
   * The unread body, for reading it chunk by chunk; afterwards `bytes()`, `text()`, `json()` and `formData()` throw.
   *
   * @throws FwError `PayloadTooLarge` (413) when the body is larger than `maxBodySize`; Error when it was already
   *   read.
   */
  get stream(): ReadableStream<Uint8Array> {
    return this.body.stream;
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
}
