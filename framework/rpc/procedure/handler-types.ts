// Types only: derives the input and the result of a handler from the schemas of its procedure.
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import type { ErrorDeclarations, NoErrors } from '../protocol/error-declarations.js';
import type { RpcCall } from './call.js';
import type { AnyRpcMiddleware } from './middleware.js';
import type { McpToolOptions } from './tool-options.js';

/** The schemas of a procedure, its middleware, and what documents say about it. */
export interface ProcedureOptions<
  Input extends StandardSchemaV1,
  Output extends StandardSchemaV1,
  Errors extends ErrorDeclarations = NoErrors,
  Use extends readonly AnyRpcMiddleware[] = readonly AnyRpcMiddleware[],
> {
  /** Validates the params; the handler gets the output of this schema. */
  readonly input?: Input;
  /** Parses what the handler returns; the output of this schema is sent. */
  readonly output?: Output;
  /**
   * Middleware of this procedure, which runs inside that of the registry. The handler gets what middleware of
   * `createMiddleware` adds: `(input, { user }) => …`.
   */
  readonly use?: Use;
  /** What the procedure does: in the generated client, in OpenAPI and in OpenRPC. */
  readonly description?: string;
  /** Marks the procedure as one that clients should no longer call; a text says what to use instead. */
  readonly deprecated?: boolean | string;
  /** Groups of procedures in OpenAPI and OpenRPC. */
  readonly tags?: readonly string[];
  /** The errors that clients can tell apart by name and data; the handler makes them by `errors.name(data)`. */
  readonly errors?: Errors;
  /** Makes it a tool of `app.mountMcp`, with what a model is told about it; false if its registry would make it one. */
  readonly mcp?: boolean | McpToolOptions;
}

/**
 * A handler that declares its own input. Written as a method, so that any type is assignable; without a type, the input
 * is `never`, and using it does not compile.
 */
export type FreeHandler<Result = unknown, Errors extends ErrorDeclarations = NoErrors, Added = unknown> = {
  handler(input: never, call: RpcCall<Errors> & Added): Result;
}['handler'];

type Result<Output extends StandardSchemaV1> = [Output] extends [never]
  ? unknown
  : StandardSchemaV1.InferInput<Output> | Promise<StandardSchemaV1.InferInput<Output>>;

/** The handler of a procedure with these schemas and errors; `never` stands for no schema. */
export type ProcedureHandler<
  Input extends StandardSchemaV1,
  Output extends StandardSchemaV1,
  Errors extends ErrorDeclarations = NoErrors,
  Added = unknown,
> = [Input] extends [never]
  ? FreeHandler<Result<Output>, Errors, Added>
  : (input: StandardSchemaV1.InferOutput<Input>, call: RpcCall<Errors> & Added) => Result<Output>;
