// The client of an App with WebSockets: its types, and events over a real connection.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { App } from '../../app/app.js';
import { check } from '../../conformance/checked-client.js';
import { serving } from '../../conformance/live-events.js';
import { loadClient, type TrialSocket } from '../../conformance/socket-client.js';
import { Path } from '../../extract/path.js';
import { Query } from '../../extract/query.js';
import { route } from '../../extract/route.js';
import { openApiFromApp } from '../../openapi/app/openapi-from-app.js';
import { contractText } from '../../rpc/contract/contract-text.js';
import { RpcMode, RpcRegistry, tracked } from '../../rpc/index.js';
import { connectWebSocket } from '../../testing/websocket/index.js';
import { events, websocket } from '../../websocket/index.js';
import { parseType } from '../../wire/read/parse-type.js';
import { readClient } from '../read-client.js';
import { clientFromApp } from './client-from-app.js';

const directory = mkdtempSync(join(tmpdir(), 'fw-app-sockets-'));
afterAll(() => rmSync(directory, { recursive: true }));

const User = z.object({ name: z.string() }).meta({ id: 'User' });

function rooms(): App {
  return new App().websocket(
    route('/:room', { operationId: 'rooms.join', summary: 'Joins a room.' }),
    Path('room', z.string()),
    Query(z.object({ name: z.string().default('eve') })),
    websocket({
      receives: { say: z.object({ text: z.string().max(5), tone: z.string().default('calm') }) },
      sends: { said: z.object({ from: User, text: z.string() }), entered: User },
      data: (room, { name }) => ({ room, name }),
      onOpen: (socket) => void socket.emit('entered', { name: socket.data.name }),
      on: {
        say(socket, { text, tone }) {
          if (text === 'leave') socket.close(4001, 'as you wish');
          else
            socket.emit('said', {
              from: { name: socket.data.name },
              text: `${socket.data.room} ${tone} ${text}`,
            });
        },
      },
    }),
  );
}

const app = (): App =>
  new App()
    .get(route('/users', { operationId: 'users.list', returns: z.array(User) }), () => [])
    .route('/rooms', rooms())
    .websocket('/raw', websocket({ onMessage() {} }))
    .websocket(route('/hidden', { hidden: true }), websocket({ sends: { a: User } }));

const use = `import { FwRpcClient, type User } from './client.js';
const room = new FwRpcClient('http://localhost').rooms.join({ room: 'a', name: 'ada' });
room.emit('say', { text: 'hello' });
room.emit('say', { text: 'hello', tone: 'loud' });
room.on('said', ({ from, text }) => [from satisfies User, text satisfies string]);
new FwRpcClient().rooms.join({ room: 'a' }).on('entered', ({ name }) => name satisfies string);
// @ts-expect-error wrong data
room.emit('say', { text: 1 });
`;

