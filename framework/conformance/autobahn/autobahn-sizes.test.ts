// The cases of the Autobahn test suite with large and with many messages, against an echo server.
import { describe, expect, it } from 'vitest';
import { App } from '../../app/app.js';
import { type WebSocketOptions, websocket } from '../../websocket/index.js';
import { serve } from '../websocket/trial-socket.js';
import { type Case, expectedOf, runCase } from './case.js';
import { sizeCases } from './size-cases.js';

const named = (cases: readonly Case[]): [name: string, one: Case][] =>
  cases.map((one) => [`${one.id} ${one.what}`, one]);

const holds = (config: WebSocketOptions) => async (_name: string, one: Case) => {
  const route = websocket({ onMessage: (socket, message) => void socket.send(message) }, config);
  const { url } = await serve(new App().websocket('/', route));
  expect(await runCase(one, url)).toEqual(expectedOf(one));
};

describe('sizes, with raised limits', () => {
  const limit = 17 * 1024 * 1024;
  it.each(named(sizeCases))(
    '%s',
    holds({ maxMessageSize: limit, maxFrameSize: limit, maxBufferedBytes: 2 * limit }),
  );
});
