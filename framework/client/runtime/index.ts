// fw/client: the run time of generated clients that import it.
export type {
  FwRpcAroundCalls,
  FwRpcCall,
  FwRpcCallable,
  FwRpcInterceptor,
  FwRpcProcedure,
  FwRpcRetry,
  FwRpcTable,
} from './calls.js';
export {
  carriedSubscriptionCaller,
  type FwRpcCarriedOptions,
  type FwRpcCarrierOptions,
  FwRpcSocket,
  type FwSocketCarrier,
  type FwSocketSubscription,
  openCarrier,
} from './carried-subscriptions.js';
export type { FwRpcCsrf } from './csrf.js';
export {
  defineClient,
  type FwRpcCaller,
  type FwRpcClientClass,
  type FwRpcConnection,
  type FwRpcEntry,
  type FwRpcMethods,
} from './define-client.js';
export { type FwRpcStandardError, RpcErrorCode } from './error-codes.js';
export {
  type FwRpcErrorDataOf,
  type FwRpcErrorNamed,
  isJsonRpcErrorNamed,
  isRestErrorNamed,
} from './error-names.js';
export type {
  FwRpcReader,
  FwRpcStreamOptions,
  FwRpcStreamProtocol,
  FwRpcStreamResponse,
} from './event-stream.js';
export {
  batchCaller,
  batchTable,
  type FwRpcAutoBatch,
  type FwRpcBatchCallOf,
  type FwRpcBatchErrorOf,
  type FwRpcBatchResultOf,
  type FwRpcMethodOf,
  type FwRpcNamedUrls,
  type FwRpcNotifyRestOf,
  type FwRpcTypes,
  isJsonRpcErrorOf,
  JsonRpcClientError,
  type JsonRpcError,
  jsonRpcCaller,
  jsonRpcStreams,
} from './json-rpc.js';
export {
  contractField,
  type FwRpcCallOptions,
  type FwRpcContract,
  type FwRpcDeclaredError,
  type FwRpcFetchOf,
  FwRpcHttpError,
  type FwRpcRequestOf,
  type FwRpcRequestOptions,
  type FwRpcTextResponse,
} from './requests.js';
export {
  declaredFailure,
  type FwRpcFailure,
  isRestErrorOf,
  plainFailure,
  restCaller,
  restStreams,
} from './rest.js';
export { type FwRouteCall, FwRouteError, isErrorOfRoute, routeCaller } from './routes.js';
export { type FwRpcAbortSignal, type FwRpcSignal, FwRpcTimeoutError } from './signals.js';
export { FwSocket, type FwSocketCargo, type FwSocketWire } from './socket.js';
export {
  type FwSocketConstructor,
  type FwSocketData,
  FwSocketError,
  type FwSocketEvent,
  type FwSocketFrame,
  type FwSocketOptions,
  type FwSocketReconnect,
  type FwSocketRefusal,
  type FwSocketState,
  type FwSocketTransport,
} from './socket-types.js';
export {
  type FwRpcSocketsOptions,
  type FwSocketCall,
  type FwSocketOpener,
  openSocket,
  socketCaller,
} from './sockets.js';
export { type FwRpcReconnect, type FwRpcStreamedOptions, subscriptionCaller } from './subscriptions.js';
export {
  type FwRpcBlob,
  type FwRpcFields,
  type FwRpcFile,
  type FwRpcForm,
  toForm,
  toJsonOrForm,
} from './upload.js';
export { belowBaseUrl, besideProcedures, type FwRpcRoutesUrl } from './urls.js';