describe('a client of an App with WebSockets', () => {
  it('is typed by their schemas', () => {
    const text = clientFromApp(app()).toString();
    expect(check(directory, 'typescript', { 'client.ts': text }, use)).toBe('');
    expect(text).toContain('    /** Joins a room. */\n    join: (input');
    expect(text.match(/^export type User\b/gm)).toHaveLength(1);
    expect(text).not.toMatch(/raw|hidden/);
    const alone = clientFromApp(new App().route('/rooms', rooms())).toString();
    expect(check(directory, 'typescript', { 'client.ts': alone }, use)).toBe('');
    expect(alone).not.toContain('fetch');
    expect(readClient(text).procedures).toEqual({});
  });

  it('has them beside the procedures of a registry', () => {
    const rpc = new RpcRegistry().queryWithTypes('count', () => 1, 'void', 'number');
    const text = clientFromApp(new App().route('/rooms', rooms()), { rpc }).toString();
    expect(check(directory, 'typescript', { 'client.ts': text }, use)).toBe('');
    expect(text).not.toContain('FwRoutes');
  });

  it('names a socket without an operationId by its path', () => {
    const made = new App().websocket('/feed/:id', websocket({ sends: { a: User } }));
    expect(clientFromApp(made).toString()).toMatch(/^ {2}websocketFeedById\(input: \{\s+id: string/m);
  });

  it.each([
    ['z.undefined()', z.undefined()],
    ['z.void()', z.void()],
    ['v.undefined()', toStandardJsonSchema(v.undefined())],
    ['v.void()', toStandardJsonSchema(v.void())],
    ['undefined of arktype', type('undefined')],
  ])(
    'has events without data, by a schema: %s',
    async (_, none) => {
      const made = new App().websocket(
        route('/', { operationId: 'join' }),
        websocket({
          receives: { typing: none, later: z.string().optional() },
          sends: { idle: none },
          on: { typing: (socket) => void socket.emit('idle', undefined), later() {} },
        }),
      );
      const text = clientFromApp(made).toString();
      const uses = `import { FwRpcClient } from './client.js';
const room = new FwRpcClient('http://localhost').join();
room.emit('typing');
room.emit('later');
room.emit('later', 'a');
room.on('idle', (data) => data satisfies undefined);
// @ts-expect-error data that nothing takes
room.emit('typing', 1);
`;
      expect(check(directory, 'typescript', { 'client.ts': text }, uses)).toBe('');
      const socket = await connectWebSocket(made, '/');
      socket.emit('typing');
      expect(await socket.nextJson()).toEqual({ event: 'idle' });
      await socket.close();
    },
    60_000,
  );

  it('refuses data that JSON does not have', () => {
    const made = new App().websocket(
      '/',
      websocket({ receives: { a: z.bigint().optional() }, on: { a() {} } }),
    );
    expect(() => clientFromApp(made).toString()).toThrow('a bigint; use a string');
  });

  it('refuses two methods of one name', () => {
    const twice = new App()
      .get(route('/a', { operationId: 'a' }), () => 1)
      .websocket(route('/b', { operationId: 'a.b' }), websocket({ sends: { a: User } }));
    expect(() => clientFromApp(twice).toString()).toThrow(
      "the operationId 'a.b' of WEBSOCKET /b and GET /a have one name in the client; change the operationId",
    );
  });

  it('has the events of plain types from the contract, and of any data without it', () => {
    interface FromClient {
      say: { text: string };
    }
    const made = new App().route(
      '/chat',
      new App().websocket(
        '/:room',
        websocket({ receives: events<FromClient>(), sends: events<FromClient>(), on: { say() {} } }),
      ),
    );
    const contract = JSON.parse(
      contractText({
        procedures: {},
        named: { Said: parseType('{ by: string }') },
        sockets: {
          '/:room': {
            receives: { say: parseType('{ text: string }'), typing: { kind: 'void' } },
            sends: { said: parseType('Said') },
            description: 'A chat.',
          },
        },
      }),
    );
    const typed = clientFromApp(made, { contract }).toString();
    const program = `import { FwRpcClient, type Said } from './client.js';
const chat = new FwRpcClient('http://localhost').websocketChatByRoom({ room: 'a' });
chat.emit('typing');
chat.emit('say', { text: 'a' });
chat.on('said', (said) => said satisfies Said);
// @ts-expect-error an unknown event
chat.emit('shout', 1);
`;
    expect(check(directory, 'typescript', { 'client.ts': typed }, program)).toBe('');
    expect(typed).toContain('/** A chat. */');
    const loose = clientFromApp(made).toString();
    expect(loose).toContain('    sends: Record<string, unknown>;\n    receives: Record<string, unknown>;');
  });

  it('is not in a document of routes', () => {
    const { paths } = JSON.parse(JSON.stringify(openApiFromApp(app(), { title: 'a', version: '1' }))) as {
      paths: object;
    };
    expect(Object.keys(paths)).toEqual(['/users']);
  });

  it('sends and gets events', async () => {
    const module = await loadClient(clientFromApp(app()).toString());
    await serving(app(), async (url) => {
      const refused = vi.fn();
      const states: unknown[] = [];
      const client = new module.FwRpcClient(url, { sockets: { WebSocket } });
      const room = client.rooms.join(
        { room: 'a b', name: 'ada' },
        { onRefused: refused, onState: (state: string) => states.push(state) },
      );
      const entered = room.events('entered');
      const said = room.events('said');
      room.emit('say', { text: 'early' });
      expect((await entered.next()).value).toEqual({ name: 'ada' });
      expect((await said.next()).value).toEqual({ from: { name: 'ada' }, text: 'a b calm early' });
      room.emit('say', { text: 'too long' });
      room.emit('shout', 1);
      await vi.waitFor(() => expect(refused).toHaveBeenCalledTimes(2));
      expect(refused.mock.calls[0]?.[0]).toMatchObject({ event: 'say', issues: [{ path: ['text'] }] });
      expect(refused.mock.calls[1]?.[0]).toMatchObject({ event: 'shout', issues: [] });
      room.emit('say', { text: 'leave' });
      await expect(said.next()).rejects.toMatchObject({ code: 4001, reason: 'as you wish' });
      expect(states).toEqual(['open', 'closed']);
    });
  });

  it.each([
    ['of a WebSocket that only sends', {}],
    ['beside messages of other kinds', { onMessage() {} }],
  ])('gets the events %s', async (_, more) => {
    const onOpen = (socket: { emit(event: 'news', data: number): boolean }) => void socket.emit('news', 1);
    const made = new App().websocket(
      route('/feed', { operationId: 'feed' }),
      websocket({ sends: { news: z.number() }, onOpen, ...more }),
    );
    interface Feed {
      feed(options?: object): TrialSocket;
    }
    const module = await loadClient(clientFromApp(made).toString());
    await serving(made, async (url) => {
      const client = new module.FwRpcClient(url, { sockets: { WebSocket } }) as unknown as Feed;
      const feed = client.feed();
      expect((await feed.events('news').next()).value).toBe(1);
      await vi.waitFor(() => expect(feed.state).toBe('open'));
      feed.close();
    });
  });

  it.each([RpcMode.JsonRpc, RpcMode.Rest])('gets subscriptions over them, in mode %s', async (mode) => {
    const ended = vi.fn();
    const rpc = RpcRegistry.withMode(mode)
      .subscription(
        'count',
        {
          input: z.object({ to: z.number() }),
          output: z.number(),
          errors: { tooFar: z.object({ most: z.number() }) },
        },
        async function* ({ to }, { lastEventId, errors }) {
          for (let n = Number(lastEventId ?? 0) + 1; n <= to; n += 1) {
            if (n > 3) throw errors.tooFar({ most: 3 });
            yield tracked(String(n), n);
          }
        },
      )
      .subscription('wait', { input: z.object({}), output: z.number() }, async function* (_, { signal }) {
        yield 1;
        await once(signal, 'abort');
        ended();
      });
    const made = new App().websocket(route('/live', { operationId: 'live' }), websocket({}, { rpc }));
    const text = clientFromApp(made, { rpc }).toString();
    expect(text).toContain('    sends: object;\n    receives: object;');
    interface Live {
      live(): TrialSocket;
      count(input: object, options?: object): AsyncGenerator<unknown, void, undefined>;
      wait(input: object, options?: object): AsyncGenerator<unknown, void, undefined>;
    }
    const module = await loadClient(text);
    await serving(made, async (url) => {
      const client = new module.FwRpcClient(`${url}/rpc`, {
        sockets: { WebSocket },
        fetch: () => expect.fail('it goes over the socket'),
      }) as unknown as Live;
      const socket = client.live();
      const all = async (to: number, lastEventId?: string) => {
        const got: unknown[] = [];
        for await (const n of client.count({ to }, { socket, lastEventId })) got.push(n);
        return got;
      };
      expect(await all(3)).toEqual([1, 2, 3]);
      expect(await all(3, '1')).toEqual([2, 3]);
      const error: unknown = await all(5).catch((thrown: unknown) => thrown);
      expect(module.isErrorOf(error, 'count')).toBe(true);
      expect(error).toMatchObject({ error: { name: 'tooFar', data: { most: 3 } } });
      for await (const n of client.wait({}, { socket })) if (n === 1) break;
      await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1));
      expect(socket.state).toBe('open');
      socket.close();
    });
  });
});
