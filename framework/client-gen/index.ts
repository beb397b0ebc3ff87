// The public names of `fw/client-gen`: types of procedures from the signatures of their handlers.
export type { Compiler, Finding, Place } from './compiler/compiler.js';
export { inferTypes } from './infer-from.js';
export { InferenceError, type InferredTypes } from './inferred-types.js';
export { type CompilerOptions, loadCompiler } from './load-compiler.js';
