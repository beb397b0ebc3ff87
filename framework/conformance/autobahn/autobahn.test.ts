// The cases of the Autobahn test suite for WebSocket servers, against an echo server; names begin with their ids.
import { describe, expect, it } from 'vitest';
import { App } from '../../app/app.js';
import { websocket } from '../../websocket/index.js';
import { serve } from '../websocket/trial-socket.js';
import { type Case, expectedOf, runCase } from './case.js';
import { closeCases } from './close-cases.js';
import { framingCases } from './framing-cases.js';
import { utf8Cases } from './utf8-cases.js';

const echo = () =>
  new App().websocket('/', websocket({ onMessage: (socket, message) => void socket.send(message) }));

const named = (cases: readonly Case[]): [name: string, one: Case][] =>
  cases.map((one) => [`${one.id} ${one.what}`, one]);

async function holds(_name: string, one: Case): Promise<void> {
  const { url } = await serve(echo());
  expect(await runCase(one, url)).toEqual(expectedOf(one));
}

describe('frames', () => {
  it.each(named(framingCases))('%s', holds);
});

describe('UTF-8', () => {
  it.each(named(utf8Cases))('%s', holds);
});

describe('closing', () => {
  it.each(named(closeCases))('%s', holds);
});
