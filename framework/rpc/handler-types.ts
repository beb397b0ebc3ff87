// Types only: how a procedure's schemas decide what its handler takes and gives.
import type { StandardSchemaV1 } from '../extract/standard-schema.js';
import type { RpcCall } from './call.js';
import type { RpcMiddleware } from './middleware.js';

/** The schemas of a procedure, and what runs around it. */
export interface ProcedureOptions<Input extends StandardSchemaV1, Output extends StandardSchemaV1> {
  /** Checks what is sent; the handler takes its output. */
  readonly input?: Input;
  /** Parses what the handler gives; its output is sent. */
  readonly output?: Output;
  /** Runs inside the middleware of the registry. */
  readonly use?: readonly RpcMiddleware[];
}

/** A handler that says itself what it takes. Written as a method, so that any type fits. */
export type FreeHandler<Result = unknown> = {
  handler(input: unknown, call: RpcCall): Result;
}['handler'];

type Result<Output extends StandardSchemaV1> = [Output] extends [never]
  ? unknown
  : StandardSchemaV1.InferInput<Output> | Promise<StandardSchemaV1.InferInput<Output>>;

/** The handler of a procedure with these schemas; `never` stands for none. */
export type ProcedureHandler<Input extends StandardSchemaV1, Output extends StandardSchemaV1> = [
  Input,
] extends [never]
  ? FreeHandler<Result<Output>>
  : (input: StandardSchemaV1.InferOutput<Input>, call: RpcCall) => Result<Output>;
