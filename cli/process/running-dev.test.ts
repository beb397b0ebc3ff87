import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeOutDirOf, runningAddresses } from './running-dev.js';

const root = mkdtempSync(join(tmpdir(), 'fw-running-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folder = (pid: number): string => {
  const path = join(root, 'node_modules', '.fw', `dev-${pid}`);
  mkdirSync(path, { recursive: true });
  return path;
};

it('gives the address of a fw dev that runs, and of no other', () => {
  expect(runningAddresses(root)).toEqual([]);
  expect(makeOutDirOf(root, 'http://127.0.0.1:3000')).toBe(folder(process.pid));
  // Above what systems give.
  writeFileSync(join(folder(999_999_999), 'address'), 'http://127.0.0.1:3001');
  expect(runningAddresses(root)).toEqual(['http://127.0.0.1:3000']);
});

it('gives the newest one first', async () => {
  const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  await once(other, 'spawn');
  const pids = [process.pid, other.pid as number].sort((a, b) => b - a);
  for (const pid of pids)
    writeFileSync(join(folder(pid), 'address'), `http://127.0.0.1:${3000 + (pid % 1000)}`);
  expect(runningAddresses(root)).toEqual(pids.map((pid) => `http://127.0.0.1:${3000 + (pid % 1000)}`));
  rmSync(folder(other.pid as number), { recursive: true });
  other.stdin.end();
  await once(other, 'close');
});

it.each(['--version', 'http://a/ -x', 'file:///etc/passwd', 'http://a/b?c', '', 'javascript:1'])(
  'does not believe %j',
  (text) => {
    writeFileSync(join(folder(process.pid), 'address'), text);
    expect(runningAddresses(root)).toEqual([]);
  },
);
