// The process of the frontend's dev server, with small programs in the place of Vite.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { allGone } from '../../../e2e/dev-session.js';
import { FrontendServer } from './frontend-server.js';

let folder: string;
let server: FrontendServer;
let lines: string[];
let ends: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fw-frontend-'));
  lines = [];
  ends = [];
});
afterEach(async () => {
  await server.close(0);
  rmSync(folder, { recursive: true });
});

function make(program: string): void {
  const file = join(folder, 'vite.mjs');
  writeFileSync(file, program);
  server = new FrontendServer({
    settings: { root: folder, folder, allowed: [], port: 5173, program: file },
    key: 'k',
    env: { ...process.env, OWN: 'yes' },
    label: 'web │ ',
    useColors: false,
    print: (line) => lines.push(line),
    onEnd: (how) => ends.push(how),
  });
  server.start();
}

it('labels what it prints, but for its own address and empty lines', async () => {
  make(`console.log('ready', process.env.OWN, process.argv.slice(2).join(' '));
    console.log('\\n  \\u001b[32m➜\\u001b[39m  Local:   http://127.0.0.1:5173/');
    console.error('a warning'); setInterval(() => {}, 1000);`);
  await expect.poll(() => lines.length).toBe(2);
  expect(lines.sort()).toEqual([
    'web │ a warning',
    'web │ ready yes --port 5173 --strictPort --host 127.0.0.1 --clearScreen false',
  ]);
});

it('keeps colors, but no other control characters', async () => {
  make(
    `console.log('\\u001b[32mok\\u001b[39m\\t\\u001b]0;title\\u0007 \\u001b[2J'); setInterval(() => {}, 1000);`,
  );
  await expect.poll(() => lines).toEqual(['web │ \u001b[32mok\u001b[39m\t\\x1b]0;title\\x07 \\x1b[2J']);
});

it('tells that it has ended, and can be started again', async () => {
  make('process.exit(3);');
  await expect.poll(() => ends).toEqual(['exited with code 3']);
  expect(server.isRunning).toBe(false);
  server.start();
  await expect.poll(() => ends.length).toBe(2);
});

it('is not started twice, and tells nothing of an end that was asked for', async () => {
  make("console.log('up'); setInterval(() => {}, 1000);");
  server.start();
  await expect.poll(() => lines).toEqual(['web │ up']);
  const pid = server.pid as number;
  await server.close(60_000);
  await allGone([pid]);
  expect(ends).toEqual([]);
  server.start();
  expect(server.isRunning).toBe(false);
});

it('is killed if it does not end', async () => {
  make("process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000);");
  await expect.poll(() => lines).toEqual(['web │ up']);
  const pid = server.pid as number;
  await server.close(50);
  await allGone([pid]);
});
