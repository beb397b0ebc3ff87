// One generation: infer → contract → build → run → client. Whatever fails, the files keep their last good text.
import { rmSync } from 'node:fs';
import type { Message } from 'esbuild';
import type { Finding } from '../../framework/client-gen/compiler.js';
import { InferenceError } from '../../framework/client-gen/infer-types.js';
import type { Bundle, Bundler } from '../dev/bundler.js';
import type { AppError } from '../dev/messages.js';
import type { ClientMaker, MadeClient } from './client-maker.js';
import type { ContractSource } from './contract.js';
import type { FoundPlaces } from './declared-client.js';
import type { GenerateSettings } from './settings.js';
import { type Made, made, writeChanged } from './write-changed.js';

export type Generated =
  | {
      readonly ok: true;
      readonly client: MadeClient;
      readonly contract: Made;
      readonly procedures: number;
      readonly warnings: readonly Finding[];
      readonly times: Readonly<Record<'types' | 'build' | 'run', number>>;
    }
  | { readonly ok: false; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly build: readonly Message[] }
  | { readonly ok: false; readonly run: AppError };

/** What a generation knows of the app's procedures before it runs anything. */
interface Inferred {
  readonly text: string | undefined;
  readonly places: FoundPlaces;
  readonly procedures: number;
  readonly warnings: readonly Finding[];
}

/** For whoever must know of a generation before it is done. */
export interface GenerationEvents {
  /** A file is about to be written. */
  onWrite?(file: string, text: string): void;
  /** The contract is as it should be. */
  onContract?(isWritten: boolean): void;
}

export class Generation {
  readonly #settings: GenerateSettings;
  readonly #bundler: Bundler;
  readonly #contract: ContractSource;
  readonly #maker: ClientMaker;

  constructor(settings: GenerateSettings, bundler: Bundler, contract: ContractSource, maker: ClientMaker) {
    this.#settings = settings;
    this.#bundler = bundler;
    this.#contract = contract;
    this.#maker = maker;
  }

  /** Sources of the last build, for a watcher. */
  inputs: readonly string[] = [];
  #wasGood = false;
  /** Changes that no generation has heard of: its own files, and what did not concern it. */
  #unheard: string[] = [];

  /** False where these files leave the client as the last generation left it. */
  concerns(changed: readonly string[]): boolean {
    const isConcerned =
      !this.#wasGood ||
      changed.some((file) => this.inputs.includes(file)) ||
      this.#contract.isReachedBy(changed);
    if (!isConcerned) this.#unheard.push(...changed);
    return isConcerned;
  }

  /** @param writes false leaves every file of the app as it was. */
  async run(changed: readonly string[], writes: boolean, events: GenerationEvents = {}): Promise<Generated> {
    const heard = [...this.#unheard, ...changed];
    this.#unheard = [];
    this.#wasGood = false;
    const result = await this.#generate(heard, writes, events);
    this.#wasGood = result.ok;
    return result;
  }

  async #generate(changed: readonly string[], writes: boolean, events: GenerationEvents): Promise<Generated> {
    const began = performance.now();
    // esbuild works in a process of its own while types are inferred in this one.
    const building = this.#bundler.build([...changed]);
    building.catch(() => {});
    const inferred = await this.#infer(changed);
    const typed = performance.now();
    let built = await building;
    if ('findings' in inferred) {
      if (built.ok) this.#bundler.discard(built.bundle);
      return { ok: false, ...inferred };
    }
    const { contract: file } = this.#settings;
    const contract = made(file, inferred.text);
    const isStale = contract.after !== undefined && contract.after !== contract.before;
    // A contract that is imported is part of the build.
    if (isStale && contract.after !== undefined) {
      if (built.ok) this.#bundler.discard(built.bundle);
      this.#save(file, contract.after, events);
      events.onContract?.(true);
      built = await this.#bundler.build([file]);
    } else {
      events.onContract?.(false);
    }
    try {
      if (!built.ok) return { ok: false, build: built.errors };
      return await this.#write(built.bundle, contract, inferred, writes ? events : undefined, {
        began,
        typed,
      });
    } finally {
      if (isStale && !writes) restore(contract);
    }
  }

  async #write(
    bundle: Bundle,
    contract: Made,
    { places, procedures, warnings }: Inferred,
    /** Undefined where nothing is to be written. */
    events: GenerationEvents | undefined,
    { began, typed }: { readonly began: number; readonly typed: number },
  ): Promise<Generated> {
    this.inputs = bundle.inputs;
    const ready = performance.now();
    const client = await this.#maker.make(bundle, places);
    this.#bundler.discard(bundle);
    if ('failed' in client) return { ok: false, run: client.failed };
    for (const { file, before, after } of events ? client.files : []) {
      if (after !== undefined && after !== before) this.#save(file, after, events);
    }
    const times = { types: typed - began, build: ready - typed, run: performance.now() - ready };
    return { ok: true, client, contract, procedures, warnings, times };
  }

  #save(file: string, text: string, events: GenerationEvents | undefined): void {
    events?.onWrite?.(file, text);
    writeChanged(file, text);
    this.#unheard.push(file);
  }

  async #infer(changed: readonly string[]): Promise<Inferred | { findings: readonly Finding[] }> {
    if (!this.#contract.canInfer()) return { text: undefined, places: {}, procedures: 0, warnings: [] };
    try {
      const { text, types } = await this.#contract.infer(changed);
      const { places, procedures, warnings } = types;
      return { text, places, procedures: Object.keys(procedures).length, warnings };
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
