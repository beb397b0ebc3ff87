// The contract of procedures without a schema: inferred with the app's own TypeScript, written to a file.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { KeptTypes } from '../../framework/client-gen/cache/kept-types.js';
import type { Reach } from '../../framework/client-gen/cache/known-types.js';
import type { Compiler } from '../../framework/client-gen/compiler/compiler.js';
import type { OnProcedure } from '../../framework/client-gen/infer-from.js';
import type { InferredTypes } from '../../framework/client-gen/inferred-types.js';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import { contractText, hasContract } from '../../framework/rpc/contract/contract-text.js';
import { ReachedFiles } from './reached-files.js';
import type { StoredInference } from './stored/stored-inference.js';

export interface Inferred {
  /** The text of the contract file; undefined if the app has nothing that needs one. */
  readonly text: string | undefined;
  readonly types: InferredTypes;
}

/** Keeps the compiler between runs, which makes the next run several times faster. */
export class ContractSource {
  readonly #root: AbsolutePath;
  readonly #reached = new ReachedFiles();
  readonly #kept = new KeptTypes();
  readonly #contract: AbsolutePath;
  readonly #again: boolean;
  readonly #stored: StoredInference | undefined;
  #isRecalled = false;
  /** When the compiler began to read the program, in milliseconds since 1970. */
  #since = 0;
  #compiler: Compiler<never> | undefined;
  /** Whether the compiler was used, so that it is told of changes. */
  #isUsed = false;
  #last: Inferred | undefined;
  /** Changes that the compiler does not know yet, because no procedure depends on them. */
  #unheard: AbsolutePath[] = [];

  /**
   * @param contract the file that is generated
   * @param again whether `infer` may be called again, for which it learns what the types depend on
   * @param stored what was inferred by an earlier command, which is used if nothing has changed
   */
  constructor(root: AbsolutePath, contract: AbsolutePath, again = true, stored?: StoredInference) {
    this.#root = root;
    this.#contract = contract;
    this.#again = again;
    this.#stored = stored;
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

  /**
   * Lets a compiler that has a process of its own read the program while this one does other things. Whether files
   * change meanwhile must not matter. There is no compiler if the types are stored.
   *
   * @throws Error if the compiler cannot be started
   */
  async begin(): Promise<void> {
    if (!this.canInfer()) return;
    this.#recall();
    if (this.#last !== undefined) return;
    const { readsBeside } = await import('../../framework/client-gen/load-compiler.js');
    if (readsBeside(this.#root)) this.#compiler = await this.#load();
  }

  /** Whether what was inferred last is that of an earlier command. */
  get isStored(): boolean {
    return this.#last !== undefined && this.#stored !== undefined && this.#compiler === undefined;
  }

  /** False if changes of these files cannot change what was inferred last. */
  isReachedBy(changed: readonly AbsolutePath[]): boolean {
    return this.canInfer() && (this.#last === undefined || this.#reached.isReachedBy(changed));
  }

  /**
   * @param onFirst called, and awaited, when the compiler was loaded, before the first inference; `open` waits until it
   *   has read the program, and nothing else happens in this process meanwhile
   * @throws InferenceError for types that cannot be inferred; Error for an unsupported version of TypeScript
   */
  async infer(
    changed: readonly AbsolutePath[],
    onFirst: (open: () => void) => Promise<void> = async () => {},
    onProcedure?: OnProcedure,
  ): Promise<Inferred> {
    this.#recall();
    if (this.#last !== undefined && !changed.some((file) => this.isReachedBy([file]))) {
      if (this.isStored) await onFirst(() => {});
      this.#unheard.push(...changed);
      return this.#last;
    }
    const heard = [...new Set([...this.#unheard, ...changed])];
    // Until they are recorded, because the inference may fail.
    this.#unheard = heard;
    this.#last = undefined;
    let reach: Reach | undefined;
    this.#compiler ??= await this.#load();
    const compiler = this.#compiler;
    if (!this.#isUsed) await onFirst(() => compiler.open?.());
    else {
      if (heard.length > 0) compiler.update(heard);
      reach = this.#reached.reach(heard, this.#contract);
    }
    this.#isUsed = true;
    const types = this.#kept.infer(compiler, reach, onProcedure);
    if (this.#again) this.#reached.record(compiler, heard);
    this.#unheard = [];
    this.#last = { types, text: hasContract(types) ? contractText(types) : undefined };
    return this.#last;
  }

  /** Keeps what was inferred for the next command. Takes a few milliseconds, in which nothing should wait for it. */
  store(): void {
    if (this.#compiler === undefined || this.#last === undefined) return;
    this.#stored?.write(this.#last, this.#compiler.sources.all, this.#since);
  }

  /** Takes what an earlier command has inferred, before anything was inferred here. */
  #recall(): void {
    if (!this.#isRecalled) this.#last = this.#stored?.read();
    this.#isRecalled = true;
  }

  close(): void {
    this.#compiler?.close();
    this.#compiler = undefined;
  }

  async #load(): Promise<Compiler<never>> {
    this.#since = Date.now();
    const { loadCompiler } = await import('../../framework/client-gen/load-compiler.js');
    return loadCompiler(this.#root, { once: !this.#again });
  }
}
