// The cases of the Autobahn test suite with compressed messages, against an echo server.
import { describe, expect, it } from 'vitest';
import { App } from '../../app/app.js';
import { type WebSocketOptions, websocket } from '../../websocket/index.js';
import { serve } from '../websocket/trial-socket.js';
import { type Case, expectedOf, runCase } from './case.js';
import { compressionCases } from './compression-cases.js';

const named = (cases: readonly Case[]): [name: string, one: Case][] =>
  cases.map((one) => [`${one.id} ${one.what}`, one]);

const holds = (config: WebSocketOptions) => async (_name: string, one: Case) => {
  const route = websocket({ onMessage: (socket, message) => void socket.send(message) }, config);
  const { url } = await serve(new App().websocket('/', route));
  expect(await runCase(one, url)).toEqual(expectedOf(one));
};

describe('compression', () => {
  it.each(named(compressionCases))('%s', holds({ compression: { minSize: 1 } }));
});
