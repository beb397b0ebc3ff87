// Types only: the errors that a procedure declares, and what its handler makes them with.
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import type { RpcError } from './rpc-error.js';

/** An error that a procedure declares; all parts are optional. */
export interface ErrorDeclaration {
  /** Parses the data that is sent; without a schema, the error has no data. */
  readonly data?: StandardSchemaV1;
  /** The HTTP status over REST, 400 to 499; 400 by default. */
  readonly status?: number;
  /** The code over JSON-RPC; `errorCode.declared` by default. */
  readonly code?: number;
  /** The message, if none is given when the error is thrown; by default the description, else the name in words. */
  readonly message?: string;
  /** When the error occurs, for the documents. */
  readonly description?: string;
}

/** The errors of a procedure by their names; a schema alone is that of the data. */
export type ErrorDeclarations = Readonly<Record<string, StandardSchemaV1 | ErrorDeclaration>>;

/** No errors are declared. */
export type NoErrors = Readonly<Record<never, never>>;

/** What may be given when an error is thrown. */
export interface RpcErrorOptions {
  /** Sent to the client instead of the declared message. */
  readonly message?: string;
  /** What caused the error, for logs; never sent. */
  readonly cause?: unknown;
}

type DataSchema<Declaration> = Declaration extends StandardSchemaV1
  ? Declaration
  : Declaration extends { readonly data: infer Schema extends StandardSchemaV1 }
    ? Schema
    : never;

type ErrorMaker<Name extends string, Schema extends StandardSchemaV1> = [Schema] extends [never]
  ? (options?: RpcErrorOptions) => RpcError<Name, undefined>
  : undefined extends StandardSchemaV1.InferInput<Schema>
    ? (
        data?: StandardSchemaV1.InferInput<Schema>,
        options?: RpcErrorOptions,
      ) => RpcError<Name, StandardSchemaV1.InferOutput<Schema>>
    : (
        data: StandardSchemaV1.InferInput<Schema>,
        options?: RpcErrorOptions,
      ) => RpcError<Name, StandardSchemaV1.InferOutput<Schema>>;

/** A function for each declared error, which makes the error to throw. */
export type RpcErrors<Errors extends ErrorDeclarations> = {
  readonly [Name in keyof Errors & string]: ErrorMaker<Name, DataSchema<Errors[Name]>>;
};
