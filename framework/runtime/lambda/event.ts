// Lambda: the event of a request as a web Request. The formats are those of API Gateway's payloads 1.0 and 2.0, of
// function URLs, which is 2.0, and of load balancers
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html,
// https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html).

type Values = Readonly<Record<string, readonly string[] | undefined>>;
type Single = Readonly<Record<string, string | undefined>>;

interface Body {
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
}

/** Payload 2.0. Fields of one name are joined, cookies apart. */
export interface EventV2 extends Body {
  readonly rawPath: string;
  readonly rawQueryString?: string;
  readonly cookies?: readonly string[];
  readonly headers?: Single;
  readonly requestContext: {
    readonly domainName?: string;
    readonly http: { readonly method: string; readonly sourceIp?: string };
  };
}

/** Payload 1.0, and that of load balancers, which have values of fields and of the query once or as lists. */
interface EventV1 extends Body {
  readonly httpMethod: string;
  readonly path: string;
  readonly headers?: Single | null;
  readonly multiValueHeaders?: Values | null;
  readonly queryStringParameters?: Single | null;
  readonly multiValueQueryStringParameters?: Values | null;
  readonly requestContext: {
    readonly domainName?: string;
    readonly identity?: { readonly sourceIp?: string };
    readonly elb?: object;
  };
}

export type HttpEvent = EventV1 | EventV2;

export function isV2(event: HttpEvent): event is EventV2 {
  return 'rawPath' in event;
}

/** @throws Error that says what it is, for all events that are not HTTP requests. */
export function asHttpEvent(event: unknown): HttpEvent {
  const {
    requestContext: context,
    rawPath,
    path,
    httpMethod,
    source,
  } = (event ?? {}) as Record<string, unknown>;
  const isContext = typeof context === 'object' && context !== null;
  if (isContext && typeof rawPath === 'string' && 'http' in context) return event as EventV2;
  if (isContext && typeof path === 'string' && typeof httpMethod === 'string') return event as EventV1;
  const what = typeof source === 'string' ? `one of '${source}'` : 'another one';
  throw new Error(
    `fw/lambda takes events of API Gateway, of function URLs and of load balancers, got ${what}; handle that before it`,
  );
}

export function methodOf(event: HttpEvent): string {
  return isV2(event) ? event.requestContext.http.method : event.httpMethod;
}

/** The address that the platform has seen; load balancers write it into `X-Forwarded-For` alone. */
export function sourceIpOf(event: HttpEvent): string | undefined {
  return isV2(event) ? event.requestContext.http.sourceIp : event.requestContext.identity?.sourceIp;
}

/** @param signal aborts when the client leaves */
export function toRequest(event: HttpEvent, signal: AbortSignal): Request {
  const headers = headersOf(event);
  const method = methodOf(event);
  const { body, isBase64Encoded } = event;
  const hasBody = typeof body === 'string' && body !== '' && method !== 'GET' && method !== 'HEAD';
  return new Request(originOf(event, headers) + targetOf(event), {
    method,
    headers,
    signal,
    redirect: 'manual',
    ...(hasBody && { body: Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8') }),
  });
}

function headersOf(event: HttpEvent): Headers {
  const headers = new Headers();
  for (const [name, value] of fieldsOf(event)) headers.append(name, byteText(value));
  return headers;
}

type Field = readonly [name: string, value: string];

function fieldsOf(event: HttpEvent): readonly Field[] {
  if (!isV2(event)) return fieldsOfV1(event);
  const fields = singles(event.headers);
  const { cookies = [] } = event;
  if (cookies.length === 0) return fields;
  return [...fields.filter(([name]) => name.toLowerCase() !== 'cookie'), ['cookie', cookies.join('; ')]];
}

function fieldsOfV1({ multiValueHeaders, headers }: EventV1): readonly Field[] {
  return multiValueHeaders ? all(multiValueHeaders) : singles(headers);
}

function singles(values: Single | null | undefined): readonly Field[] {
  return Object.entries(values ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
}

function all(values: Values): readonly Field[] {
  return Object.entries(values).flatMap(([name, list = []]) => list.map((value) => [name, value] as const));
}

/** Platforms decode header fields as UTF-8; a field of a Request has a character for each byte. */
function byteText(value: string): string {
  return /^[\0-\xff]*$/.test(value) ? value : Buffer.from(value, 'utf8').toString('latin1');
}

/** With a `Host` that no URL can have, the App answers 400. */
function originOf(event: HttpEvent, headers: Headers): string {
  const isPlain = !isV2(event) && event.requestContext.elb !== undefined;
  const scheme = isPlain && headers.get('x-forwarded-proto') === 'http' ? 'http' : 'https';
  const hosts = [headers.get('host'), event.requestContext.domainName, 'localhost'];
  const origins = hosts.map((host) => `${scheme}://${host ?? ''}`);
  return origins.find((origin) => URL.canParse(origin) && new URL(origin).pathname === '/') as string;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Why no request can have what the event has (RFC 9110, sections 5.1, 5.5 and 9.1), for its 400; undefined if it can. */
export function malformed(event: HttpEvent): string | undefined {
  if (hasDotSegment(event)) return 'dot segments are not allowed in the path';
  if (!TOKEN.test(methodOf(event))) return 'the method is malformed';
  const isFine = fieldsOf(event).every(([name, value]) => TOKEN.test(name) && !/[\0\r\n]/.test(value));
  return isFine ? undefined : 'a header field is malformed';
}

/**
 * A URL resolves them (WHATWG URL, section 4.4), so that the app would see another path than the platform, whose
 * authorizer has decided by its own.
 */
function hasDotSegment(event: HttpEvent): boolean {
  return /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(isV2(event) ? event.rawPath : event.path);
}

function targetOf(event: HttpEvent): string {
  if (isV2(event)) return targetText(event.rawPath, event.rawQueryString ?? '');
  const { queryStringParameters: single, multiValueQueryStringParameters: multiple } = event;
  const pairs = multiple ? all(multiple) : singles(single);
  // Load balancers do not decode the query.
  const encode = event.requestContext.elb === undefined ? encoded : (text: string) => text;
  return targetText(event.path, pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&'));
}

/** Half of a pair of surrogates cannot be encoded, and is U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}

/**
 * Some of the platforms decode paths: what would end the path, or means something else in a URL, is encoded again. So
 * are blanks and control characters, some of which URLs leave out: the platform has seen another path.
 */
function targetText(path: string, query: string): string {
  const safe = path.replace(/%(?![0-9A-Fa-f]{2})|[\0-\x20?#\\]/g, encodeURIComponent);
  const start = safe.startsWith('/') ? safe : `/${safe}`;
  return query === '' ? start : `${start}?${query.replace(/[\0-\x20#]/g, encodeURIComponent)}`;
}
