import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { subscribe } from '../../tracing/subscribe.js';
import { App } from '../app.js';
import { toNodeHandler } from '../to-node-handler.js';

describe('settings of the App that listens', () => {
  it.each([
    ['shutdownGracePeriod', () => new App().shutdownGracePeriod(1)],
    ['connectionTimeouts', () => new App().connectionTimeouts({ headersMs: 1 })],
    ['trustProxy', () => new App().trustProxy(true)],
  ])('%s is refused on a mounted App, and after the first request', async (name, make) => {
    expect(() => new App().route('/in', make())).toThrow(
      `the App mounted under '/in' sets ${name}; set it on the App that listens`,
    );
    const app = new App();
    await app.fetch(new Request('http://x/'));
    const call = {
      shutdownGracePeriod: 1,
      connectionTimeouts: {},
      trustProxy: true,
    };
    expect(() =>
      (app[name as 'trustProxy'] as (value: unknown) => App).call(app, call[name as 'trustProxy']),
    ).toThrow(`${name} came too late`);
  });
});

describe('a malformed list of proxies', () => {
  const broken = () => new App().trustProxy(['10.0.0.0/33']).get('/', () => 'ok');
  const message = `trustProxy: '10.0.0.0/33' is not an address or network`;

  it('fails the start', async () => {
    await expect(broken().listen(0)).rejects.toThrow(message);
  });

  it('results in status 500 for every request if the App is not started, and reports why', async () => {
    const seen: string[] = [];
    const stop = subscribe(({ fields }) => seen.push((fields.error as Error).message));
    const app = broken();
    const server = createServer(toNodeHandler(app));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      expect((await app.fetch(new Request('http://x/'))).status).toBe(500);
      const { port } = server.address() as AddressInfo;
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(500);
    } finally {
      stop();
      server.close();
    }
    expect(seen).toHaveLength(2);
    expect(seen.every((text) => text.startsWith(message))).toBe(true);
  });

  it('does not cause an unhandled rejection', async () => {
    broken();
    await new Promise(setImmediate);
  });
});

describe('trustProxy', () => {
  it('can be switched off', async () => {
    const app = new App()
      .trustProxy(true)
      .trustProxy(false)
      .get('/', (ctx) => `${ctx.clientIp()}`);
    const request = new Request('http://x/', { headers: { 'X-Forwarded-For': '192.0.2.1' } });
    expect(await (await app.fetch(request)).text()).toBe('undefined');
  });

  it('uses the address of the peer if a server listens on IPv6', async () => {
    const server = await new App()
      .get('/', (ctx) => `${ctx.clientIp()} ${ctx.peerAddr()?.port}`)
      .listen('[::]:0');
    try {
      expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toMatch(/^127\.0\.0\.1 \d+$/);
    } finally {
      await server.close();
    }
  });
});
