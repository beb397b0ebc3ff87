import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { TestClient } from '../testing/index.js';
import { subscribe } from '../tracing/index.js';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fw-unreadable-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('a file without read permission', () => {
  /** The superuser can read every file. */
  async function unprivileged(run: () => Promise<void>): Promise<void> {
    if (process.getuid?.() !== 0) return run();
    process.seteuid?.(65_534);
    try {
      await run();
    } finally {
      process.seteuid?.(0);
    }
  }

  // A thread cannot change the user, and Stryker runs the tests in one.
  it.runIf(isMainThread)(
    'is answered with 404, and its error is published on the error channel',
    async () => {
      writeFileSync(join(dir, 'a.txt'), 'one');
      writeFileSync(join(dir, 'b.js'), 'plain');
      writeFileSync(join(dir, 'b.js.br'), 'coded');
      chmodSync(dir, 0o755);
      for (const name of ['a.txt', 'b.js.br']) chmodSync(join(dir, name), 0);
      const client = new TestClient(new App().serveStatic('/f', dir));
      // Loads the code that serves files before the user is changed, because it may belong to another user.
      (await client.get('/f/b.js')).assertText('plain');
      const errors: unknown[] = [];
      const stop = subscribe(({ fields }) => errors.push((fields.error as Error).message));
      await unprivileged(async () => {
        const answer = await client.get('/f/a.txt');
        answer.assertStatus(404).assertJson({ error: 'NotFound', message: 'no file for /f/a.txt' });
        (await client.get('/f/b.js', { headers: { 'Accept-Encoding': 'br' } })).assertText('plain');
      });
      stop();
      expect(errors).toContainEqual(expect.stringMatching(/^EACCES: permission denied, .*a\.txt'$/));
      expect(errors).toContainEqual(expect.stringMatching(/^EACCES: permission denied, .*b\.js\.br'$/));
    },
  );
});
