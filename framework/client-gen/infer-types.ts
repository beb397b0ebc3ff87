// Inference: the types of procedures without a schema and of routes, from the signatures of their handlers.
import type { Compiler } from './compiler/compiler.js';
import { inferFrom, nothing } from './infer-from.js';
import type { InferredTypes } from './inferred-types.js';

/** @throws InferenceError if a type cannot be sent as JSON, or the code does not compile */
export function inferTypes<Type>(compiler: Compiler<Type>): InferredTypes {
  return inferFrom(compiler, nothing);
}
