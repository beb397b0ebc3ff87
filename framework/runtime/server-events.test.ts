// The events of a server: that it listens, drains and has closed; nothing without a subscriber, and under `fw dev`.
import diagnostics from 'node:diagnostics_channel';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { subscribe } from '../tracing/index.js';

const messages: string[] = [];
let end = () => {};
afterEach(() => {
  end();
  messages.length = 0;
  vi.unstubAllEnvs();
});

function hear(): void {
  end = subscribe(({ level, message }) => void messages.push(`${level} ${message}`));
}

const life = (url: string): string[] => [
  `info listening on ${url}`,
  `info draining ${url}: requests in flight are answered`,
  `info closed ${url}`,
];

describe('a server', () => {
  it('tells when it listens, drains and has closed, once', async () => {
    hear();
    const server = await new App().listen('127.0.0.1:0');
    await Promise.all([server.close(), server.close()]);
    expect(messages).toEqual(life(server.url));
  });

  it('tells it with a shutdown, too', async () => {
    hear();
    await new App().listenWithShutdown('127.0.0.1:0', Promise.resolve());
    const url = messages[0]?.split(' ').at(-1) ?? '';
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(messages).toEqual(life(url));
  });

  it.each([
    ['http', () => net.createServer()],
    ['https', () => tls.createServer()],
  ])('of the application tells it: %s', async (scheme, create) => {
    hear();
    const listener = create();
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
    const { port } = listener.address() as AddressInfo;
    await new App().serveWithShutdown(listener, Promise.resolve());
    expect(messages).toEqual(life(`${scheme}://127.0.0.1:${port}`));
  });

  it('tells nothing under `fw dev`, which prints the address itself', async () => {
    const development = () => {};
    diagnostics.subscribe('fw:app', development);
    hear();
    await (await new App().listen('127.0.0.1:0')).close();
    diagnostics.unsubscribe('fw:app', development);
    expect(messages).toEqual([]);
  });
});
