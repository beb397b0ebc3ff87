// Types of WebSockets in tests: events of a WebSocket of an App, and events that are named by hand.
import { expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { App } from '../../app/app.js';
import { Path } from '../../extract/path.js';
import { events, websocket } from '../../websocket/index.js';
import { connectWebSocket, type TestWebSocket, type TestWebSocketOf } from './index.js';

const chat = websocket({
  data: (room: string) => ({ room }),
  receives: { say: z.object({ text: z.string(), at: z.coerce.date().optional() }), leave: z.undefined() },
  sends: { said: z.object({ text: z.string() }), count: z.number() },
  on: { say() {}, leave() {} },
});
const app = new App().websocket('/rooms/:room', Path('room', z.string()), chat);

it('types the events of a WebSocket of an App', async () => {
  const socket = await connectWebSocket<typeof chat>(app, '/rooms/a', { token: 'x' });
  expectTypeOf(await socket.nextEvent('said')).toEqualTypeOf<{ text: string }>();
  const next = await socket.nextEvent();
  expectTypeOf(next.event).toEqualTypeOf<'said' | 'count'>();
  if (next.event === 'count') expectTypeOf(next.data).toEqualTypeOf<number>();
  socket.emit('say', { text: 'x' });
  socket.emit('leave');
  // @ts-expect-error no such event
  await socket.nextEvent('shouted');
  // @ts-expect-error wrong data
  socket.emit('say', { text: 1 });
  // @ts-expect-error data is missing
  socket.emit('say');
});

it('types events that are named by hand', async () => {
  const socket = await connectWebSocket<{ said: string }, { say: number }>('http://127.0.0.1:3000', '/');
  expectTypeOf(await socket.nextEvent('said')).toEqualTypeOf<string>();
  socket.emit('say', 1);
  // @ts-expect-error wrong data
  socket.emit('say', '1');
  const half = await connectWebSocket<{ said: string }>(app, '/');
  half.emit('anything', 1);
});

it('takes any event without types', async () => {
  const socket = await connectWebSocket(app, '/');
  expectTypeOf(socket).toEqualTypeOf<TestWebSocket>();
  expectTypeOf(await socket.nextEvent('said')).toBeAny();
  socket.emit('anything');
  const plain = websocket({
    receives: events<{ say: string }>(),
    sends: events<{ said: 1 }>(),
    on: { say() {} },
  });
  expectTypeOf<TestWebSocketOf<typeof plain>>().toEqualTypeOf<TestWebSocket<{ said: 1 }, { say: string }>>();
});
