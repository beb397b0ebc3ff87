// The client: tells errors by their names.
import { type FwRpcStandardError, RpcErrorCode } from './error-codes.js';
import { JsonRpcClientError } from './json-rpc.js';
import { FwRpcHttpError } from './requests.js';

/** An error with the name that was asked for: its `error` is what procedures declare of that name; others have none. */
export type FwRpcErrorNamed<Class, Declared, Name> = Name extends FwRpcStandardError
  ? Class & { readonly error: { readonly name?: undefined } | undefined }
  : Class & {
      readonly error: Extract<Declared, { readonly name: Name }>;
    } & ('data' extends keyof Class
        ? { readonly data: FwRpcErrorDataOf<Extract<Declared, { readonly name: Name }>> }
        : unknown);

export type FwRpcErrorDataOf<Declared> = Declared extends { readonly data?: infer Data } ? Data : undefined;

/** Whether a call failed with an error of the name: a declared one, or one of `fw`. */
export function isJsonRpcErrorNamed(error: unknown, name: string): boolean {
  if (!(error instanceof JsonRpcClientError)) return false;
  if (error.error.name !== undefined) return error.error.name === name;
  return (RpcErrorCode as Readonly<Record<string, number>>)[name] === error.code;
}

/** Whether a call failed with an error of the name: a declared one, or one of `fw`. */
export function isRestErrorNamed(error: unknown, name: string): boolean {
  if (!(error instanceof FwRpcHttpError)) return false;
  if (error.error !== undefined) return error.error.name === name;
  // A body of another form may have the name of a declared error, and not its data.
  return Object.hasOwn(RpcErrorCode, name) && ((error.body ?? {}) as { error?: unknown }).error === name;
}
