import { expect, it } from 'vitest';
import { App } from '../app/app.js';
import { serve } from '../conformance/websocket/trial-socket.js';
import { type WebSocketConnection, websocket } from './index.js';
import { shortReason } from './websocket-connection.js';

type Close = (socket: WebSocketConnection) => void;

it('takes the codes that a frame may have, and a reason that fits into it', async () => {
  const fine: unknown[] = [];
  const codes = [-1, 0, 999, 1000, 1001, 1003, 1004, 1005, 1006, 1007, 1014, 1015, 2999, 3000, 4999, 5000];
  const room = websocket({
    onMessage(socket) {
      // The first that is taken closes the connection, so that the others have no effect.
      for (const code of codes) tried(() => socket.close(code), code);
      tried(() => socket.close(1000, `${'ä'.repeat(61)}x`), 'reason of 123 bytes');
      tried(() => socket.close(1000, 'ä'.repeat(62)), 'reason of 124 bytes');
    },
  });
  const tried = (close: () => void, name: unknown): void => {
    try {
      close();
      fine.push(name);
    } catch {
      // It is refused.
    }
  };
  const { connect } = await serve(new App().websocket('/', room));
  const client = await connect('/');
  client.send('close');
  expect(await client.closed).toEqual({ code: 1000, reason: '' });
  expect(fine).toEqual([1000, 1001, 1003, 1007, 1014, 3000, 4999, 'reason of 123 bytes']);
});

it.each<[string, Close, string]>([
  [
    'a code',
    (socket) => socket.close(1005),
    '1005 is not a close code that can be sent; use 1000, or 3000 to 4999',
  ],
  [
    'a code of another type',
    (socket) => socket.close(Symbol('x') as never),
    'a symbol is not a close code that can be sent; use 1000, or 3000 to 4999',
  ],
  ['no reason', (socket) => socket.close(1000, null as never), 'a close reason is a text, got null'],
  [
    'bytes',
    (socket) => socket.close(1000, new Uint8Array(2) as never),
    'a close reason is a text, got an object',
  ],
  [
    'a long reason',
    (socket) => socket.close(1000, 'x'.repeat(124)),
    'a close reason has at most 123 bytes, got 124',
  ],
])('close() with %s says what it takes', async (_what, close, message) => {
  const room = websocket({
    onMessage(socket) {
      try {
        close(socket);
      } catch (error) {
        socket.close(3000, (error as Error).message);
      }
    },
  });
  const { connect } = await serve(new App().websocket('/', room));
  const client = await connect('/');
  client.send('close');
  expect(await client.closed).toEqual({ code: 3000, reason: message });
});

it('has reasons of its own in 123 bytes, whatever their characters are', () => {
  const fits = `${'é'.repeat(61)}x`;
  expect(shortReason(fits)).toBe(fits);
  expect(shortReason(`${fits}y`)).toBe(`${'é'.repeat(60)}…`);
  // The cut is in the middle of a character.
  expect(shortReason(`x${'é'.repeat(62)}`)).toBe(`x${'é'.repeat(59)}…`);
  expect(Buffer.byteLength(shortReason('x'.repeat(1_000)))).toBe(123);
});
