// Several processes behind one port: one for each processor does the work, and the one that started them watches.
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';

const drain = 'drain';
const restartMs = 1000;

/**
 * Starts the workers, replaces those that die, and resolves when all have drained after `until`.
 * @throws Error if a worker ends before one of them listens: what keeps it from starting will not go away by itself
 */
export async function runWorkers(
  count: number,
  until: Promise<unknown>,
  log: Pick<Log, 'info' | 'error'>,
): Promise<void> {
  // Each worker accepts connections itself. By default Node accepts them here and hands them over: those on their way to
  // a worker that dies would never be answered nor closed.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let isDraining = false;
  let hasStarted = false;
  const start = (): void => {
    // One that has just died cannot be told anything: its exit comes next.
    cluster.fork().on('error', (err) => log.error({ err }, 'a message to a worker was lost'));
  };
  const failed = new Promise<never>((_resolve, reject) => {
    cluster.on('listening', () => {
      hasStarted = true;
    });
    cluster.on('exit', (worker, code, signal) => {
      if (isDraining) return;
      if (!hasStarted) {
        reject(new Error(`a worker has ended with ${signal ?? code} before it listened`));
        return;
      }
      log.error({ worker: worker.process.pid, code, signal }, 'a worker has ended; another one replaces it');
      // Not at once: a worker that dies while it starts must not keep the machine busy.
      setTimeout(() => !isDraining && start(), restartMs);
    });
  });
  for (let number = 0; number < count; number++) start();
  try {
    await Promise.race([until, failed]);
  } finally {
    isDraining = true;
    await Promise.all(workers().map(end));
  }
}

/**
 * Drains a worker, by a message: Ctrl+C sends its signal to all processes of a terminal, and a second signal would end
 * them at once.
 */
async function end(worker: Worker): Promise<void> {
  const exit = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve());
  });
  if (worker.isConnected()) worker.send(drain);
  const giveUp = new AbortController();
  // Longer than everything in the worker may take.
  const late = sleep(60_000, undefined, { signal: giveUp.signal }).then(
    () => worker.process.kill('SIGKILL'),
    () => {},
  );
  await exit;
  giveUp.abort();
  await late;
}

/** In a worker: resolves when the process that started it wants it to drain. */
export function drainRequested(): Promise<void> {
  return new Promise((resolve) => {
    if (!cluster.isWorker) return;
    process.on('message', (message) => message === drain && resolve());
  });
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((worker) =>
    worker === undefined || worker.isDead() ? [] : [worker],
  );
}
