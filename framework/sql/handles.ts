// What an App needs to know of the handles of both toolkits, without their packages.
import { isPromise } from '../promises.js';

/** A Kysely. */
export interface KyselyHandle {
  getExecutor(): unknown;
  destroy(): Promise<void>;
}

/** A database of Drizzle. */
export interface DrizzleHandle {
  readonly $client: object;
  readonly _: object;
}

/** How long the end of a pool may take: a query that hangs would keep it open. */
const CLOSE_MS = 5_000;

/** Closes a pool of pg or mysql2, or a client of SQLite. */
export async function closeClient(client: object): Promise<void> {
  const { end, close } = client as { end?: unknown; close?: unknown };
  if (typeof end !== 'function') {
    if (typeof close === 'function') await close.call(client);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    // The pools of mysql2 call back, its promise pools return a promise, and those of pg do either.
    const result: unknown = end.call(client, (error?: unknown) =>
      error ? reject(error as Error) : resolve(),
    );
    if (isPromise(result)) result.then(() => resolve(), reject);
  });
}

/** @throws Error if it takes too long. */
export async function closeInTime(close: () => unknown): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`the database did not close within ${CLOSE_MS} ms: a query is still running`);
    timer = setTimeout(() => reject(error), CLOSE_MS);
  });
  try {
    await Promise.race([close(), late]);
  } finally {
    clearTimeout(timer);
  }
}
