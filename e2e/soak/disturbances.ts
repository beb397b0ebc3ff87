// What is done to the app while clients use it, one thing in each round.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account.js';
import type { Caller } from './caller.js';
import type { DisturbanceLog, Effect } from './disturbance-log.js';
import type { RudeClients } from './rude-clients.js';
import type { Scene } from './scene.js';

export interface Stage {
  readonly scene: Scene;
  readonly rude: RudeClients;
  readonly log: DisturbanceLog;
  /** Asks for the first good answer after a disturbance. */
  readonly visitor: { readonly account: Account; readonly caller: Caller };
}

interface Disturbance {
  readonly name: string;
  readonly effects: readonly Effect[];
  /** @param ms how long it goes on, where that can be chosen */
  disturb(stage: Stage, ms: number): Promise<void>;
}

const HOUR_MS = 3_600_000;

export const DISTURBANCES: readonly Disturbance[] = [
  {
    name: 'a process is killed',
    effects: ['breaks'],
    async disturb({ scene: { processes } }) {
      // The youngest: the other one lives as long as the run does, and shows what is slow to rise.
      const victim = (await processes.complete()).at(-1);
      if (victim === undefined) throw new Error('there is no worker to kill');
      process.kill(victim, 'SIGKILL');
      while (processes.workers().includes(victim)) await sleep(20);
      await processes.complete();
    },
  },
  {
    name: 'PostgreSQL is cut',
    effects: ['failures'],
    async disturb({ scene: { toPostgres } }, ms) {
      toPostgres.goAway();
      await sleep(ms);
      toPostgres.comeBack();
    },
  },
  {
    name: 'Redis is cut',
    effects: ['failures'],
    async disturb({ scene: { toRedis } }, ms) {
      toRedis.goAway();
      await sleep(ms);
      toRedis.comeBack();
    },
  },
  {
    name: 'Redis restarts, empty',
    effects: ['failures'],
    async disturb({ scene: { redis } }, ms) {
      await redis.stop();
      await sleep(ms);
      await redis.start();
    },
  },
  {
    name: 'clients are slow, deaf or leave',
    effects: [],
    disturb: ({ rude }, ms) => rude.visit(ms),
  },
  {
    name: 'the clock jumps an hour ahead, and back',
    // Tokens are older than they were.
    effects: ['expiry'],
    async disturb({ scene: { processes } }, ms) {
      await processes.setClock(HOUR_MS);
      await sleep(ms);
      await processes.setClock(0);
    },
  },
];

/** Disturbs, and waits for the first good answer on a new connection. */
export async function disturb(which: Disturbance, stage: Stage, ms: number): Promise<void> {
  const { log, visitor } = stage;
  const entry = log.begin(which.name, which.effects);
  await which.disturb(stage, ms);
  const ended = performance.now();
  entry.to = ended;
  for (let status = 0; status !== 200; ) {
    // It asks so seldom that its token may have expired since the last time.
    const call = { path: '/tasks', headers: visitor.account.headers, expected: [200, 401] };
    ({ status } = await visitor.caller.call('first good answer', call));
    visitor.caller.close();
    if (status === 401) await visitor.account.renew();
    if (status !== 200) await sleep(20);
  }
  entry.recoveredMs = performance.now() - ended;
}
