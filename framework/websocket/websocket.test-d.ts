// Types of WebSockets: arguments of `data`, events in both directions.
import { expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
import type { Context } from '../context/context.js';
import { createMiddleware } from '../extract/context-middleware.js';
import { Path } from '../extract/path.js';
import { Query } from '../extract/query.js';
import { route } from '../extract/route.js';
import { events, type WebSocketConnection, websocket } from './index.js';

const app = new App();

it('gives the extractors to data, and what data returns to the handlers', () => {
  app.websocket(
    '/rooms/:room',
    Path('room', z.coerce.number()),
    Query(z.object({ as: z.string() })),
    websocket({
      data: (room, { as }) => {
        expectTypeOf(room).toEqualTypeOf<number>();
        expectTypeOf(as).toEqualTypeOf<string>();
        return { room, as };
      },
      onOpen(socket) {
        expectTypeOf(socket.data).toEqualTypeOf<{ room: number; as: string }>();
      },
      onMessage(socket, message) {
        expectTypeOf(socket.data.room).toEqualTypeOf<number>();
        expectTypeOf(message).toEqualTypeOf<string | Uint8Array>();
      },
    }),
  );
});

it('gives the context to data without extractors, typed by the path', () => {
  app.websocket(
    '/users/:id',
    websocket({
      data: async (ctx) => {
        expectTypeOf(ctx).toEqualTypeOf<Context<'id'>>();
        // @ts-expect-error the path has no such parameter
        ctx.req.param('name');
        return ctx.req.param('id');
      },
      onClose(socket, code, reason) {
        expectTypeOf(socket.data).toEqualTypeOf<string>();
        expectTypeOf([code, reason] as const).toEqualTypeOf<readonly [number, string]>();
      },
    }),
  );
  app.websocket('/plain', websocket({ onMessage: (socket) => socket.data satisfies undefined }));
});

it('gives what middleware adds', () => {
  const me = createMiddleware(async (_, next) => next({ user: 'ada' }));
  app.websocket(
    route('/me/:id', { use: [me] }),
    websocket({
      data: (ctx, { user }) => {
        expectTypeOf(user).toEqualTypeOf<string>();
        expectTypeOf(ctx).toEqualTypeOf<Context<'id'>>();
      },
    }),
  );
});

it('types events by their schemas', () => {
  const chat = websocket({
    receives: { say: z.object({ text: z.string(), at: z.coerce.date() }), ping: z.null() },
    sends: { said: z.object({ text: z.string() }) },
    on: {
      say(socket, { text, at }) {
        expectTypeOf(text).toEqualTypeOf<string>();
        expectTypeOf(at).toEqualTypeOf<Date>();
        socket.emit('said', { text });
        // @ts-expect-error no such event
        socket.emit('shouted', { text });
        // @ts-expect-error wrong data
        socket.emit('said', { text: 1 });
      },
      ping: (_socket, data) => data satisfies null,
    },
  });
  app.websocket('/chat', chat);
  // @ts-expect-error an event without a handler
  websocket({ receives: { say: z.string() }, on: {} });
  // @ts-expect-error a socket has events or messages
  websocket({ receives: { say: z.string() }, onMessage() {}, on: { say() {} } });
});

it('types events by plain types', () => {
  interface FromClient {
    say: { text: string };
  }
  interface FromServer {
    said: { text: string };
  }
  websocket({
    receives: events<FromClient>(),
    sends: events<FromServer>(),
    on: {
      say(socket, { text }) {
        expectTypeOf(text).toEqualTypeOf<string>();
        expectTypeOf(socket).toEqualTypeOf<WebSocketConnection<undefined, FromServer>>();
        socket.emit('said', { text });
        // @ts-expect-error wrong data
        socket.emit('said', 1);
      },
    },
  });
});

it('refuses a WebSocket whose data wants other values', () => {
  const own = websocket({ data: (id: number) => id });
  app.websocket('/a/:id', Path('id', z.coerce.number()), own);
  // @ts-expect-error the extractor gives a string
  app.websocket('/b/:id', Path('id', z.string()), own);
  // @ts-expect-error the path has no such parameter
  app.websocket('/c', Path('id', z.string()), websocket({}));
});
