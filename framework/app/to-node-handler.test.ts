import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { FwErrorEvent } from '../tracing/error-channel.js';
import { App } from './app.js';
import { toNodeHandler } from './to-node-handler.js';

describe('toNodeHandler', () => {
  it('does not change a response that other middleware sent in the meantime', async () => {
    let cancelled = false;
    const cancel = () => {
      cancelled = true;
    };
    const app = new App()
      .get('/text', async () => 'too late')
      .get('/stream', async () => new Response(new ReadableStream({ cancel })));
    const handle = toNodeHandler(app);
    const server = createServer((incoming, outgoing) => {
      handle(incoming, outgoing);
      outgoing.writeHead(503).end('timed out');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const path of ['/text', '/stream', '/text']) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      expect([response.status, await response.text()]).toEqual([503, 'timed out']);
    }
    await expect.poll(() => cancelled).toBe(true);
    server.closeAllConnections();
    server.close();
  });

  it('cuts a response that was begun before it, runs nothing, and says so', async () => {
    let calls = 0;
    const handle = toNodeHandler(
      new App().get('/*rest', () => {
        calls += 1;
        return 'late';
      }),
    );
    const server = createServer((incoming, outgoing) => {
      outgoing.writeHead(200);
      if (incoming.url === '/written') outgoing.write('a');
      if (incoming.url === '/ended') outgoing.end('all');
      handle(incoming, outgoing);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    const events = await collected(async () => {
      await expect(ask('/head')).rejects.toThrow();
      await expect(ask('/written')).rejects.toThrow();
      expect(await ask('/ended')).toBe('all');
    });
    expect(calls).toBe(0);
    const event = { status: 200, isCut: true, method: 'GET', error: begun };
    expect(events).toEqual([
      { ...event, path: '/head' },
      { ...event, path: '/written' },
    ]);
    server.closeAllConnections();
    server.close();
  });

  it('says that its response is lost if other middleware has begun one in the meantime', async () => {
    const handle = toNodeHandler(new App().get('/late', async () => 'late'));
    const server = createServer((incoming, outgoing) => {
      handle(incoming, outgoing);
      outgoing.writeHead(200).write('a');
      setTimeout(() => outgoing.end('b'), 20);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const events = await collected(async () => {
      expect(await (await fetch(`http://127.0.0.1:${port}/late`)).text()).toBe('ab');
    });
    expect(events).toEqual([{ status: 500, method: 'GET', path: '/late', error: begun }]);
    server.closeAllConnections();
    server.close();
  });
});

const begun = expect.objectContaining({
  message: expect.stringContaining('had already sent the header fields'),
});

async function collected(work: () => Promise<void>): Promise<FwErrorEvent[]> {
  const events: FwErrorEvent[] = [];
  const collect = (event: unknown): void => void events.push(event as FwErrorEvent);
  diagnostics.subscribe('fw:error', collect);
  try {
    await work();
  } finally {
    diagnostics.unsubscribe('fw:error', collect);
  }
  return events;
}
