// The request side of a context: parameters, query, header fields and body.

import { ConfigError } from '../config-error.js';
import { FwError } from '../http/errors.js';
import { charsetDecoder } from '../http/media-type.js';
import type { RequestSource } from '../http/request-source.js';
import { decodeParam, firstQueryValue, type Target } from '../http/request-target.js';
import { formLimits, type MultipartOptions, multipartLimits } from '../multipart/limits.js';
import type { MultipartPart } from '../multipart/part.js';
import { nameObjects } from '../options/own-objects.js';
import { kindOf } from '../options/shown.js';
import type { Params } from '../router/pattern.js';
import { RequestBody } from './request-body.js';
import type { Scope } from './scope.js';
import { toWebRequest } from './web-request.js';

/** What a request has of its context. @internal */
export interface RequestOwner {
  readonly scope: Scope;
  readonly target: Target;
  readonly signal: AbortSignal;
  /** Whether a trusted proxy has sent the request. */
  readonly isFromProxy: boolean;
  clientIp(): string | undefined;
  /** The normalized address of the other end of the connection. */
  peerIp(): string | undefined;
}

/** The request, as `ctx.req`. Values that come from the client are not checked. */
export class FwRequest<ParamNames extends string = string> {
  readonly #owner: RequestOwner;
  readonly #source: RequestSource;
  readonly #paramNames: readonly string[];
  readonly #paramTexts: readonly string[];
  #body: RequestBody | undefined;
  #form: Promise<FormData> | undefined;
  #request: Request | undefined;

  /** @internal */
  constructor(
    owner: RequestOwner,
    source: RequestSource,
    names: readonly string[],
    texts: readonly string[],
    body?: RequestBody,
  ) {
    this.#owner = owner;
    this.#source = source;
    this.#paramNames = names;
    this.#paramTexts = texts;
    this.#body = body;
  }

  /** Whether the body was requested, buffered or as a stream. @internal */
  get isBodyTaken(): boolean {
    return this.#body?.isTaken === true;
  }

  /** Whether there is a body, which may be empty. @internal */
  get hasBody(): boolean {
    return this.#source.hasBody;
  }

  /** @internal */
  get body(): RequestBody {
    this.#body ??= new RequestBody(this.#source, this.#owner.scope.limits.maxBodySize);
    return this.#body;
  }

  /** The HTTP method as sent, such as `GET`; methods are case-sensitive (RFC 9110, section 9.1). */
  get method(): string {
    return this.#source.method;
  }

  /** The decoded path, the same that the router and logs use; `%2F` and `%25` stay encoded. */
  get path(): string {
    return this.#owner.target.path;
  }

  /**
   * The full URL, for display and links: behind proxies that `trustProxy` trusts, with the scheme and the host that the
   * client has asked for. Its host comes from the `Host` header field, which the client chooses: do not base decisions
   * on it.
   */
  get uri(): URL {
    const { target } = this.#source;
    const origin = this.#owner.scope.settings.proxies?.origin(this.#source) ?? this.#source.origin;
    // Concatenated, not resolved: `//x/y` is a path of this server, and `*` is not a path.
    return new URL(target.startsWith('/') ? origin + target : origin);
  }

