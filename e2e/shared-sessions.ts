// Two processes share the sessions of browsers.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { cookieOf, json, statusOf } from './http-calls.js';
import type { RunningApp } from './running-app.js';

/** A session that one process has begun is known to the other. */
export async function sharesSessions(running: RunningApp, url: string, credentials: object): Promise<void> {
  const first = await fetch(url);
  const csrf = cookieOf(first, 'csrf');
  const headers = { cookie: `csrf=${csrf}`, 'x-csrf-token': csrf, 'content-type': 'application/json' };
  const signedIn = await fetch(`${url}/session`, { ...json(credentials), headers });
  expect(signedIn.status).toBe(204);
  const cookie = `sid=${cookieOf(signedIn, 'sid')}`;
  const pids = new Set<number>();
  // Whichever process is free takes a connection: with eight at a time, each soon has one.
  for (let attempt = 0; pids.size < 2; attempt++) {
    expect(attempt, 'one process has answered everything').toBeLessThan(50);
    const ids = Array.from({ length: 8 }, (): string => randomUUID());
    const statuses = ids.map((id) => statusOf(`${url}/me`, { cookie, 'x-request-id': id }));
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
    const answers = await running.when(() => {
      const found = running
        .lines()
        .filter((line) => ids.includes(String(line.request_id)) && 'status' in line);
      return found.length === ids.length ? found : undefined;
    }, 'what it has answered');
    for (const { pid } of answers) pids.add(pid);
  }
}
