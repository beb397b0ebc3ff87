// Subscribers that fail: neither the request nor the process ends, and the failure is printed.
import { afterEach, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { logger } from '../middleware/logger.js';
import { subscribe } from './subscribe.js';

afterEach(() => void vi.restoreAllMocks());

const hostile = () => new Proxy({}, { getPrototypeOf: () => Reflect.getPrototypeOf(1 as never) });

it.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('mine');
    },
  ],
  [
    'throws what cannot be shown',
    () => {
      throw hostile();
    },
  ],
  ['rejects', () => Promise.reject(new Error('mine'))],
  // biome-ignore lint/suspicious/noThenProperty: that is the case
  ['is a thenable that rejects', () => ({ then: (_: unknown, no: (error: unknown) => void) => no('mine') })],
])('one that %s is printed, for events and for errors, and the others are told', async (_, fails) => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const others = vi.fn();
  const stops = [subscribe(fails as () => void), subscribe(others)];
  const app = new App()
    .use(logger())
    .get('/', () => 'fine')
    .get('/boom', () => {
      throw new Error('of the app');
    });
  const statuses = [];
  for (const path of ['/', '/boom']) statuses.push((await app.fetch(new Request(`http://x${path}`))).status);
  for (const stop of stops) stop();
  expect(statuses).toEqual([200, 500]);
  expect(others).toHaveBeenCalledTimes(5);
  await vi.waitFor(() => expect(printed).toHaveBeenCalledTimes(5));
  expect(printed.mock.calls.every(([text]) => String(text).startsWith('a subscriber of events failed'))).toBe(
    true,
  );
});
