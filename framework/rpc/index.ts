// The public names of `fw/rpc`.

export { type AppClient, type AppClientOptions, clientFromApp } from '../client/app/client-from-app.js';
export type { GenerateClientFileOptions, GenerateClientOptions } from '../client/client-options.js';
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
export type { OpenApiSchema } from '../openapi/to-openapi.js';
export type { NamedTypes, ProcedureKind, ProcedureTypes, WireType, WireTypes } from '../wire/wire-type.js';
export type { RpcCall, RpcCallOptions } from './call.js';
export type { RpcCaller } from './caller.js';
export type { FreeHandler, ProcedureHandler, ProcedureOptions } from './handler-types.js';
export type { AnyRpcMiddleware, RpcMiddleware, RpcMiddlewareCall } from './middleware.js';
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
export { RpcRegistry } from './registry.js';
export type { RpcGuardOptions } from './rpc-guard.js';
export { RpcMode } from './rpc-mode.js';
export type { SubscriptionCall } from './subscription-call.js';
export type { FreeSubscriptionHandler, SubscriptionHandler } from './subscription-types.js';
export { type Tracked, tracked } from './tracked.js';
