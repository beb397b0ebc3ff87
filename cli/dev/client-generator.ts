// Keeps the client in step with the cycle: what to generate for a change, how long the cycle waits for that.
import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome } from '../generate/outcome.js';
import { OwnWrites } from '../generate/own-writes.js';
import type { GenerateSettings } from '../generate/settings.js';
import { CliError } from '../ui/errors.js';
import type { Change } from './change.js';
import type { ClientReport } from './client-report.js';
import { clientEntry } from './client-settings.js';
import type { Generating } from './generating.js';
import { GeneratorProcess } from './generator-process.js';
import { changesEnvironment } from './watch-scope.js';

export interface ClientGeneratorOptions {
  root: string;
  /** Undefined where there is no client to keep. Asked again whenever that may have changed. */
  settle(): GenerateSettings | undefined;
  report: ClientReport;
  /** Sources that the client is made from. */
  onInputs(files: string[]): void;
  /** A contract that no cycle waited for: the server is to be built with it. */
  onLateContract(files: string[]): void;
  /** How long new code is kept from answering for the sake of the client, in milliseconds. */
  patience?: number;
  start?(settings: GenerateSettings): Pick<GeneratorProcess, 'alive' | 'generate' | 'newer' | 'end'>;
}

export interface ClientGenerator {
  /** Begins with a first generation, for which nobody waits. */
  start(): void;
  /** Undefined where the cycle has nothing to wait for. */
  generate(change: Change): Generating | undefined;
  /** True for a file that still holds what was generated. */
  isOwn(file: string): boolean;
  close(): Promise<void>;
}

/** One generation, whose answer may be waited for while another one is still under way. */
interface Round {
  readonly written: Promise<readonly string[]>;
  readonly outcome: Promise<Outcome>;
  tell(written: readonly string[]): void;
  end(outcome: Outcome): void;
}

const unaffected: Outcome = { ok: true, isUnaffected: true };

export function createClientGenerator(options: ClientGeneratorOptions): ClientGenerator {
  const { root, report, patience = 3000 } = options;
  const startProcess = options.start ?? ((settled: GenerateSettings) => new GeneratorProcess(settled));
  const own = new OwnWrites();
  const changed = new Set<string>();
  let settings = settle();
  let generator: ReturnType<typeof startProcess> | undefined;
  let running: Round | undefined;
  let next: Round | undefined;
  let isStarted = false;
  let isStuck = false;

  function start(): void {
    if (isStarted) return;
    isStarted = true;
    if (settings) later(order([]));
  }

  function generate(change: Change): Generating | undefined {
    if (!isStarted) return undefined;
    if (change.environment || change.files.includes(clientEntry(root))) reopen();
    const files = change.files.filter((file) => !own.has(file));
    if (!settings || (files.length === 0 && !change.environment)) return undefined;
    const round = order(files);
    // Settings and packages seldom change a client, and a new compiler takes its time.
    const isWorthIt = files.some((file) => !changesEnvironment(file, root));
    if (isWorthIt && !isStuck) return awaited(round);
    later(round);
    return undefined;
  }

  function settle(): GenerateSettings | undefined {
    try {
      return options.settle();
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      report.note(`client: ${error.message}${error.help ? `: ${error.help}` : ''}`);
      return undefined;
    }
  }

  /** With the settings, variables and packages as they are now. */
  function reopen(): void {
    void generator?.end();
    generator = undefined;
    settings = settle();
    if (settings) return;
    next?.end(unaffected);
    next = undefined;
  }

  function awaited(round: Round): Generating {
    const late = delay(patience, undefined, { ref: false });
    const done = Promise.race([round.outcome, late]).then((outcome) => {
      if (outcome) return report.take(outcome);
      isStuck = true;
      report.note(`client: not generated after ${patience / 1000} s, the server goes ahead`);
      later(round);
    });
    const settled = Promise.race([round.written.then(() => {}), late]);
    return { sources: settings ? [settings.contract] : [], settled, done };
  }

  /** For a generation that no cycle waits for. */
  function later(round: Round): void {
    void round.outcome.then(async (outcome) => {
      if (!isStarted) return;
      report.take(outcome);
      report.show();
      const written = await round.written;
      if (written.length > 0) options.onLateContract([...written]);
    });
  }

  function order(files: readonly string[]): Round {
    for (const file of files) changed.add(file);
    next ??= newRound();
    const round = next;
    if (running && files.length > 0) generator?.newer();
    advance();
    return round;
  }

  function advance(): void {
    if (running || !next || !settings || !isStarted) return;
    const round = next;
    next = undefined;
    running = round;
    const files = [...changed];
    changed.clear();
    if (!generator?.alive) generator = startProcess(settings);
    const from = generator;
    const events = {
      onWrites: (file: string, text: string) => own.note(file, text),
      onContract: round.tell,
      onInputs: (inputs: readonly string[]) => options.onInputs([...inputs]),
    };
    void from.generate(files, events).then((outcome) => {
      running = undefined;
      isStuck = false;
      // One that was ended for another has nothing to say.
      round.end(from === generator ? outcome : unaffected);
      advance();
    });
  }

  return {
    start,
    generate,
    isOwn: (file) => own.has(file),
    async close() {
      isStarted = false;
      await generator?.end();
    },
  };
}

function newRound(): Round {
  let tell: Round['tell'] = () => {};
  let end: Round['end'] = () => {};
  const written = new Promise<readonly string[]>((settle) => {
    tell = settle;
  });
  const outcome = new Promise<Outcome>((settle) => {
    end = settle;
  });
  void outcome.then(() => tell([]));
  return { written, outcome, tell, end };
}
