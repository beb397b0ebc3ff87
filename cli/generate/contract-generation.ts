// One generation for an app without procedures: only the contract, which has what documents say about its routes.
import { existsSync } from 'node:fs';
import { InferenceError } from '../../framework/client-gen/inferred-types.js';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import { CliError } from '../terminal/errors.js';
import type { ContractSource, Inferred } from './contract.js';
import { type GenerateSettings, noOutput } from './generate-settings.js';
import { contractOf, type Generated, type GenerationEvents } from './generation.js';
import { writeChanged } from './write-changed.js';

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
