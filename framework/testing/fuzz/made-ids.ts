// Fuzzing: which identity has made what, by ids that nobody guesses.
import type { FuzzCase } from './fuzz-case.js';
import { isUuid, scalarsIn } from './known-values.js';

/** The maker of what several identities have used. */
const SEVERAL = '';

export class MadeIds {
  readonly #makers = new Map<string, string>();

  /** A request that has changed something, with what it was answered. */
  note(answer: unknown, sent: FuzzCase): void {
    // An id that the caller has chosen may be another's, or have been.
    const named = namedIn(sent);
    for (const id of named) {
      const maker = this.#makers.get(id);
      if (maker !== undefined && maker !== sent.caller) this.#makers.set(id, SEVERAL);
    }
    for (const id of scalarsIn(answer)) {
      if (isUuid(id) && !named.has(id) && !this.#makers.has(id)) this.#makers.set(id, sent.caller);
    }
  }

  /** What it has made may be gone. */
  forget(caller: string): void {
    for (const [id, maker] of this.#makers) if (maker === caller) this.#makers.delete(id);
  }

  /** An id in the answer that another identity has made, and that the request did not name. */
  foreignIn(answer: unknown, sent: FuzzCase): { readonly id: string; readonly maker: string } | undefined {
    if (this.#makers.size === 0) return undefined;
    const named = namedIn(sent);
    for (const id of scalarsIn(answer)) {
      const maker = this.#makers.get(id) ?? SEVERAL;
      if (maker !== SEVERAL && maker !== sent.caller && !named.has(id)) return { id, maker };
    }
    return undefined;
  }
}

function namedIn({ parameters, body }: FuzzCase): ReadonlySet<string> {
  return new Set([...scalarsIn(parameters), ...scalarsIn(body)]);
}
