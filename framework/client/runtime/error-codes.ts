// The errors that any call may fail with, and the codes that stand for them over JSON-RPC.

/** The errors that any call may fail with: those of JSON-RPC 2.0 (section 5.1), and those of `fw`. */
export type FwRpcStandardError =
  | 'ParseError'
  | 'InvalidRequest'
  | 'MethodNotFound'
  | 'InvalidParams'
  | 'InternalError'
  | 'ContractMismatch'
  | 'BadRequest'
  | 'ValidationError'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'RequestTimeout'
  | 'Conflict'
  | 'PreconditionFailed'
  | 'PayloadTooLarge'
  | 'UnsupportedMediaType'
  | 'RangeNotSatisfiable'
  | 'UpgradeRequired'
  | 'PreconditionRequired'
  | 'TooManyRequests'
  | 'BadGateway'
  | 'ServiceUnavailable'
  | 'GatewayTimeout'
  | 'Internal'
  | 'DatabaseError';

/** The codes of errors over JSON-RPC; `Declared` is that of declared errors which have no other one. */
export const RpcErrorCode: Readonly<Record<FwRpcStandardError | 'Declared', number>> = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  ContractMismatch: -32010,
  Declared: -32000,
  BadRequest: -32602,
  ValidationError: -32602,
  Unauthorized: -32001,
  Forbidden: -32003,
  NotFound: -32004,
  MethodNotAllowed: -32005,
  RequestTimeout: -32008,
  Conflict: -32009,
  PreconditionFailed: -32012,
  PayloadTooLarge: -32013,
  UnsupportedMediaType: -32015,
  RangeNotSatisfiable: -32016,
  UpgradeRequired: -32026,
  PreconditionRequired: -32028,
  TooManyRequests: -32029,
  BadGateway: -32052,
  ServiceUnavailable: -32053,
  GatewayTimeout: -32054,
  Internal: -32603,
  DatabaseError: -32603,
};
