// One generation: infer → contract → build → run → client. After a failure, the files keep their previous content.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Message } from 'esbuild';
import type { Finding } from '../../framework/client-gen/compiler/compiler.js';
import { InferenceError, type InferredTypes } from '../../framework/client-gen/inferred-types.js';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import { retryBusy } from '../../framework/files/retry-busy.js';
import { contractText, isOfThisVersion } from '../../framework/rpc/contract/contract-text.js';
import { printComment } from '../../framework/wire/print/print-typescript.js';
import type { ProcedureTypes, WireType } from '../../framework/wire/wire-type.js';
import type { BuildResult, Bundle, Bundler } from '../bundle/bundler.js';
import { addCommand } from '../manager/package-manager.js';
import type { AppError } from '../process/messages.js';
import { Cancellation, CancelTiming } from '../watch/cancellation.js';
import type { ClientMaker, MadeClient } from './client-maker.js';
import type { ContractSource } from './contract.js';
import type { GenerateSettings } from './generate-settings.js';
import { cancelled } from './run-entry.js';
import { type Made, made, writeChanged } from './write-changed.js';

export type Generated =
  | {
      readonly ok: true;
      readonly client: MadeClient;
      readonly contract: Made;
      readonly procedures: number;
      readonly warnings: readonly Finding[];
      /** Whether the types are those of an earlier command. */
      readonly isStored: boolean;
      readonly times: Readonly<Record<'types' | 'build' | 'run', number>>;
    }
  | { readonly ok: false; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly build: readonly Message[] }
  | { readonly ok: false; readonly run: AppError };

/** What is known about the app's procedures before its program runs. */
interface Inferred {
  readonly text: string | undefined;
  /** Undefined if types cannot be inferred. */
  readonly types: InferredTypes | undefined;
}

/** Events during a generation. */
export interface GenerationEvents {
  /** A file is about to be written. */
  onWrite?(file: AbsolutePath, text: string): void;
  /** The contract is up to date. */
  onContract?(isWritten: boolean): void;
  /** What is done from now on, for people who wait. */
  onStep?(text: string): void;
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
  inputs: readonly AbsolutePath[] = [];
  /** Folders of linked packages that are not bundled. */
  linked: readonly AbsolutePath[] = [];
  #wasGood = false;
  readonly #cancelTiming = new CancelTiming();
  #cancellation: Cancellation = new Cancellation();
  /** Changes that no generation has taken into account: files that it wrote, and changes that did not concern it. */
  #unheard: AbsolutePath[] = [];

  /** False if changes of these files cannot change the client. */
  concerns(changed: readonly AbsolutePath[]): boolean {
    const isConcerned =
      !this.#wasGood ||
      changed.some((file) => this.inputs.includes(file)) ||
      this.#contract.isReachedBy(changed);
    if (!isConcerned) this.#unheard.push(...changed);
    return isConcerned;
  }

  /** Cancels the app's program: for a newer change, later if changes are continuous, or because the command ends. */
  cancel(isEnd = false): void {
    this.#cancellation.cancel(isEnd ? 0 : this.#cancelTiming.delay);
  }

