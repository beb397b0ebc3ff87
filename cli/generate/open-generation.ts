// What all generations of one app share: the compiler, the incremental build, and the warm process.

import { existsSync } from 'node:fs';
import { InferenceError } from '../../framework/client-gen/inferred-types.js';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import { makeOutDir, removeOutDir } from '../bundle/bundle-folder.js';
import { Bundler } from '../bundle/bundler.js';
import { loadEsbuild } from '../bundle/load-esbuild.js';
import { readEnvironment } from '../process/environment.js';
import { CliError } from '../terminal/errors.js';
import { pathsOf } from './client-files.js';
import { ClientMaker } from './client-maker.js';
import { ContractSource, type Inferred } from './contract.js';
import { type GenerateSettings, noOutput } from './generate-settings.js';
import { contractOf, type Generated, Generation, type GenerationEvents } from './generation.js';
import { EntryRunner } from './run-entry.js';
import { StoredInference } from './stored/stored-inference.js';
import { writeChanged } from './write-changed.js';

export interface OpenGeneration {
  readonly generation: Generation | ContractGeneration;
  close(): Promise<void>;
}

/**
 * @param again whether there will be more than one run; then a warm process is kept ready
 * @param fresh whether types are inferred although nothing has changed since the last command
 * @throws CliError if it cannot start
 */
export async function openGeneration(
  settings: GenerateSettings,
  again: boolean,
  fresh: boolean = again,
): Promise<OpenGeneration> {
  const outDir = makeOutDir(settings.root);
  const { client } = settings;
  const outputs = client === undefined ? [] : pathsOf(client.files);
  const stored = again ? undefined : new StoredInference(settings.root, settings.contract, outputs);
  if (fresh) stored?.forget();
  const contract = new ContractSource(settings.root, settings.contract, again, stored);
  if (client === undefined) {
    return {
      generation: new ContractGeneration(settings, contract),
      async close() {
        contract.close();
        removeOutDir(outDir);
      },
    };
  }
  // Its process starts while this one loads the compiler.
  const runner = new EntryRunner(settings, client, outDir, again);
  try {
    // What takes longest comes first, unless a watcher has to see what changes while the compiler reads the program.
    if (!again) await contract.begin();
    const esbuild = await loadEsbuild(settings.root);
    const bundler = new Bundler(
      esbuild,
      settings.root,
      () => client.entry,
      outDir,
      () => readEnvironment(settings.root),
    );
    const maker = new ClientMaker(client.files, runner, esbuild, outDir);
    return {
      generation: new Generation(settings, bundler, contract, maker),
      async close() {
        contract.close();
        runner.close();
        await bundler.dispose();
        removeOutDir(outDir);
      },
    };
  } catch (error) {
    contract.close();
    runner.close();
    removeOutDir(outDir);
    throw error;
  }
}

/**
 * One generation for an app without procedures: only the contract, which has what documents say about its routes.
 */
export class ContractGeneration {
  readonly #settings: GenerateSettings;
  readonly #contract: ContractSource;
  #wasGood = false;
  /** There is no bundle. */
  readonly inputs: readonly AbsolutePath[] = [];
  readonly linked: readonly AbsolutePath[] = [];

  constructor(settings: GenerateSettings, contract: ContractSource) {
    this.#settings = settings;
    this.#contract = contract;
  }

  /** False if changes of these files cannot change the contract. */
  concerns(changed: readonly AbsolutePath[]): boolean {
    return !this.#wasGood || this.#contract.isReachedBy(changed);
  }

  /** There is no program to cancel. */
  cancel(): void {}

  /**
   * @param writes if false, every file of the app is left unchanged
   * @throws UsageError for an app with procedures, CliError for an app without a document of its routes
   */
  async run(
    changed: readonly AbsolutePath[],
    writes: boolean,
    events: GenerationEvents = {},
  ): Promise<Generated> {
    this.#wasGood = false;
    const began = performance.now();
    const inferred = await this.#infer(changed);
    if ('findings' in inferred) return { ok: false, ...inferred };
    const contract = contractOf(this.#settings.contract, inferred);
    const { file, before, after } = contract;
    if (writes && after !== undefined && after !== before) {
      events.onWrite?.(file, after);
      await writeChanged(file, after);
    }
    events.onContract?.(after !== undefined && after !== before);
    this.#wasGood = true;
    const client = { files: [], types: { file, before: undefined, after: undefined } };
    const times = { types: performance.now() - began, build: 0, run: 0 };
    const { isStored } = this.#contract;
    this.#contract.store();
    return { ok: true, client, contract, procedures: 0, warnings: inferred.types.warnings, isStored, times };
  }

  async #infer(
    changed: readonly AbsolutePath[],
  ): Promise<Inferred | { findings: InferenceError['findings'] }> {
    if (!this.#contract.canInfer()) throw noOutput();
    try {
      const inferred = await this.#contract.infer(changed);
      if (Object.keys(inferred.types.places).length > 0) throw noOutput();
      if (inferred.text === undefined && !existsSync(this.#settings.contract)) {
        throw new CliError(
          'there is nothing to generate: the app has neither procedures nor a document of routes',
          {
            help: "describe routes by openApiFromApp(app, { contract, … }), or give --output and create src/generate-client.ts for a client's procedures",
          },
        );
      }
      return inferred;
    } catch (error) {
      if (error instanceof InferenceError) return { findings: error.findings };
      throw error;
    }
  }
}
