// The process of the frontend's dev server, with small programs in the place of Vite.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { allGone } from '../../../e2e/dev-session.js';
import { freePort } from '../../../e2e/free-port.js';
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

function make(program: string, port = 5173): void {
  const file = join(folder, 'vite.mjs');
  writeFileSync(file, program);
  server = new FrontendServer({
    settings: { root: folder, folder, allowed: [], port, program: file },
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
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await server.close(60_000);
  const left = vi.getTimerCount();
  vi.useRealTimers();
  expect(left).toBe(0);
  await allGone([pid]);
  expect(ends).toEqual([]);
  server.start();
  expect(server.isRunning).toBe(false);
});

it('is killed if fw dev ends before it has, and is forgotten afterwards', async () => {
  const before = process.listeners('exit');
  make("process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000);");
  await expect.poll(() => lines).toEqual(['web │ up']);
  const pid = server.pid as number;
  const closed = server.close(600_000);
  // What a second Ctrl+C does.
  for (const end of process.listeners('exit').filter((one) => !before.includes(one))) end(130);
  await closed;
  await allGone([pid]);
  expect(process.listeners('exit')).toEqual(before);
});

it('answers nobody at its own port but fw dev, which has the key', async () => {
  const port = await freePort();
  make(
    `import http from 'node:http';
    http.createServer((request, response) => response.end('page ' + request.headers['fw-frontend']))
      .listen(${port}, '127.0.0.1', () => console.log('up'));`,
    port,
  );
  await expect.poll(() => lines).toEqual(['web │ up']);
  const ask = (headers: Record<string, string>): Promise<string> =>
    new Promise((resolve, reject) => {
      http
        .get({ host: '127.0.0.1', port, headers }, (response) => {
          response.setEncoding('utf8').once('data', (text) => resolve(`${response.statusCode} ${text}`));
        })
        .on('error', reject);
    });
  expect(await ask({ 'fw-frontend': 'k' })).toBe('200 page undefined');
  for (const headers of [{}, { 'fw-frontend': '' }, { 'fw-frontend': 'x' }, { 'fw-frontend': 'kk' }])
    expect(await ask(headers)).toMatch(/^403 This is the dev server behind fw dev/);
});

it('is killed if it does not end', async () => {
  make("process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000);");
  await expect.poll(() => lines).toEqual(['web │ up']);
  const pid = server.pid as number;
  await server.close(50);
  await allGone([pid]);
});