  /**
   * The decoded value of a path parameter.
   *
   * @throws FwError `BadRequest` (400) if the matched route has no parameter of this name.
   */
  param(name: ParamNames): string {
    if (typeof name !== 'string') throw notName(name, 'param', 'params');
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
    if (typeof name !== 'string') throw notName(name, 'query', 'queries');
    return firstQueryValue(this.#owner.target.search, name);
  }

  /** All values of every query parameter, decoded, in an object without a prototype. */
  queries(): Record<string, string[]> {
    const queries: Record<string, string[]> = Object.create(null);
    for (const [name, value] of new URLSearchParams(`?${this.#owner.target.search}`)) {
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
    if (typeof name !== 'string') throw notName(name, 'header', 'headers');
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
   * @throws FwError `BadRequest` (400) if the body is not JSON; the errors of `text()`.
   */
  json<T = unknown>(): Promise<T> {
    return this.body.json();
  }

  /**
   * The body decoded by the charset of its `Content-Type`, UTF-8 by default. It is buffered, so it can be read again.
   *
   * @throws FwError `UnsupportedMediaType` (415) if the charset is not supported; the errors of `bytes()`.
   */
  text(): Promise<string> {
    return this.body.text();
  }

  /**
   * The bytes of the body. They are buffered, so the body can be read again.
   *
   * @throws FwError `PayloadTooLarge` (413) if the body is larger than `maxBodySize`, `UnsupportedMediaType` (415)
   *   if it has a `Content-Encoding`; Error if it was already taken by `stream` or `multipart()`. With `app.fetch`
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
   * never use them as paths. With other limits than the first call, it gives what that has read.
   *
   * @param limits how many fields and files it may have: 1,000 and 100 by default
   * @throws FwError `BadRequest` (400) if the media type is another one or the body is malformed, `PayloadTooLarge`
   *   (413) if a limit is exceeded; Error if an option is malformed.
   */
  formData(limits: MultipartOptions = {}): Promise<FormData> {
    this.#form ??= readForm(this, limits);
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
   * @throws FwError `BadRequest` (400) if the media type is another one or the body is malformed,
   *   `PayloadTooLarge` (413) if a limit is exceeded; Error if an option is malformed or the body was already
   *   read.
   */
  async *multipart(options: MultipartOptions = {}): AsyncGenerator<MultipartPart, void, undefined> {
    const [{ readMultipartType }, { readParts }] = await Promise.all([
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
   * @throws FwError `PayloadTooLarge` (413) if the body is larger than `maxBodySize`; Error if it was already
   *   read.
   */
  get stream(): ReadableStream<Uint8Array> {
    return this.body.stream;
  }

  /**
   * The request as a web Request, for code that takes one: `auth.handler(ctx.req.request())`. It has the URL of `uri`,
   * and the signal of the context. Its body is the same one, which is read once: either from it, or from here.
   *
   * @throws FwError `MethodNotAllowed` (405) for `CONNECT`, `TRACE` and `TRACK`, which no web Request can have.
   */
  request(): Request {
    const { target } = this.#source;
    const path = target.startsWith('/') ? target.replaceAll('\\', '%5C') : '/';
    this.#request ??= toWebRequest(this, path, this.#owner.signal);
    return this.#request;
  }

  /** The context that it belongs to. @internal */
  get owner(): RequestOwner {
    return this.#owner;
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

/** Others give all values to a call without a name. */
function notName(name: unknown, one: string, all: string): ConfigError {
  return new ConfigError(
    'FW_OPTION_MISSING',
    `ctx.req.${one}() takes a name, got ${kindOf(name)}; ctx.req.${all}() has all of them`,
  );
}

/**
 * @throws FwError `BadRequest` (400) if the media type is another one or the body is malformed, `PayloadTooLarge` (413)
 *   if a limit is exceeded; Error if an option is malformed
 */
async function readForm(request: FwRequest, options: MultipartOptions): Promise<FormData> {
  const { readFormType } = await import('../multipart/form-type.js');
  const limits = formLimits(options);
  const type = readFormType(request.header('content-type'));
  if (type.kind === 'multipart') {
    const { parseForm } = await import('../multipart/read-parts.js');
    return parseForm(await request.bytes(), type.boundary, limits);
  }
  const form = new FormData();
  let count = 0;
  for (const [name, value] of new URLSearchParams(await urlencoded(request))) {
    count += 1;
    if (count > limits.maxParts)
      throw FwError.payloadTooLarge(`the form has more than ${limits.maxParts} fields`);
    form.append(name, value);
  }
  return form;
}

/** The text of a form, percent-encoded in UTF-8 whatever charset it declares. */
async function urlencoded(request: FwRequest): Promise<string> {
  const decoder = charsetDecoder(request.header('content-type'));
  const text = await request.text();
  if (decoder === undefined) return text;
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (encoded) =>
    encodeURIComponent(decoder.decode(bytesOf(encoded))),
  );
}

/** The bytes of percent-encoded text. */
function bytesOf(encoded: string): Uint8Array {
  return Uint8Array.from(encoded.slice(1).split('%'), (hex) => Number.parseInt(hex, 16));
}

nameObjects(FwRequest, 'the request');
