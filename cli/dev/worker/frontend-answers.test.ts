// What a worker asks of the frontend's dev server when the client leaves.
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../../../e2e/free-port.js';
import type { FrontendOffer } from '../../../framework/static/frontend-channel.js';
import { answerFromFrontend } from './frontend-answers.js';

let server: http.Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

function ask(port: number, signal: AbortSignal): Promise<Response> {
  answerFromFrontend(port, '');
  const offer: FrontendOffer = { dir: 'dist/web', fallback: 'index.html' };
  diagnostics.channel('fw:frontend').publish(offer);
  if (offer.answer === undefined) throw new Error('nobody answers');
  return offer.answer({ method: 'GET', target: '/', headers: {}, signal });
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
