// A process is killed while it adds tasks and works on jobs: what was acknowledged must be there.
import pg from 'pg';
import { expect } from 'vitest';
import { json, patience, statusOf } from './http-calls.js';
import type { Webhooks } from './receivers.js';
import type { RunningApp } from './running-app.js';

export interface Scene {
  readonly running: RunningApp;
  readonly url: string;
  readonly token: string;
  /** The process to kill. */
  readonly victim: number;
  readonly webhooks: Webhooks;
}

/**
 * Adds tasks by eight clients at once, and kills a process while jobs are at work and connections come in. Gives the ids
 * of added tasks.
 */
export async function killUnderLoad({ running, url, token, victim, webhooks }: Scene): Promise<string[]> {
  const acknowledged: string[] = [];
  let isKilled = false;
  async function client(): Promise<void> {
    for (let after = 0; after < 25; ) {
      const id = await addTask(url, token);
      if (isKilled) after++;
      if (id !== undefined) acknowledged.push(id);
    }
  }
  const clients = Promise.all(Array.from({ length: 8 }, client));
  // Each process takes ten jobs at once: with more than that both are at work.
  await webhooks.until(() => (webhooks.held > 12 ? true : undefined));
  // One that does not run any more and is not known to be dead must get no new connections: nobody would answer them.
  process.kill(victim, 'SIGSTOP');
  const newcomers = Array.from({ length: 8 }, () => statusOf(`${url}/health/live`));
  await Promise.any(newcomers);
  process.kill(victim, 'SIGKILL');
  isKilled = true;
  expect(new Set(await Promise.all(newcomers))).toEqual(new Set([200]));
  await clients;
  webhooks.release();
  const [death] = await running.says('a worker has ended; another one replaces it');
  expect(death).toMatchObject({ worker: victim, signal: 'SIGKILL' });
  await running.says(`listening on ${url}`, 3);
  return acknowledged;
}

/** The id of the task, or undefined if the connection has broken before the answer: that is not an acknowledgement. */
async function addTask(url: string, token: string): Promise<string | undefined> {
  const { headers, ...request } = json({ title: 'Buy milk' });
  try {
    const authorization = `Bearer ${token}`;
    const answer = await fetch(`${url}/tasks`, {
      ...request,
      headers: { ...headers, authorization },
      signal: AbortSignal.timeout(patience),
    });
    const { id } = (await answer.json()) as { id?: string };
    return answer.status === 201 ? id : undefined;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Every task has its row, and its webhook was delivered. */
export async function isStored(
  ids: readonly string[],
  databaseUrl: string,
  webhooks: Webhooks,
): Promise<void> {
  await webhooks.until(() => (ids.every((id) => webhooks.keys.has(id)) ? true : undefined));
  // What the killed process was at was done again, under the same key.
  const again = await webhooks.until(() => [...webhooks.keys.values()].find((keys) => keys.length > 1));
  expect(new Set(again).size).toBe(1);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query('select id from tasks');
  await client.end();
  const stored = new Set(rows.map(({ id }) => id));
  expect(ids.filter((id) => !stored.has(id))).toEqual([]);
}
