import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../terminal/errors.js';
import { assertAnswers, givenAddress, runningAddress } from './fuzz-target.js';

describe('a given address', () => {
  it.each([
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://127.9.9.9:3000/', 'http://127.9.9.9:3000'],
    ['HTTP://LOCALHOST', 'http://localhost'],
    ['https://[::1]:8443', 'https://[::1]:8443'],
    // As browsers read it.
    ['http://0x7f.1:80', 'http://127.0.0.1'],
  ])('%s is on this machine', (text, origin) => {
    expect(givenAddress(text, false)).toBe(origin);
  });

  it.each([
    'http://example.org',
    'http://10.0.0.1:3000',
    'http://0.0.0.0:3000',
    'http://[::]:3000',
    'http://127.0.0.1.example.org',
    'http://localhost.example.org',
    'http://127.example',
  ])('%s is not, and needs the permission', (text) => {
    expect(() => givenAddress(text, false)).toThrow(UsageError);
    expect(() => givenAddress(text, false)).toThrow('is not on this machine');
    expect(givenAddress(text, true)).toBe(text);
  });

  it.each([
    ['localhost:3000', "'localhost:3000' is not the address of a server"],
    ['ftp://127.0.0.1', 'is not the address of a server'],
    ['http://', 'is not the address of a server'],
    ['', "'' is not the address of a server"],
    ['http://127.0.0.1/api', "the address 'http://127.0.0.1/api' has a path"],
    ['http://127.0.0.1/?a=1', 'has a path'],
    [
      'http://127.0.0.1:6000',
      'http://127.0.0.1:6000 cannot be called: browsers and fetch refuse to open that port',
    ],
  ])('%j is wrong usage', (text, says) => {
    expect(() => givenAddress(text, true)).toThrow(UsageError);
    expect(() => givenAddress(text, true)).toThrow(says);
  });

  it('has no password, which is not shown', () => {
    expect(() => givenAddress('http://ada:secret@127.0.0.1', false)).toThrow(
      /^the address has a user or a password$/,
    );
  });
});

describe('the server', () => {
  it('must answer, with whatever status', async () => {
    const server = createServer((_, response) => void response.writeHead(503).end('no'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const address = `http://127.0.0.1:${port}`;
    await expect(assertAnswers(address)).resolves.toBeUndefined();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(assertAnswers(address)).rejects.toThrow(
      `no server answers at ${address}: connect ECONNREFUSED`,
    );
  });

  it('is that of fw dev without an address, if one answers', async () => {
    const root = mkdtempSync(join(tmpdir(), 'fw-fuzz-'));
    const remedy = {
      message: `fw dev does not run in ${root}`,
      help: expect.stringContaining('npm run dev'),
    };
    await expect(runningAddress(root, false)).rejects.toMatchObject(remedy);
    const server = createServer((_, response) => void response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const folder = join(root, `node_modules/.fw/dev-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'address'), `http://127.0.0.1:${port}`);
    expect(await runningAddress(root, false)).toBe(`http://127.0.0.1:${port}`);
    // A `fw dev` that is open to others is not called without the permission.
    const open = `http://0.0.0.0:${port}`;
    writeFileSync(join(folder, 'address'), open);
    await expect(runningAddress(root, false)).rejects.toThrow(`${open} is not on this machine`);
    expect(await runningAddress(root, true)).toBe(open);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(runningAddress(root, false)).rejects.toMatchObject(remedy);
    rmSync(root, { recursive: true });
  });
});
