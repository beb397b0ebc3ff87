// The public names of `fw`, and nothing else.
export { App } from './app.js';
export type { Middleware, MiddlewareResult, Next } from './chain.js';
export type { TrustProxyOptions } from './client-address/trusted-proxies.js';
export type { ConnectionTimes } from './connection-times.js';
export { Context, type ContextStore, type RemoveCookieOptions } from './context.js';
export { Cookie, SameSite } from './cookie.js';
export { errorResponse } from './error-response.js';
export {
  FwError,
  type FwErrorOptions,
  type FwErrorVariant,
  type FwIssue,
} from './errors.js';
export type { Extractor, ParamExtractor } from './extract/extractor.js';
export type { Handler } from './extract/handler-types.js';
export { Json } from './extract/json.js';
export { Path } from './extract/path.js';
export { Query } from './extract/query.js';
export type { StandardSchemaV1 } from './extract/standard-schema.js';
export { Valid } from './extract/valid.js';
export { validate } from './extract/validate.js';
export type { FwHeaders } from './headers.js';
export type { FetchHandler } from './interop/fetch-handler.js';
export type { MultipartOptions } from './multipart/limits.js';
export type { MultipartField, MultipartFile, MultipartPart } from './multipart/part.js';
export type { ListenAddress, RunningServer } from './node/listen.js';
export { shutdownSignal } from './node/shutdown-signal.js';
export { toNodeHandler } from './node/to-node-handler.js';
export type { ParamName, Params } from './path-params.js';
export type { FwRequest } from './request.js';
export type { PeerAddress } from './request-source.js';
export { type FwBody, FwResponse } from './response.js';
export type { ErrorHandler } from './routes.js';
export type { CacheControl, StaticOptions } from './static/options.js';
export {
  type SseChannel,
  type SseChannelOptions,
  type SseSender,
  sseChannel,
} from './streaming/sse-channel.js';
export { SseEvent } from './streaming/sse-event.js';
export type { SseStream } from './streaming/sse-queue.js';
export type { HandlerResult } from './to-response.js';
export type { FwErrorEvent } from './tracing/error-channel.js';
