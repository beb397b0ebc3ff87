// A port that another program holds on all addresses.
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkUnanswered, isAnswered, whyTaken } from './port-free.js';

const servers: net.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listening(host: string): Promise<number> {
  const server = net.createServer((socket) => socket.destroy());
  servers.push(server);
  await once(server.listen(0, host), 'listening');
  return (server.address() as AddressInfo).port;
}

async function unused(): Promise<number> {
  const port = await listening('127.0.0.1');
  await new Promise((closed) => servers.pop()?.close(closed));
  return port;
}

describe.each(['darwin', 'win32'] as const)('on %s', (platform) => {
  it.each(['0.0.0.0', '127.0.0.1'])(
    'a port is taken if a program answers that listens on %s',
    async (host) => {
      const port = await listening(host);
      expect(await isAnswered(port, platform)).toBe(true);
      expect(await whyTaken(port, '127.0.0.1', platform)).toMatchObject({
        code: 'EADDRINUSE',
        message: `another program answers on port ${port}`,
      });
      await expect(checkUnanswered(port, platform)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    },
  );

  it('a port is taken if a program answers that listens on IPv6 alone', async ({ skip }) => {
    const port = await listening('::1').catch(() => skip('this system has no IPv6'));
    expect(await isAnswered(port, platform)).toBe(true);
  });

  it('a port is free if nobody answers', async () => {
    const port = await unused();
    expect(await isAnswered(port, platform)).toBe(false);
    expect(await whyTaken(port, '127.0.0.1', platform)).toBeUndefined();
  });

  it('leaves no connection to the program that answers', async () => {
    const server = net.createServer();
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const closed: Promise<unknown>[] = [];
    server.on('connection', (socket) => closed.push(once(socket.resume(), 'close')));
    expect(await isAnswered((server.address() as AddressInfo).port, platform)).toBe(true);
    await expect.poll(() => closed.length).toBe(1);
    await Promise.all(closed);
  });

  it('any port is free', async () => {
    expect(await isAnswered(0, platform)).toBe(false);
  });
});

it('on Linux, listening alone tells it', async () => {
  const port = await listening('127.0.0.1');
  expect(await isAnswered(port, 'linux')).toBe(false);
  expect(await whyTaken(port, '127.0.0.1', 'linux')).toMatchObject({ code: 'EADDRINUSE' });
});

it('gives the error of an address that is not of this machine', async () => {
  expect(await whyTaken(await unused(), '192.0.2.1', 'linux')).toMatchObject({ code: 'EADDRNOTAVAIL' });
});
