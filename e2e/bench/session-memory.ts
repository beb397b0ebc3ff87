// What a session takes in memory: `npm run session-memory`. 100,000 sessions of a user with one value each.

import { App } from '../../dist/framework/index.js';
import { MemoryStore, session } from '../../dist/framework/session/index.js';
import { printTable } from './measure.js';

if (globalThis.gc === undefined) throw new Error('run it with node --expose-gc');
const COUNT = 100_000;
const store = new MemoryStore();
const app = new App().use(session(store)).post('/:user', (ctx) => {
  ctx.session().signIn(ctx.req.param('user'));
  ctx.session().set('theme', 'dark');
  return 'ok';
});
const heap = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed + process.memoryUsage().external;
};
await app.fetch(new Request('http://x/warm', { method: 'POST' }));
const before = heap();
for (let i = 0; i < COUNT; i++) await app.fetch(new Request(`http://x/user-${i}`, { method: 'POST' }));
printTable(['', 'bytes'], [['a session in MemoryStore', Math.round((heap() - before) / COUNT).toString()]]);
if ((await store.list('user-7')).length !== 1) throw new Error('the session is not there');
