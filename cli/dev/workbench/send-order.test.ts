// Which orders to send a request are taken.
import { expect, it } from 'vitest';
import type { RawRecord } from '../../process/records.js';
import { checkOrder, readyRequest } from './send-order.js';

const raw: RawRecord = {
  seq: 1,
  began: 1000,
  state: 'answered',
  method: 'GET',
  target: '/chat',
  origin: 'http://localhost:3000',
  isWebSocket: false,
  requestHeaders: [],
  responseHeaders: [],
  steps: [],
  log: [],
};
const order = (fields: number) => ({
  method: 'GET',
  target: '/chat',
  headers: Array.from({ length: fields }, (_, index) => [`X-${index}`, 'a']),
});

it('takes up to 200 header fields', () => {
  expect(checkOrder(order(200)).headers).toHaveLength(200);
  expect(() => checkOrder(order(201))).toThrow('the header fields are pairs of a name and a value');
});

it('sends no WebSocket again, which would be an ordinary request', () => {
  const again = (isWebSocket: boolean) =>
    readyRequest(checkOrder(order(0)), { id: 1, raw: { ...raw, isWebSocket } }, 'localhost:3000');
  expect(again(false)).toMatchObject({ method: 'GET', target: '/chat' });
  expect(() => again(true)).toThrow('a WebSocket cannot be sent again');
});
