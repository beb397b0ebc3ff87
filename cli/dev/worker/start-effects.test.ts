// What an app does before it listens is noted, with its place; what it only reads is not.
import { spawn } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import fs, {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { StartEffects } from './start-effects.js';

const folder = mkdtempSync(join(tmpdir(), 'fw-effects-'));
afterAll(() => rmSync(folder, { recursive: true }));

const inThisFile = (stack = '') => /start-effects\.test\.ts:\d+/.exec(stack)?.[0];

const kindsOf = async (work: () => unknown): Promise<string[]> => {
  const effects = StartEffects.watch(inThisFile);
  await work();
  return effects.end().map(({ kind }) => kind);
};

it('notes files that are written, however, and none that are read', async () => {
  const real = fs.writeFileSync;
  const effects = StartEffects.watch(inThisFile);
  writeFileSync(join(folder, 'a'), 'a');
  appendFileSync(join(folder, 'b'), 'b');
  closeSync(openSync(join(folder, 'c'), 'a', 0o600));
  await (await open(join(folder, 'd'), 'w')).close();
  await mkdir(join(folder, 'e'));
  readFileSync(join(folder, 'a'));
  closeSync(openSync(join(folder, 'a'), 'r'));
  closeSync(openSync(join(folder, 'a'), fs.constants.O_RDONLY));
  const noted = effects.end();
  expect(noted.map(({ path }) => path)).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => join(folder, name)));
  for (const { place } of noted) expect(place).toContain('start-effects.test.ts:');
  expect(fs.writeFileSync).toBe(real);
  expect(readFileSync(join(folder, 'b'), 'utf8')).toBe('b');
});

it('notes connections, processes and queries', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  expect(
    await kindsOf(async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
    }),
  ).toEqual(['connection']);
  server.close();
  expect(await kindsOf(() => once(spawn(process.execPath, ['-e', '']), 'exit'))).toContain('process');
  const query = diagnostics.channel('tracing:fw:query:start');
  expect(await kindsOf(() => query.publish({ sql: 'select 1' }))).toEqual(['query']);
});

it('notes timers that still run, and keep the process alive', async () => {
  const timers: NodeJS.Timeout[] = [];
  expect(
    await kindsOf(async () => {
      timers.push(setInterval(() => {}, 60_000));
      timers.push(setInterval(() => {}, 60_000).unref());
      clearTimeout(setTimeout(() => {}, 60_000));
      await wait(1);
    }),
  ).toEqual(['timer']);
  for (const timer of timers) clearInterval(timer);
});
