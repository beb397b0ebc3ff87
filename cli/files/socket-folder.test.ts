// Sockets where the path of the folder for temporary files is long.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makePipeFolder, pipeIn, removePipeFolder } from '../dev/workbench/workbench-server.js';
import { listenOnPipe } from '../dev/worker/own-port.js';
import { socketFolder } from './socket-folder.js';

function longFolder(): string {
  const above = mkdtempSync(join(tmpdir(), 'fw-long-'));
  const folder = join(above, 'x'.repeat(90));
  mkdirSync(folder);
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(above, { recursive: true });
  });
  return folder;
}

it('is the usual folder as long as the path fits, counted in bytes', () => {
  const above = mkdtempSync(join(tmpdir(), 'fw-'));
  onTestFinished(() => rmSync(above, { recursive: true }));
  const made = (name: string): string => {
    mkdirSync(join(above, name));
    return join(above, name);
  };
  const fits = made('x'.repeat(50));
  const room = 103 - Buffer.byteLength(fits) - 1;
  expect(socketFolder('a'.repeat(room), fits)).toBe(fits);
  expect(socketFolder('a'.repeat(room + 1), fits)).toBe('/tmp');
  expect(socketFolder('a'.repeat(room), made('ä'.repeat(30)))).toBe('/tmp');
});

it('is another one if the usual folder is not there', () => {
  expect(socketFolder('a.sock', '/no/such/folder')).toBe('/tmp');
});

it('lets an app listen on a pipe that no file is left of', async () => {
  const folder = longFolder();
  const server = net.createServer();
  onTestFinished(() => void server.close());
  const address = { address: '127.0.0.1', family: 'IPv4', port: 3000 };
  await new Promise<void>((settle, reject) => {
    server.once('error', reject);
    listenOnPipe({ server, args: [], port: 3000, host: undefined, done: undefined }, address, settle);
  });
  expect(server.listening).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});

it.skipIf(process.platform === 'win32')('gives the page of fw dev a pipe', () => {
  longFolder();
  const made = makePipeFolder();
  expect(Buffer.byteLength(pipeIn(made))).toBeLessThanOrEqual(103);
  expect(dirname(made)).toBe('/tmp');
  removePipeFolder(made);
});
