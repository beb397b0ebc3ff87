// One generation: infer → contract → build → run → client. Whatever fails, the files keep their last good text.
import { existsSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Message } from 'esbuild';
import type { Finding } from '../../framework/client-gen/compiler.js';
import { InferenceError, type InferredTypes } from '../../framework/client-gen/infer-types.js';
import type { BuildResult, Bundle, Bundler } from '../dev/bundler.js';
import { createInterruption, createPatience, type Interruption } from '../dev/interruption.js';
import type { AppError } from '../dev/messages.js';
import type { ClientMaker, MadeClient } from './client-maker.js';
import type { ContractSource } from './contract.js';
import { left } from './run-entry.js';
import type { GenerateSettings } from './settings.js';
import { unusedContract } from './unused-contract.js';
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
  /** Undefined where nothing can be inferred. */
  readonly types: InferredTypes | undefined;
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
  /** Folders of linked packages that it loads as they are. */
  linked: readonly string[] = [];
  #wasGood = false;
  readonly #patience = createPatience();
  #step: Interruption = createInterruption();
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

  /** Leaves the app's program: for a newer change, unless those come without end, or because this is the end. */
  leave(isEnd = false): void {
    this.#step.leave(isEnd ? 0 : this.#patience.due);
  }

  /** @param writes false leaves every file of the app as it was. */
  async run(changed: readonly string[], writes: boolean, events: GenerationEvents = {}): Promise<Generated> {
    const heard = [...this.#unheard, ...changed];
    this.#unheard = [];
    this.#wasGood = false;
    this.#step = createInterruption();
    const began = performance.now();
    const result = await this.#generate(heard, writes, events);
    this.#step.done();
    if (wasLeft(result)) this.#patience.cutShort();
    else this.#patience.finished(performance.now() - began);
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
    const built = await building;
    if ('findings' in inferred) {
      if (built.ok) this.#bundler.discard(built.bundle);
      return { ok: false, ...inferred };
    }
    const contract = made(this.#settings.contract, inferred.text);
    const isStale = contract.after !== undefined && contract.after !== contract.before;
    // What was inferred from broken code is not worth keeping. The contract itself may be what is broken.
    const broken = built.ok ? [] : built.errors.filter((one) => !isStale || !isAbout(one, contract));
    if (broken.length > 0) return { ok: false, build: broken };
    let isKept = false;
    try {
      const whole = isStale ? await this.#buildWith(contract, built, events) : built;
      if (!isStale) events.onContract?.(false);
      if (!whole.ok) return { ok: false, build: whole.errors };
      const times = { began, typed };
      const result = await this.#write(whole.bundle, contract, inferred, writes ? events : undefined, times);
      // Whoever asked for the contract works with it already.
      isKept = writes && (result.ok || events.onContract !== undefined);
      return result;
    } finally {
      if (isStale && !isKept) this.#restore(contract, events);
    }
  }

  /** A contract that is imported is part of the build. */
  async #buildWith(contract: Made, built: BuildResult, events: GenerationEvents): Promise<BuildResult> {
    if (built.ok) this.#bundler.discard(built.bundle);
    this.#save(contract.file, contract.after ?? '', events);
    events.onContract?.(true);
    return this.#bundler.build([contract.file]);
  }

  #restore({ file, before }: Made, events: GenerationEvents): void {
    if (before === undefined) rmSync(file, { force: true });
    else this.#save(file, before, events);
  }

  async #write(
    bundle: Bundle,
    contract: Made,
    { types }: Inferred,
    /** Undefined where nothing is to be written. */
    events: GenerationEvents | undefined,
    { began, typed }: { readonly began: number; readonly typed: number },
  ): Promise<Generated> {
    this.inputs = bundle.inputs;
    this.linked = bundle.linked;
    const ready = performance.now();
    const client = await this.#maker.make(bundle, types?.places ?? {}, this.#step);
    this.#bundler.discard(bundle);
    if ('failed' in client) return { ok: false, run: client.failed };
    for (const { file, before, after } of events ? client.files : []) {
      if (after !== undefined && after !== before) this.#save(file, after, events);
    }
    const times = { types: typed - began, build: ready - typed, run: performance.now() - ready };
    const procedures = Object.keys(types?.procedures ?? {}).length;
    const warnings = [...(types?.warnings ?? []), ...(await this.#unused(types, client))];
    return { ok: true, client, contract, procedures, warnings, times };
  }

  async #unused(types: InferredTypes | undefined, client: MadeClient): Promise<Finding[]> {
    const { contract } = this.#settings;
    if (types === undefined) return existsSync(contract) ? [notInferred(contract)] : [];
    if (client.types.after === undefined) return [];
    const unused = await unusedContract(types, client.types.after, contract);
    return unused === undefined ? [] : [unused];
  }

  #save(file: string, text: string, events: GenerationEvents | undefined): void {
    events?.onWrite?.(file, text);
    writeChanged(file, text);
    this.#unheard.push(file);
  }

  async #infer(changed: readonly string[]): Promise<Inferred | { findings: readonly Finding[] }> {
    if (!this.#contract.canInfer()) return { text: undefined, types: undefined };
    try {
      return await this.#contract.infer(changed);
    } catch (error) {
      if (error instanceof InferenceError) return { findings: error.findings };
      throw error;
    }
  }
}

/** It came to nothing because nobody waits for it any more. */
export function wasLeft(result: Generated): boolean {
  return !result.ok && 'run' in result && result.run === left;
}

function notInferred(contract: string): Finding {
  return {
    place: { file: contract, line: 1, column: 1 },
    message:
      'the types of handlers are those of the last time: the app has no TypeScript, or no tsconfig.json; ' +
      'npm install --save-dev typescript',
  };
}

/** Whether an error of a build is gone once the contract is written. */
function isAbout({ text, location }: Message, { file }: Made): boolean {
  const name = basename(file);
  return location?.file.endsWith(name) === true || text.includes(name);
}
