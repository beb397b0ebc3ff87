// RPC: the input of a call without params, which its schema decides.
import { isThrown } from '../../http/errors.js';
import { isPromise } from '../../promises.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { JsonRpcError } from '../protocol/rpc-error.js';
import type { Check } from './procedure.js';

/** The kinds of zod that refuse `undefined`, whatever is inside them. */
const REFUSING: readonly unknown[] = ['object', 'array', 'tuple', 'record'];

/**
 * What the schema makes of `undefined`, which its JSON Schema does not say: it may accept it, or have a default for
 * it. A schema that refuses it is asked for the substitute: `{}`, `[]` or null.
 */
export function absentInput(
  schema: StandardSchemaV1,
  substitute: () => unknown,
  check: Check,
): () => unknown {
  const instead = (): unknown => check(substitute());
  if (REFUSING.includes(zodKind(schema))) return instead;
  const chosen = (result: StandardSchemaV1.Result<unknown>): unknown =>
    result.issues ? instead() : result.value;
  return () => {
    let result: StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>>;
    try {
      result = schema['~standard'].validate(undefined);
    } catch (fault) {
      return unlessRefused(instead, fault);
    }
    if (!isPromise(result)) return chosen(result);
    return Promise.resolve(result).then(chosen, (fault) => unlessRefused(instead, fault));
  };
}

/** A schema that reads a field of `undefined` throws, and may take the substitute; if not, what it threw counts. */
function unlessRefused(instead: () => unknown, fault: unknown): unknown {
  const rethrow = (error: unknown): never => {
    throw isThrown(error, JsonRpcError) ? fault : error;
  };
  try {
    const input = instead();
    return isPromise(input) ? input.then(undefined, rethrow) : input;
  } catch (error) {
    return rethrow(error);
  }
}

/** The kind of a schema of zod, which shows without its JSON Schema; undefined of other vendors. */
export function zodKind(schema: StandardSchemaV1): unknown {
  if (schema['~standard'].vendor !== 'zod') return undefined;
  return (schema as { readonly def?: { readonly type?: unknown } }).def?.type;
}
