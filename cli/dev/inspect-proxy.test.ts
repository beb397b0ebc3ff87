import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { CliError } from '../terminal/errors.js';
import { openInspectProxy } from './inspect-proxy.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server that says its name. */
async function listen(port = 0, name = ''): Promise<number> {
  const server = net.createServer((socket) => socket.end(name));
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', done);
  });
  closing.push(() => new Promise((done) => server.close(done)));
  return (server.address() as AddressInfo).port;
}

/** What answers there; empty if the connection is closed at once. */
async function answer(port: number): Promise<string> {
  let text = '';
  const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
  socket.on('data', (part) => {
    text += part;
  });
  await new Promise((done) => socket.once('close', done));
  return text;
}

/** Two ports in a row, both in use. */
async function twoInARow(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const first = await listen();
    if (first > 65_000) continue;
    try {
      await listen(first + 1);
      return first;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error('there are no two free ports in a row');
}

describe('the port of --inspect', () => {
  it('leads to the inspector of the worker that runs, and nowhere while there is none', async () => {
    let target: number | undefined;
    const proxy = await openInspectProxy(0, () => target);
    closing.push(() => proxy?.close());
    const port = proxy?.port ?? 0;
    expect(await answer(port)).toBe('');
    target = await listen(0, 'one');
    expect(await answer(port)).toBe('one');
    target = await listen(0, 'two');
    expect(await answer(port)).toBe('two');
  });

  it('is closed at the end, with the debuggers that are attached', async () => {
    const worker = net.createServer((socket) => socket.write('attached')).listen(0, '127.0.0.1');
    await once(worker, 'listening');
    const proxy = await openInspectProxy(0, () => (worker.address() as AddressInfo).port);
    const client = net.connect(proxy?.port ?? 0, '127.0.0.1');
    await once(client, 'data');
    const closed = once(client, 'close');
    proxy?.close();
    await closed;
    // Ends only if the other half of the connection has ended, too.
    await new Promise((done) => worker.close(done));
    await listen(proxy?.port);
  });

  it('is not opened without the option', async () => {
    expect(await openInspectProxy(undefined, () => undefined)).toBeUndefined();
  });

  it('that is in use is an error, which names one that is free', async () => {
    const port = await twoInARow();
    const error = await openInspectProxy(port, () => undefined).catch((thrown: unknown) => thrown);
    if (!(error instanceof CliError)) throw new Error('it was opened');
    expect(error.message).toMatch(new RegExp(`^the inspector's port ${port} is in use`));
    const named = Number(/choose another: fw dev --inspect (\d+)$/.exec(error.help ?? '')?.[1]);
    expect(named).toBeGreaterThan(port + 1);
    expect(await listen(named)).toBe(named);
  });

  it('that is in use or not permitted below 1024 is an error, which names one above', async () => {
    const port = 1023;
    // Systems without a permission for it refuse it here, and to the debugger.
    await listen(port).catch(() => {});
    const error = await openInspectProxy(port, () => undefined).catch((thrown: unknown) => thrown);
    if (!(error instanceof CliError)) throw new Error('it was opened');
    expect(Number(/choose another: fw dev --inspect (\d+)$/.exec(error.help ?? '')?.[1])).toBeGreaterThan(
      9228,
    );
  });

  it('that cannot be opened for another reason is an error that gives it', async () => {
    const error = await openInspectProxy(70_000, () => undefined).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/70000/);
  });
});
