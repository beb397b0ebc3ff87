// The public names of `fw`, and nothing else.

export { App } from './app/app.js';
export type { DocsOptions } from './app/docs/docs-entry.js';
export type { DocsSource } from './app/docs/docs-source.js';
export type { HealthCheck, HealthChecks, HealthOptions } from './app/health.js';
export type { AccessList, RouteAccess } from './app/routes/access.js';
export type { ListeningServer } from './app/settings/life-cycle.js';
export { type NodeHandler, toNodeHandler } from './app/to-node-handler.js';
export type { AnyAuthMiddleware, AuthMiddleware } from './auth/auth-method.js';
export { authenticate } from './auth/authenticate.js';
export type {
  /** @deprecated Use `RequireAuthOptions`. */
  RequireAuthOptions as GuardOptions,
} from './auth/principal.js';
export {
  CurrentUser,
  Principal,
  type PrincipalAdded,
  type RequireAuthOptions,
  requireAllScopes,
  requireAnyScope,
  requireAuth,
  requireScope,
} from './auth/principal.js';
export type { ForwardedHeader } from './client-address/address-field.js';
export type { TrustedHeader, TrustProxyOptions } from './client-address/trusted-proxies.js';
export { ConfigError, type ConfigErrorCode } from './config-error.js';
export { Context } from './context/context.js';
export type { ContextStore, StoreValue } from './context/context-store.js';
export type { ErrorHandler, HandlerResult, Middleware, MiddlewareResult, Next } from './context/handlers.js';
export type { StreamOptions } from './context/made-responses.js';
export type { ApiKeyIdentity, JwtClaims, PrincipalRecord } from './context/principal.js';
export type { Register, RegisteredScope, UndeclaredDb, UndeclaredPlatform } from './context/register.js';
export type { FwRequest } from './context/request.js';
export type { Session, SessionData } from './context/session.js';
export { errorResponse } from './dispatch/error-response.js';
export {
  type AddedBy,
  type AnyMiddleware,
  ContextMiddleware,
  createMiddleware,
  type MiddlewareOptions,
  type NextResult,
  type NextWith,
  type RequestCall,
} from './extract/context-middleware.js';
export type {
  DescribedErrors,
  ExtractorDescription,
  FieldSchemas,
  Requirement,
  SecurityScheme,
  SecuritySchemes,
} from './extract/description.js';
export type { Extractor, ParamExtractor } from './extract/extractor.js';
export { Form } from './extract/form.js';
export type { Handler } from './extract/handler-types.js';
export { Json } from './extract/json.js';
export { Path } from './extract/path.js';
export { type Provided, provide } from './extract/provide.js';
export { Query } from './extract/query.js';
export type {
  /** @deprecated Use `ResponseDescription`. */
  ResponseDescription as Answer,
  /** @deprecated Use `Responses`. */
  Responses as Answers,
} from './extract/route.js';
export {
  type DescribedPath,
  describeRoute,
  type JsonOf,
  type ResponseDescription,
  type Responses,
  type ResultOf,
  type RouteOptions,
  route,
} from './extract/route.js';
export { Valid } from './extract/valid.js';
export { validate } from './extract/validate.js';
export { attachment } from './http/attachment.js';
export { Cookie, type CookieOptions, type RemoveCookieOptions, SameSite } from './http/cookie.js';
export {
  FwError,
  type FwErrorOptions,
  type FwErrorVariant,
  type FwIssue,
} from './http/errors.js';
export type { FwHeaders } from './http/headers.js';
export type { PeerAddress } from './http/request-source.js';
export { localPath } from './http/request-target.js';
export { type FwBody, FwResponse, type JsonResponse } from './http/response.js';
export type { FetchHandler, MountOptions } from './interop/fetch-handler.js';
export { type ProxyOptions, proxy } from './interop/proxy.js';
export type { MultipartOptions } from './multipart/limits.js';
export type { MultipartField, MultipartFile, MultipartPart } from './multipart/part.js';
export type { ParamName, Params } from './router/pattern.js';
export type { ConnectionTimeouts } from './runtime/connection-timeouts.js';
export type { ListenAddress, RunningServer } from './runtime/node/listen.js';
export { shutdownSignal } from './runtime/node/shutdown-signal.js';
export type { StandardSchemaV1 } from './schema/standard-schema.js';
export type { CacheControl, StaticOptions } from './static/options.js';
export { PubSub, type PubSubOptions, type SubscribeOptions } from './streaming/pub-sub.js';
export { MissedMessagesError } from './streaming/pub-sub-subscription.js';
export {
  type SseChannel,
  type SseChannelOptions,
  type SseSender,
  sseChannel,
} from './streaming/sse-channel.js';
export { SseEvent } from './streaming/sse-event.js';
export type { SseStream } from './streaming/sse-queue.js';
export type { FwErrorEvent } from './tracing/error-channel.js';
