// What was inferred last, in a file: a command that runs again for the same code needs no compiler.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AbsolutePath } from '../../../framework/files/absolute-path.js';
import { retryBusySync } from '../../../framework/files/retry-busy.js';
import { VERSION } from '../../../framework/version.js';
import type { Inferred } from '../contract.js';
import { isOnlyGiven } from './given-contract.js';
import { isInState, type ProgramFiles, type ProgramState, stateOf } from './program-state.js';

interface Stored extends ProgramFiles {
  /** What the inference was made by and for. */
  readonly key: string;
  readonly state: ProgramState;
  readonly inferred: Inferred;
}

/** A built fw has the same version until it is published. */
const version = `${VERSION} ${statSync(fileURLToPath(import.meta.url)).mtimeMs}`;
/** By how much the time of a change of a file may be behind the clock, in milliseconds. */
const clockStep = 20;

export class StoredInference {
  readonly #root: AbsolutePath;
  readonly #generated: readonly AbsolutePath[];
  readonly #file: string;
  readonly #key: string;

  /**
   * @param contract the file that is generated first
   * @param outputs the files of the client
   */
  constructor(root: AbsolutePath, contract: AbsolutePath, outputs: readonly AbsolutePath[]) {
    this.#root = root;
    this.#generated = [contract, ...outputs];
    this.#file = join(root, 'node_modules/.fw/inferred.json');
    this.#key = [version, root, ...this.#generated].join('\n');
  }

  /** Undefined if there is nothing, or if something may have changed since. */
  read(): Inferred | undefined {
    let stored: Stored | null;
    try {
      stored = JSON.parse(readFileSync(this.#file, 'utf8')) as Stored | null;
      return stored?.key === this.#key && isInState(stored, stored.state) ? stored.inferred : undefined;
    } catch (error) {
      if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // It is missing, or not whole: then the types are inferred, and it is written again.
      return undefined;
    }
  }

  forget(): void {
    retryBusySync(() => rmSync(this.#file, { force: true }));
  }

  /**
   * Writes the file, if what was inferred can be used again.
   *
   * @param files of the program
   * @param since when the compiler began to read them, in milliseconds since 1970
   */
  write(inferred: Inferred, files: readonly AbsolutePath[], since: number): void {
    // A warning may depend on errors in code that changes no type.
    const isSure = inferred.types.warnings.length === 0;
    const program = { root: this.#root, files, ignored: isSure ? this.#ignoredOf(files) : [] };
    const state = isSure ? stateOf(program, since - clockStep) : undefined;
    if (state === undefined) {
      this.forget();
      return;
    }
    const stored: Stored = { key: this.#key, ...program, state, inferred };
    const written = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(written, JSON.stringify(stored));
      retryBusySync(() => renameSync(written, this.#file));
    } catch (error) {
      if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
      // There is no space for it: the next command infers again.
      rmSync(written, { force: true });
    }
  }

  /** The generated files whose content changes no type: nothing imports them, or only to give the contract to fw. */
  #ignoredOf(files: readonly AbsolutePath[]): readonly AbsolutePath[] {
    const [contract = ''] = this.#generated;
    const own = files.filter((file) => isOwnCode(file) && !this.#generated.includes(file));
    const texts = own.map((file) => readFileSync(file, 'utf8'));
    return this.#generated.filter((generated) => {
      const [name = ''] = basename(generated).split('.');
      return texts
        .filter((text) => text.includes(name))
        .every((text) => generated === contract && isOnlyGiven(contract, text));
    });
  }
}

function isOwnCode(file: string): boolean {
  return isAbsolute(file) && !/[\\/]node_modules[\\/]/.test(file) && /\.[cm]?[jt]sx?$/.test(file);
}
