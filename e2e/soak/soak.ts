// The run: rounds of traffic with a disturbance in each, and after each round everything is compared.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Image } from '../dockerfile.js';
import { Account } from './account.js';
import { Caller } from './caller.js';
import { DevBeside } from './dev-beside.js';
import { DisturbanceLog } from './disturbance-log.js';
import { DISTURBANCES, disturb, type Stage } from './disturbances.js';
import { type Reading, risen } from './flatness.js';
import { Ledger } from './ledger.js';
import { Listener } from './listener.js';
import { type EventCounts, LiveAccount } from './live-account.js';
import { Records } from './records.js';
import { RudeClients } from './rude-clients.js';
import { Scene } from './scene.js';
import { table } from './table.js';
import { TaskClient } from './task-client.js';

export interface SoakOptions {
  /** The app as it was scaffolded, for `fw dev`; and as it is deployed. */
  readonly app: string;
  readonly image: Image;
  readonly minutes: number;
  /** How long there is traffic in each round. */
  readonly roundSeconds: number;
  /** What is broken on purpose after the first round. */
  readonly sabotages: readonly string[];
  say(line: string): void;
}

const CLIENTS = 4;
const LISTENERS = 2;
/** Between two requests of a client: the machine has other things to do. */
const THINK_MS = 15;
/** How long events may take after the last write: Redis is tried again every two seconds. */
const SETTLE_MS = 30_000;

export interface SoakResult {
  readonly table: string;
  readonly faults: readonly string[];
}

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const scene = await Scene.start(options.image);
  const run = new Run(scene, options);
  let ended: Awaited<ReturnType<Scene['end']>>;
  try {
    await run.rounds();
  } catch (error) {
    // What the app has printed says why.
    run.broke(error);
  } finally {
    await run.leave();
    ended = await scene.end();
  }
  return run.result(ended.output, ended.exit);
}

class Run {
  readonly #scene: Scene;
  readonly #options: SoakOptions;
  readonly #records = new Records();
  readonly #log = new DisturbanceLog();
  readonly #ledger = new Ledger();
  readonly #events: EventCounts = { expected: 0, received: 0, reportedMissed: 0, twice: 0 };
  readonly #clients: TaskClient[];
  readonly #listeners: Listener[];
  readonly #readings = new Map<number, Reading[]>();
  readonly #young = new Set<number>();
  readonly #stage: Stage;
  #dev: DevBeside | undefined;
  #kills = 0;

