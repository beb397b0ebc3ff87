// What a worker asks of the frontend's dev server, also when the client leaves.
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../../../e2e/free-port.js';
import type { FrontendOffer, FrontendRequest } from '../../../framework/static/frontend-channel.js';
import { answerFromFrontend } from './frontend-answers.js';

let server: http.Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

function ask(port: number, signal: AbortSignal, request: Partial<FrontendRequest> = {}): Promise<Response> {
  const place = { root: tmpdir(), folder: tmpdir(), allowed: [] };
  answerFromFrontend({ ...place, port, key: 'the key', liveScript: '' });
  const offer: FrontendOffer = { dir: 'dist/web', fallback: 'index.html' };
  diagnostics.channel('fw:frontend').publish(offer);
  if (offer.answer === undefined) throw new Error('nobody answers');
  return offer.answer({ method: 'GET', target: '/', headers: {}, signal, ...request });
}

it('stops waiting for a server that does not listen yet', async () => {
  const gone = new AbortController();
  const port = await freePort();
  const asked = ask(port, gone.signal);
  asked.catch(() => {});
  gone.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
});

it('ends its request to a server that is slow', async () => {
  server = http.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gone = new AbortController();
  const asked = ask((server.address() as AddressInfo).port, gone.signal);
  asked.catch(() => {});
  const [request] = (await once(server, 'request')) as [http.IncomingMessage];
  const closed = once(request.socket, 'close');
  gone.abort();
  await closed;
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
});

it('waits for a server that is about to listen', async () => {
  const port = await freePort();
  const asked = ask(port, AbortSignal.timeout(10_000));
  server = http.createServer((_, response) => response.end('here')).listen(port, '127.0.0.1');
  expect(await (await asked).text()).toBe('here');
});

it('says by a secret that it asks, and asks for no tool of strangers', async () => {
  const port = await freePort();
  server = http.createServer((request, response) => response.end(JSON.stringify(request.headers)));
  server.listen(port, '127.0.0.1');
  const signal = AbortSignal.timeout(10_000);
  const own = {
    peer: '127.0.0.1',
    headers: { host: 'localhost', 'fw-frontend': 'guess' },
    target: '/__inspect/',
  };
  expect(await (await ask(port, signal, own)).json()).toMatchObject({ 'fw-frontend': 'the key' });
  const strangers: Partial<FrontendRequest>[] = [
    { ...own, peer: undefined },
    { ...own, peer: '192.168.1.5' },
    { ...own, headers: { host: 'demo.example' } },
    { ...own, headers: { ...own.headers, 'x-forwarded-for': '203.0.113.7' } },
    { ...own, target: '/%5f_inspect/' },
    { ...own, target: '/base/__inspect/' },
  ];
  const statuses = [];
  for (const one of strangers) {
    const headers = one.target === own.target ? one.headers : { host: 'demo.example' };
    statuses.push((await ask(port, signal, { ...one, headers: headers ?? {} })).status);
  }
  expect(statuses).toEqual(strangers.map(() => 403));
});
