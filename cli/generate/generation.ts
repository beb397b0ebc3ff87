// One generation: infer → contract → build → run → client. Whatever fails, the files keep their last good text.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from 'esbuild';
import type { Finding } from '../../framework/client-gen/compiler.js';
import { InferenceError } from '../../framework/client-gen/infer-types.js';
import type { Bundle, Bundler } from '../dev/bundler.js';
import type { AppError } from '../dev/messages.js';
import type { ContractSource } from './contract.js';
import type { EntryRunner } from './run-entry.js';
import type { GenerateSettings } from './settings.js';
import { textOf, writeChanged } from './write-changed.js';

/** A file that a generation makes. */
export interface Made {
  readonly file: string;
  readonly before: string | undefined;
  /** Undefined where it is not needed. */
  readonly after: string | undefined;
}

export type Generated =
  | {
      readonly ok: true;
      readonly client: Made;
      readonly contract: Made;
      readonly procedures: number;
      readonly warnings: readonly Finding[];
      readonly times: Readonly<Record<'types' | 'build' | 'run', number>>;
    }
  | { readonly ok: false; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly build: readonly Message[] }
  | { readonly ok: false; readonly run: AppError };

export class Generation {
  readonly #settings: GenerateSettings;
  readonly #bundler: Bundler;
  readonly #contract: ContractSource;
  readonly #runner: EntryRunner;
  readonly #outDir: string;

  constructor(
    settings: GenerateSettings,
    bundler: Bundler,
    contract: ContractSource,
    runner: EntryRunner,
    outDir: string,
  ) {
    this.#settings = settings;
    this.#bundler = bundler;
    this.#contract = contract;
    this.#runner = runner;
    this.#outDir = outDir;
  }

  /** Sources of the last build, for a watcher. */
  inputs: readonly string[] = [];

  /** @param writes false leaves every file of the app as it was. */
  async run(changed: readonly string[], writes: boolean): Promise<Generated> {
    const began = performance.now();
    // esbuild works in a process of its own while types are inferred in this one.
    const building = this.#bundler.build([...changed]);
    building.catch(() => {});
    const inferred = await this.#infer(changed);
    if ('findings' in inferred) return { ok: false, ...inferred };
    const typed = performance.now();
    const { contract: file } = this.#settings;
    const contract: Made = { file, before: textOf(file), after: inferred.text };
    const isStale = contract.after !== undefined && contract.after !== contract.before;
    let built = await building;
    // A contract that is imported is part of the build.
    if (isStale && contract.after !== undefined) {
      writeChanged(file, contract.after);
      built = await this.#bundler.build([file]);
    }
    try {
      if (!built.ok) return { ok: false, build: built.errors };
      return await this.#write(built.bundle, contract, inferred, writes, { began, typed });
    } finally {
      if (isStale && !writes) restore(contract);
    }
  }

  async #write(
    bundle: Bundle,
    contract: Made,
    inferred: { readonly procedures: number; readonly warnings: readonly Finding[] },
    writes: boolean,
    { began, typed }: { readonly began: number; readonly typed: number },
  ): Promise<Generated> {
    const { output } = this.#settings;
    this.inputs = bundle.inputs;
    const ready = performance.now();
    const pending = join(this.#outDir, 'client.ts');
    rmSync(pending, { force: true });
    const failed = await this.#runner.run(bundle, pending);
    this.#bundler.discard(bundle);
    if (failed !== undefined) return { ok: false, run: failed };
    const after = textOf(pending);
    if (after === undefined) {
      const title = 'it wrote no client: call generateClientFile(process.argv[2]), and await it';
      return { ok: false, run: { title, frames: [], details: '' } };
    }
    const client: Made = { file: output, before: textOf(output), after };
    if (writes) writeChanged(output, after);
    const times = { types: typed - began, build: ready - typed, run: performance.now() - ready };
    return { ok: true, client, contract, ...inferred, times };
  }

  async #infer(
    changed: readonly string[],
  ): Promise<
    | { text: string | undefined; procedures: number; warnings: readonly Finding[] }
    | { findings: readonly Finding[] }
  > {
    if (!this.#contract.canInfer()) return { text: undefined, procedures: 0, warnings: [] };
    try {
      const { text, types } = await this.#contract.infer(changed);
      return { text, procedures: Object.keys(types.procedures).length, warnings: types.warnings };
    } catch (error) {
      if (error instanceof InferenceError) return { findings: error.findings };
      throw error;
    }
  }
}

function restore({ file, before }: Made): void {
  if (before === undefined) rmSync(file, { force: true });
  else writeChanged(file, before);
}