  constructor(scene: Scene, options: SoakOptions) {
    this.#scene = scene;
    this.#options = options;
    const caller = (): Caller => new Caller(scene.url, this.#records, this.#log);
    this.#clients = Array.from({ length: CLIENTS }, (_, i) => {
      const own = caller();
      return new TaskClient(`client ${i}`, new Account(own, i), own, this.#ledger, new LiveAccount());
    });
    const live = `${scene.url.replace('http', 'ws')}/live`;
    this.#listeners = this.#clients.flatMap(({ account, live: { heard } }, i) =>
      Array.from({ length: LISTENERS }, (_, j) => {
        const listener = new Listener(`listener ${i}.${j}`, live, account);
        heard.push(listener.heard);
        return listener;
      }),
    );
    const own = caller();
    const visitor = { account: new Account(own, CLIENTS), caller: own };
    const rude = new RudeClients(scene.port, visitor.account);
    this.#stage = { scene, rude, log: this.#log, visitor };
  }

  broke(error: unknown): void {
    this.#records.fault(`the run has broken off: ${error instanceof Error ? error.stack : String(error)}`);
  }

  async rounds(): Promise<void> {
    const { app, minutes, say } = this.#options;
    const end = performance.now() + minutes * 60_000;
    this.#dev = await DevBeside.start(app, this.#records);
    for (const { account } of [...this.#clients, this.#stage.visitor]) await account.signUp();
    await Promise.all(this.#listeners.map((listener) => listener.start()));
    let said = 0;
    // Each disturbance once, whatever the time; the first round warms up.
    for (let round = 0; round <= DISTURBANCES.length || performance.now() < end; round++) {
      const which = round === 0 ? undefined : DISTURBANCES[(round - 1) % DISTURBANCES.length];
      await this.#round(which);
      if (round === 0) for (const what of this.#options.sabotages) await this.#sabotage(what);
      const { faults, total } = this.#records;
      say(`${which?.name ?? 'warming up'}: ${total} requests so far, ${faults.length} faults`);
      for (const fault of faults.slice(said)) say(fault);
      said = faults.length;
    }
  }

  async leave(): Promise<void> {
    await this.#dev?.end();
    await Promise.all(this.#listeners.map((listener) => listener.leave()));
    for (const { caller } of [...this.#clients, this.#stage.visitor]) caller.close();
  }

  result(output: string, exit: readonly unknown[]): SoakResult {
    for (const [pid, readings] of this.#readings) {
      for (const fault of risen(`process ${pid}`, readings)) this.#records.fault(fault);
    }
    const deaths = output.split('a worker has ended').length - 1;
    if (deaths !== this.#kills) {
      const lines = output.split('\n').filter((line) => line.includes('a worker has ended'));
      const last = [...lines, output.slice(-4_000)].join('\n');
      this.#records.fault(`${deaths} workers have ended, and ${this.#kills} were killed: ${last}`);
    }
    if (exit[0] !== 0)
      this.#records.fault(`the app has ended with ${exit.join(' ')}: ${output.slice(-2_000)}`);
    const { faults } = this.#records;
    const reconnects = this.#listeners.reduce((sum, one) => sum + one.reconnects, 0);
    const told = this.#listeners.reduce((sum, one) => sum + one.heard.missedReports, 0);
    const text = table({
      records: this.#records,
      log: this.#log,
      ledger: this.#ledger,
      events: this.#events,
      reconnects,
      missedReports: told,
      saves: this.#dev?.reached ?? [],
      readings: this.#readings,
    });
    return { table: text, faults };
  }

  async #round(which: (typeof DISTURBANCES)[number] | undefined): Promise<void> {
    const ms = this.#options.roundSeconds * 1_000;
    const until = performance.now() + ms;
    const traffic = Promise.all(this.#clients.map((client) => this.#drive(client, until)));
    if (which !== undefined) {
      if (which.name.includes('killed')) this.#kills += 1;
      await sleep(ms / 6);
      await disturb(which, this.#stage, ms / 4);
    }
    await traffic;
    await this.#settle();
    await this.#compare();
    await this.#read();
  }

  async #drive(client: TaskClient, until: number): Promise<void> {
    while (performance.now() < until) {
      await client.step();
      await sleep(THINK_MS);
    }
    client.caller.close();
  }

  async #settle(): Promise<void> {
    const giveUpAt = performance.now() + SETTLE_MS;
    const isSettled = (): boolean => this.#clients.every(({ live }) => live.isSettled());
    while (!isSettled() && performance.now() < giveUpAt) await sleep(50);
    // What comes twice comes now.
    await sleep(1_000);
  }

  async #compare(): Promise<void> {
    // Those of a client that has sent a byte at a time.
    const rows = (await this.#scene.rows()).filter(({ title }) => title !== 'slow');
    const unanswered = this.#ledger.unanswered(rows);
    for (const fault of this.#ledger.check(rows)) this.#records.fault(fault);
    for (const { live } of this.#clients) {
      for (const fault of live.check(this.#events, unanswered)) this.#records.fault(fault);
    }
  }

  /** A process that has started in this round warms up. */
  async #read(): Promise<void> {
    const { processes } = this.#scene;
    const isFirst = this.#readings.size === 0;
    for (const pid of [processes.primary, ...(await processes.complete())]) {
      const readings = this.#readings.get(pid);
      if (readings === undefined && !isFirst && !this.#young.has(pid)) {
        this.#young.add(pid);
        continue;
      }
      this.#readings.set(pid, [...(readings ?? []), await processes.read(pid)]);
    }
  }

  async #sabotage(what: string): Promise<void> {
    const { processes } = this.#scene;
    const [deaf] = this.#listeners;
    if (what === 'write') await this.#scene.removeOne();
    else if (what === 'event' && deaf !== undefined) deaf.deaf = 1;
    else await processes.leak((await processes.complete())[0] ?? 0, what);
  }
}