  /** @param writes if false, every file of the app is left unchanged */
  async run(
    changed: readonly AbsolutePath[],
    writes: boolean,
    events: GenerationEvents = {},
  ): Promise<Generated> {
    const heard = [...this.#unheard, ...changed];
    // A program may also read what is neither bundled nor code.
    if (changed.length === 0 || !heard.every((file) => this.#isCode(file))) this.#maker.forget();
    this.#unheard = [];
    this.#wasGood = false;
    this.#cancellation = new Cancellation();
    const began = performance.now();
    const result = await this.#generate(heard, writes, events);
    this.#cancellation.done();
    if (wasCancelled(result)) this.#cancelTiming.cancelled();
    else this.#cancelTiming.finished(performance.now() - began);
    this.#wasGood = result.ok;
    return result;
  }

  async #generate(
    changed: readonly AbsolutePath[],
    writes: boolean,
    events: GenerationEvents,
  ): Promise<Generated> {
    const began = performance.now();
    // esbuild works in another process while types are inferred in this one.
    const building = this.#bundler.build([...changed]);
    building.catch(() => {});
    const inferred = await this.#infer(changed, building, events);
    const typed = performance.now();
    events.onStep?.('Building the program that writes the client');
    const built = await building;
    if ('findings' in inferred) {
      if (built.ok) this.#bundler.discard(built.bundle);
      return { ok: false, ...inferred };
    }
    const contract = contractOf(this.#settings.contract, inferred);
    const isStale = contract.after !== undefined && contract.after !== contract.before;
    // Types that were inferred from broken code are not written. But the contract itself may cause the errors.
    const broken = built.ok ? [] : built.errors.filter((one) => !isStale || !isAbout(one, contract));
    if (broken.length > 0) return { ok: false, build: broken };
    let isKept = false;
    try {
      const whole = isStale ? await this.#buildWith(contract, built, events) : built;
      if (!isStale) events.onContract?.(false);
      if (!whole.ok) return { ok: false, build: whole.errors };
      events.onStep?.('Running the program that writes the client');
      const times = { began, typed };
      const result = await this.#write(whole.bundle, contract, inferred, writes ? events : undefined, times);
      // A subscriber of `onContract` already uses the new contract.
      isKept = writes && (result.ok || events.onContract !== undefined);
      return result;
    } finally {
      if (isStale && !isKept) await this.#restore(contract, events);
    }
  }

  /** Writes the contract and builds again, because the contract is part of the build. */
  async #buildWith(contract: Made, built: BuildResult, events: GenerationEvents): Promise<BuildResult> {
    if (built.ok) this.#bundler.discard(built.bundle);
    await this.#save(contract.file, contract.after ?? '', events);
    this.#maker.forget();
    events.onContract?.(true);
    return this.#bundler.build([contract.file]);
  }

  async #restore({ file, before }: Made, events: GenerationEvents): Promise<void> {
    if (before === undefined) await retryBusy(() => rm(file, { force: true }));
    else await this.#save(file, before, events);
  }

  async #write(
    bundle: Bundle,
    contract: Made,
    { types }: Inferred,
    /** Undefined if nothing is to be written. */
    events: GenerationEvents | undefined,
    { began, typed }: { readonly began: number; readonly typed: number },
  ): Promise<Generated> {
    this.inputs = bundle.inputs;
    this.linked = bundle.linked;
    const ready = performance.now();
    const making = this.#maker.make(bundle, types?.places ?? {}, this.#cancellation);
    // While the app's program runs, which is another process.
    await setImmediate();
    this.#contract.store();
    const client = await making;
    this.#bundler.discard(bundle);
    if ('failed' in client) return { ok: false, run: client.failed };
    for (const { file, before, after } of events ? client.files : []) {
      if (after !== undefined && after !== before) await this.#save(file, after, events);
    }
    const times = { types: typed - began, build: ready - typed, run: performance.now() - ready };
    const procedures = Object.keys(types?.procedures ?? {}).length;
    const unused = await this.#unused(types, client);
    const warnings = [...(types?.warnings ?? []), ...unused, ...withoutRunTime(client.types)];
    const { isStored } = this.#contract;
    return { ok: true, client, contract, procedures, warnings, isStored, times };
  }

  /** Whether the program gets the content of a file through its bundle. */
  #isCode(file: AbsolutePath): boolean {
    return /\.[cm]?[jt]sx?$/.test(file) || file === this.#settings.contract;
  }

  async #unused(types: InferredTypes | undefined, client: MadeClient): Promise<Finding[]> {
    const { contract } = this.#settings;
    if (types === undefined) return existsSync(contract) ? [notInferred(contract)] : [];
    if (client.types.after === undefined) return [];
    const unused = await unusedContract(types, client.types.after, contract);
    return unused === undefined ? [] : [unused];
  }

  async #save(file: AbsolutePath, text: string, events: GenerationEvents | undefined): Promise<void> {
    events?.onWrite?.(file, text);
    await writeChanged(file, text);
    this.#unheard.push(file);
  }

  async #infer(
    changed: readonly AbsolutePath[],
    building: Promise<BuildResult>,
    events: GenerationEvents,
  ): Promise<Inferred | { findings: readonly Finding[] }> {
    if (!this.#contract.canInfer()) return { text: undefined, types: undefined };
    try {
      // The first inference takes long, and the build does not: the program's packages are loaded meanwhile, but not
      // while a compiler reads the program, which keeps all processors busy.
      const onFirst = async (open: () => void): Promise<void> => {
        const built = await building;
        open();
        if (built.ok) this.#maker.expect(built.bundle);
      };
      return await this.#contract.infer(changed, onFirst, (done, all) =>
        events.onStep?.(inferring(done, all)),
      );
    } catch (error) {
      if (error instanceof InferenceError) return { findings: error.findings };
      throw error;
    }
  }
}

