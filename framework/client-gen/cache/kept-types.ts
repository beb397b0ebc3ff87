// Inference: keeps what was found in each file, so that after a change only what depends on it is asked for again.
import type { Compiler } from '../compiler/compiler.js';
import { inferFrom, type OnProcedure } from '../infer-from.js';
import type { InferredTypes } from '../inferred-types.js';
import { type Kept, KnownTypes, type Reach } from './known-types.js';

/** What the last inference of a compiler has found. */
export class KeptTypes {
  #kept: Kept | undefined;

  /**
   * Like `inferTypes`, but asks the compiler only for what the changes since the last time reach.
   *
   * @param reach undefined if the changes may reach everything
   * @throws InferenceError if a type cannot be sent as JSON, or the code does not compile
   */
  infer<Type>(compiler: Compiler<Type>, reach: Reach | undefined, onProcedure?: OnProcedure): InferredTypes {
    const keep = (kept: Kept | undefined) => {
      this.#kept = kept;
    };
    const known = reach === undefined ? new KnownTypes(keep) : new KnownTypes(keep, this.#kept, reach);
    return inferFrom(compiler, known, onProcedure);
  }
}
