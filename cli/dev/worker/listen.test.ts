// Which calls of `listen` the dev server takes over.
import { expect, it } from 'vitest';
import { fixedPort } from './listen.js';

const done = (): void => {};

it.each([
  [[3000], 3000],
  [['3000'], 3000],
  [[3000, '0.0.0.0', 511, done], 3000],
  [[{ port: 3000, host: '::' }, done], 3000],
  [[{ port: '8080' }], 8080],
])('takes over %j', (args, port) => expect(fixedPort(args)?.port).toBe(port));

it.each([
  [[]],
  [[done]],
  [[0]],
  [['0', done]],
  [[{ port: 0 }]],
  [[undefined, done]],
  [['/run/app.sock']],
  [[{ path: '/run/app.sock' }]],
  [[{ fd: 3 }]],
  [[70000]],
])('does not take over %j', (args) => expect(fixedPort(args)).toBeUndefined());

it('passes on the callback', () => {
  expect(fixedPort([3000, 'localhost', done])?.done).toBe(done);
});