/** A contract that is not needed any more stays as it is, unless it is of another version, which the app cannot read. */
export function contractOf(file: AbsolutePath, { text, types }: Inferred): Made {
  const contract = made(file, text);
  const isOfNoUse = contract.after === undefined && types !== undefined && contract.before !== undefined;
  if (!isOfNoUse || isOfThisVersion(contract.before ?? '')) return contract;
  return { ...contract, after: contractText({ procedures: {}, named: {} }) };
}

function inferring(done: number, all: number): string {
  return `Inferring the types of procedures, ${done} of ${all}`;
}

/** True if the generation was cancelled. */
export function wasCancelled(result: Generated): boolean {
  return !result.ok && 'run' in result && result.run === cancelled;
}

function notInferred(contract: AbsolutePath): Finding {
  return {
    place: { file: contract, line: 1, column: 1 },
    message:
      'the types of handlers were not inferred again: the app has no TypeScript, or no tsconfig.json; ' +
      addCommand(dirname(contract), 'typescript', { dev: true }),
  };
}

/** A client that imports its run time, in a folder that has no `fw`: nobody could import it. */
export function withoutRunTime({ file, after }: Pick<Made, 'file' | 'after'>): readonly Finding[] {
  const imported = after === undefined ? null : RUN_TIME.exec(after);
  if (imported === null || isFound('fw/client', file)) return [];
  const line = imported.input.slice(0, imported.index).split('\n').length;
  const message =
    'fw/client cannot be found from there: write a client that imports nothing, with --client standalone, ' +
    'or install fw in that project';
  return [{ place: { file, line, column: 1 }, message }];
}

const RUN_TIME = /^(?:import \{[^\n]*)?\} from 'fw\/client';$/m;

function isFound(name: string, from: string): boolean {
  try {
    createRequire(from).resolve(name);
    return true;
  } catch (error) {
    // With another code it is there, but not for `require`.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}

/** Whether an error of a build may be fixed by writing the contract. */
function isAbout({ text, location }: Message, { file }: Made): boolean {
  const name = basename(file);
  return location?.file.endsWith(name) === true || text.includes(name);
}

/**
 * @param client the text of the client, or of its declarations
 * @returns a warning for the first procedure whose inferred types, or whose comment, did not reach the client.
 */
export async function unusedContract(
  { procedures, places, notes }: InferredTypes,
  client: string,
  contract: string,
): Promise<Finding | undefined> {
  // The program may write any text. Parsing a client takes time, and few clients have a procedure of unknown types.
  if (!client.startsWith('// Generated by fw')) return undefined;
  const lost = Object.keys(notes).filter((name) => !hasComment(client, notes[name]?.description));
  const mayLackTypes = /\b(?:input|output): unknown\b/.test(procedureTable(client));
  if (lost.length === 0 && !mayLackTypes) return undefined;
  const { readClient } = await import('../../framework/client/read-client.js');
  const { procedures: known } = readClient(client);
  const unused = mayLackTypes ? lostTypes(procedures, known) : undefined;
  const name = unused ?? lost.find((one) => Object.hasOwn(known, one));
  const place = name === undefined ? undefined : places[name]?.[0];
  if (name === undefined || place === undefined) return undefined;
  const file = basename(contract);
  return {
    place,
    message:
      `${known[name]?.kind} '${name}' reached the client without its ${unused ? 'inferred types' : 'comment'}: ` +
      `its registry does not read ${file}; ` +
      `import contract from './${file}' with { type: 'json' }, and call loadContract(contract)`,
  };
}

/** The part with the types of each procedure: the client's own code has inputs of unknown types in any case. */
function procedureTable(client: string): string {
  const start = client.indexOf('interface FwRpcProcedures {');
  return start === -1 ? '' : client.slice(start, client.indexOf('\n}', start));
}

/** The first procedure whose inferred types the client does not have. */
function lostTypes(
  inferred: InferredTypes['procedures'],
  known: Readonly<Record<string, ProcedureTypes>>,
): string | undefined {
  const isLost = (one: WireType, reached: WireType | undefined): boolean =>
    one.kind !== 'unknown' && reached?.kind === 'unknown';
  const found = Object.entries(inferred).find(
    ([name, { input, output }]) => isLost(input, known[name]?.input) || isLost(output, known[name]?.output),
  );
  return found?.[0];
}

/** Whether the client has the first line of a comment. */
function hasComment(client: string, description: string | undefined): boolean {
  const [line = ''] = (description ?? '').split('\n');
  const printed = printComment(line, '').slice('/** '.length, -' */\n'.length);
  return client.includes(printed);
}
