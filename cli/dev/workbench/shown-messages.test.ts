// Messages of WebSockets and event streams as the page shows them.
import { expect, it } from 'vitest';
import type { RawMessage, RawRecord } from '../../process/records.js';
import { KeptMessages } from './kept-messages.js';
import { RecordStore } from './record-store.js';
import { Secrets } from './secrets.js';
import { shownMessages } from './shown-messages.js';

const record: RawRecord = {
  seq: 1,
  began: 0,
  state: 'answered',
  method: 'GET',
  target: '/live',
  origin: 'http://localhost',
  isWebSocket: true,
  status: 101,
  requestHeaders: [],
  responseHeaders: [],
  steps: [],
  log: [],
};
const message = (direction: RawMessage['direction'], text: string): RawMessage => ({
  at: 1,
  direction,
  size: text.length,
  text,
});

it('have no secrets, by their names and by what mechanisms have said', () => {
  const kept = new KeptMessages();
  const ticket = 'ticket-of-sixteen-and-more';
  kept.add({
    seq: 1,
    leftOut: 0,
    messages: [
      message('received', '{"password":"p1","text":"hello"}'),
      message('received', '{"a":{"token":"cut of'),
      message('sent', `welcome ${ticket}`),
    ],
    end: { code: 4000, reason: `bad ${ticket}` },
  });
  const shown = shownMessages(kept, record, new Secrets({ places: [], values: [ticket] }));
  expect(shown.messages.map(({ text }) => text)).toEqual([
    '{"password":"••••••","text":"hello"}',
    '{"a":{"token":"••••••"',
    'welcome ••••••',
  ]);
  expect(shown).toMatchObject({ end: 'ended', close: { code: 4000, reason: 'bad ••••••' } });
});

it('of subscriptions have the name of what the client has subscribed', () => {
  const kept = new KeptMessages();
  kept.add({
    seq: 1,
    leftOut: 0,
    messages: [
      message('received', '{"subscribe":{"id":1,"method":"orders.changed","params":{}}}'),
      message('sent', '{"subscription":{"id":1,"data":{"id":9}}}'),
      message('sent', '{"subscription":{"id":2,"error":{"code":-32603}}}'),
      message('sent', '{"subscription":{"id":1,"done":true}}'),
      message('received', '{"unsubscribe":{"id":1}}'),
      message('received', '{"subscription":{"id":1,"done":true}}'),
      message('sent', '{"event":"chat","data":{"id":1}}'),
    ],
  });
  expect(shownMessages(kept, record, new Secrets()).messages.map(({ what }) => what)).toEqual([
    'subscribe orders.changed',
    'orders.changed event',
    'subscription 2 failed',
    'orders.changed done',
    'unsubscribe orders.changed',
    undefined,
    undefined,
  ]);
});

it('are the last 100 of a request; a later record of it keeps them, and so does the end of its process', () => {
  const store = new RecordStore();
  store.take('1', [record]);
  const messages = Array.from({ length: 70 }, (_, n) => message('sent', String(n)));
  store.takeMessages('1', [{ seq: 1, leftOut: 5, messages }]);
  const [stored] = store.takeMessages('1', [{ seq: 1, leftOut: 0, messages }]);
  expect([stored?.messages?.count, stored?.messages?.last.length]).toEqual([145, 100]);
  expect(store.takeMessages('1', [{ seq: 2, leftOut: 0, messages }])).toEqual([]);
  store.take('1', [{ ...record, durationMs: 3 }]);
  expect(store.gone('1').map(({ messages }) => messages?.end)).toEqual(['gone']);
  expect(store.get(1)?.messages?.count).toBe(145);
  expect(store.gone('1')).toEqual([]);
});
