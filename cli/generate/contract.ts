// The contract of procedures without a schema: inferred with the app's own TypeScript, written to a file.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Compiler } from '../../framework/client-gen/compiler.js';
import type { InferredTypes } from '../../framework/client-gen/infer-types.js';
import { contractText, hasContract } from '../../framework/rpc/contract-text.js';
import { ReachedFiles } from './reached-files.js';

export interface Inferred {
  /** The text of the contract file; undefined if the app has nothing that needs one. */
  readonly text: string | undefined;
  readonly types: InferredTypes;
}

/** Keeps the compiler between runs, which makes the next run several times faster. */
export class ContractSource {
  readonly #root: string;
  readonly #reached = new ReachedFiles();
  #compiler: Compiler<never> | undefined;
  #last: Inferred | undefined;
  /** Changes that the compiler does not know yet, because no procedure depends on them. */
  #unheard: string[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  /** False if the app has no TypeScript: then every procedure must have a schema or a type string. */
  canInfer(): boolean {
    if (!existsSync(join(this.#root, 'tsconfig.json'))) return false;
    try {
      createRequire(join(this.#root, 'package.json')).resolve('typescript/package.json');
      return true;
    } catch {
      return false;
    }
  }

  /** False if changes of these files cannot change what was inferred last. */
  isReachedBy(changed: readonly string[]): boolean {
    return this.canInfer() && (this.#last === undefined || this.#reached.isReachedBy(changed));
  }

  /** @throws InferenceError for types that cannot be inferred; Error for an unsupported version of TypeScript */
  async infer(changed: readonly string[]): Promise<Inferred> {
    if (this.#last !== undefined && !this.isReachedBy(changed)) {
      this.#unheard.push(...changed);
      return this.#last;
    }
    const [{ loadCompiler }, { inferTypes }] = await Promise.all([
      import('../../framework/client-gen/load-compiler.js'),
      import('../../framework/client-gen/infer-types.js'),
    ]);
    const heard = [...this.#unheard, ...changed];
    this.#unheard = [];
    this.#last = undefined;
    if (this.#compiler === undefined) this.#compiler = await loadCompiler(this.#root);
    else if (heard.length > 0) this.#compiler.update(heard);
    const types = inferTypes(this.#compiler);
    this.#reached.learn(this.#compiler, heard);
    this.#last = { types, text: hasContract(types) ? contractText(types) : undefined };
    return this.#last;
  }

  close(): void {
    this.#compiler?.close();
    this.#compiler = undefined;
  }
}
