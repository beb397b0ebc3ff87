// The public names of `fw/rpc`.

export type {
  /** @deprecated Use `RequireAuthOptions` of `fw`. */
  RequireAuthOptions as RpcGuardOptions,
} from '../auth/principal.js';
export { type AppClient, type AppClientOptions, clientFromApp } from '../client/app/client-from-app.js';
export type { GenerateClientFileOptions, GenerateClientOptions } from '../client/client-options.js';
export { RpcErrorCode } from '../client/runtime/error-codes.js';
export { type AppOpenApiOptions, openApiFromApp } from '../openapi/app/openapi-from-app.js';
export {
  OpenApiBuilder,
  type OpenApiContent,
  type OpenApiDocument,
  type OpenApiHeader,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
  OpenApiSpec,
} from '../openapi/openapi-spec.js';
export type { OpenRpcError } from '../openapi/openrpc/method-errors.js';
export type { OpenRpcParam } from '../openapi/openrpc/params.js';
export type { OpenRpcDocument, OpenRpcInfo, OpenRpcMethod } from '../openapi/openrpc/registry-openrpc.js';
export type { JsonSchema07 } from '../openapi/to-json-schema.js';
export type { OpenApiSchema } from '../openapi/to-openapi.js';
export type { NamedTypes, ProcedureKind, ProcedureTypes, WireType, WireTypes } from '../wire/wire-type.js';
export type { RpcCall, RpcCallOptions } from './procedure/call.js';
export type { FreeHandler, ProcedureHandler, ProcedureOptions } from './procedure/handler-types.js';
export type { AnyRpcMiddleware, RpcMiddleware, RpcMiddlewareCall } from './procedure/middleware.js';
export type { McpToolOptions } from './procedure/tool-options.js';
export type {
  ErrorDeclaration,
  ErrorDeclarations,
  NoErrors,
  RpcErrorOptions,
  RpcErrors,
} from './protocol/error-declarations.js';
export {
  type JsonRpcErrorObject,
  type JsonRpcErrorResponse,
  type JsonRpcId,
  JsonRpcOutput,
  type JsonRpcRequest,
  type JsonRpcResponse,
} from './protocol/messages.js';
export { errorCode, JsonRpcError, RpcError } from './protocol/rpc-error.js';
export type { RpcCaller } from './registry/caller.js';
export { RpcRegistry } from './registry/registry.js';
export { RpcMode } from './registry/rpc-mode.js';
export type {
  FreeSubscriptionHandler,
  SubscriptionCall,
  SubscriptionHandler,
} from './subscription/subscription-types.js';
export { type Tracked, tracked } from './subscription/subscription-types.js';
