// Which requests count as sent by the page about the app.
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { ORDER_FIELD, orderOf } from './sent-order.js';

const request = (value: string) => {
  const rawHeaders = ['Host', 'localhost', 'FW-Order', value, 'Accept', '*/*'];
  return {
    rawHeaders,
    headers: { [ORDER_FIELD]: value },
    headersDistinct: { [ORDER_FIELD]: [value] },
  } as unknown as IncomingMessage;
};

it('those with the secret of this run count, and the app does not see the field', () => {
  const sent = request('secret.12');
  expect(orderOf(sent, 'secret')).toBe(12);
  expect(sent).toEqual({
    rawHeaders: ['Host', 'localhost', 'Accept', '*/*'],
    headers: {},
    headersDistinct: {},
  });
});

it.each(['Secret.12', 'sécret.12', 'secrets.12', '.12', '', 'secret.', 'secret.1e3', 'secret.1234567890'])(
  'no others do, and they stay as they are: %j',
  (value) => {
    const other = request(value);
    expect(orderOf(other, 'secret')).toBeUndefined();
    expect(other).toEqual(request(value));
  },
);
