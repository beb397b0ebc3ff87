// Random dialogues over raw sockets, while each callback of the application misbehaves in turn: the process lives, and
// answers. `FW_SEED` repeats a run, `FW_DIALOGUES` makes it longer.
import { afterEach, expect, it, vi } from 'vitest';
import { type Dialogue, makeDialogue } from './dialogues/dialogue.js';
import { type Misbehaviour, waysOf } from './dialogues/misbehaviour.js';
import { POINTS } from './dialogues/points.js';
import { Random } from './dialogues/random.js';
import { talk } from './dialogues/talk.js';
import { TrialProcess } from './dialogues/trial-process.js';

const seed = Number(process.env.FW_SEED ?? Date.now() % 1_000_000);
const wanted = Number(process.env.FW_DIALOGUES ?? 1_000);
/** Dialogues at the same time, with one misbehaviour. */
const AT_ONCE = 4;
/** Far more than an answer takes, on a busy machine too. */
const ANSWER_MS = 10_000;
const patient = { timeout: 60_000, interval: 50 };
/** Far more than it takes to reach every callback. */
const MOST_VISITS = 400;
/** The most times as long as usual that a client stays which visits a callback. */
const MOST_PATIENCE = 40;

let trial: TrialProcess | undefined;
afterEach(() => trial?.kill());

/** Every callback once before one has its second turn, each time in another way. */
function* misbehaviours(random: Random): Generator<Misbehaviour> {
  const ways = new Map(Object.keys(POINTS).map((point) => [point, random.shuffled(waysOf(point))]));
  for (let round = 0; ; round += 1) {
    for (const [point, all] of random.shuffled([...ways])) {
      yield { point, way: all[round % all.length] ?? 'throws' };
    }
  }
}

async function isAnswered(port: number, path: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { Connection: 'close' },
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  expect(await response.text()).toBe('plain');
}

/** The callbacks that no dialogue has reached yet. */
async function unseenPoints(running: TrialProcess): Promise<string[]> {
  const { runs = {} } = await running.order({ report: true });
  return Object.keys(POINTS).filter((point) => runs[point] === undefined);
}

/**
 * Random dialogues rarely reach a callback that needs several steps, or another one beside it that never ends.
 *
 * @param patience that of the clients: on a busy machine, they would have left before the callback runs
 */
async function visit(running: TrialProcess, random: Random, point: string, patience: number): Promise<void> {
  const paths = POINTS[point] ?? /./;
  const beside = Object.keys(POINTS).filter((other) => POINTS[other]?.source === paths.source);
  const misbehaving = random.pick(beside);
  const way = random.maybe(0.5) ? 'never ends' : random.pick(waysOf(misbehaving));
  await running.order({ misbehave: { point: misbehaving, way } });
  const dialogues = Array.from({ length: AT_ONCE }, () =>
    makeDialogue(random, (target) => paths.test(target)),
  );
  await Promise.all(dialogues.map((one) => talk(running.ports[one.server], one, patience)));
  await running.order({ misbehave: null });
}

const shown = ({ server, pieces, pause, end, stayMs }: Dialogue): string =>
  JSON.stringify({
    server,
    pause,
    end,
    stayMs,
    pieces: pieces.map((one) => one.toString('latin1').slice(0, 400)),
  });

it('random dialogues with an application that misbehaves do not end the process', {
  timeout: 3_600_000,
}, async () => {
  console.info(`FW_SEED=${seed} FW_DIALOGUES=${wanted}`);
  const random = new Random(seed);
  const running = await TrialProcess.start();
  trial = running;
  const next = misbehaviours(random);
  for (let count = 0; count < wanted; count += AT_ONCE) {
    const misbehaviour = next.next().value as Misbehaviour;
    const paths = POINTS[misbehaviour.point] ?? /./;
    const dialogues = Array.from({ length: AT_ONCE }, () =>
      makeDialogue(random, (target) => paths.test(target)),
    );
    try {
      await running.order({ misbehave: misbehaviour });
      await Promise.all(dialogues.map((one) => talk(running.ports[one.server], one)));
      const { own, timed, mounting, foreign } = running.ports;
      const ports: [number, string][] = [
        [own, '/plain'],
        [timed, '/plain'],
        [mounting, '/in/plain'],
        [foreign, '/plain'],
      ];
      await Promise.all(ports.map(([port, path]) => isAnswered(port, path)));
    } catch (error) {
      const { point, way } = misbehaviour;
      const how = `FW_SEED=${seed}, after ${count} dialogues: '${point}' ${way}\n${dialogues.map(shown).join('\n')}`;
      throw new Error(`${how}\n${running.written}`, { cause: error });
    }
  }
  await running.order({ misbehave: null });
  // By their number, not by the time that they take, which is long on a busy machine.
  let unseen = await unseenPoints(running);
  for (let visits = 1; unseen.length > 0 && visits <= MOST_VISITS; visits += 1) {
    for (const point of unseen) await visit(running, random, point, Math.min(visits, MOST_PATIENCE));
    unseen = await unseenPoints(running);
  }
  expect(unseen, `FW_SEED=${seed}`).toEqual([]);
  await vi.waitFor(
    async () => expect((await running.order({ report: true })).openSockets).toEqual([]),
    patient,
  );
  await running.order({ misbehave: { point: 'onClose', way: 'throws' } });
  await running.order({ close: true });
  expect(await running.ended()).toBe(0);
});
