import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Tunnels } from './frontend.js';

let vite: net.Server;
let front: net.Server;
let tunnels: Tunnels;
beforeEach(async () => {
  vite = net.createServer().listen(0, '127.0.0.1');
  front = net.createServer().listen(0, '127.0.0.1');
  await Promise.all([once(vite, 'listening'), once(front, 'listening')]);
  tunnels = new Tunnels((vite.address() as AddressInfo).port);
});
afterEach(() => {
  tunnels.close();
  vite.close();
  front.close();
});

/** A browser, and the socket that Vite has of it. */
async function open(isOneWay = false): Promise<{ browser: Socket; server: Socket }> {
  const browser = net.connect((front.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = await once(front, 'connection');
  tunnels.accept(accepted, 'GET / HTTP/1.1\r\n\r\n', isOneWay);
  const [server] = await once(vite, 'connection');
  return { browser: browser.on('error', () => {}), server: server.on('error', () => {}) };
}

it('sends the request, and what follows in both directions', async () => {
  const { browser, server } = await open();
  expect(String((await once(server, 'data'))[0])).toBe('GET / HTTP/1.1\r\n\r\n');
  server.write('answer');
  expect(String((await once(browser, 'data'))[0])).toBe('answer');
  browser.write('more');
  expect(String((await once(server, 'data'))[0])).toBe('more');
  expect(tunnels.count).toBe(1);
});

it('passes nothing on of a stranger, who hears all the same', async () => {
  const { browser, server } = await open(true);
  let heard = '';
  server.on('data', (chunk) => {
    heard += chunk;
  });
  browser.write('invoke');
  server.write('update');
  expect(String((await once(browser, 'data'))[0])).toBe('update');
  const ended = once(server, 'end');
  browser.end('more');
  await ended;
  expect(heard).toBe('GET / HTTP/1.1\r\n\r\n');
});

it.each(['browser', 'server'] as const)('ends both when the %s resets its connection', async (side) => {
  const { browser, server } = await open();
  const sides = { browser, server };
  const other = side === 'browser' ? server : browser;
  const closed = once(other.resume(), 'close');
  sides[side].resetAndDestroy();
  await closed;
  await expect.poll(() => tunnels.count).toBe(0);
});

it('ends all at its close', async () => {
  const { browser, server } = await open();
  const closed = Promise.all([once(browser.resume(), 'close'), once(server.resume(), 'close')]);
  tunnels.close();
  await closed;
});

it('ends the socket of a browser if Vite does not listen', async () => {
  const port = (vite.address() as AddressInfo).port;
  await new Promise((done) => vite.close(done));
  tunnels = new Tunnels(port);
  const browser = net.connect((front.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = await once(front, 'connection');
  tunnels.accept(accepted, 'GET / HTTP/1.1\r\n\r\n');
  await once(browser.resume(), 'close');
});
