// The public names of `fw/rpc`.
export type { RpcCall } from './call.js';
export type { FreeHandler, ProcedureHandler, ProcedureOptions } from './handler-types.js';
export {
  type JsonRpcErrorObject,
  type JsonRpcErrorResponse,
  type JsonRpcId,
  JsonRpcOutput,
  type JsonRpcRequest,
  type JsonRpcResponse,
} from './messages.js';
export type { RpcMiddleware, RpcMiddlewareCall } from './middleware.js';
export { type AppOpenApiOptions, openApiOf } from './openapi/app-openapi.js';
export {
  OpenApiBuilder,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiSchema,
  OpenApiSpec,
} from './openapi/openapi-spec.js';
export type { OpenRpcParam } from './openrpc/params.js';
export type { OpenRpcDocument, OpenRpcInfo, OpenRpcMethod } from './openrpc/registry-openrpc.js';
export { RpcMode, RpcRegistry } from './registry.js';
export type { GenerateClientFileOptions, GenerateClientOptions, RpcCallOptions } from './registry-options.js';
export { errorCode, JsonRpcError } from './rpc-error.js';
export type { NamedTypes, ProcedureTypes, WireType, WireTypes } from './types/wire-type.js';
