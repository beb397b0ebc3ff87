// The text of clients with sockets: what compilers say of it, and what is read back.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type CheckedProgram,
  check,
  checkAll,
  compilers,
  libraries,
  options,
  rest,
  types,
} from '../conformance/checked-client.js';
import {
  feed,
  room,
  socketsAlone,
  withQueries,
  withRoutes,
  withSubscriptions,
} from '../conformance/socket-client.js';
import type { ClientTypes } from '../wire/wire-type.js';
import { printClient } from './print-client.js';
import { printDeclaredClient } from './print-declared-client.js';
import { printQueries } from './print-queries.js';
import { readClient } from './read-client.js';

const directory = mkdtempSync(join(tmpdir(), 'fw-sockets-'));
afterAll(() => rmSync(directory, { recursive: true }));

const use = `import {
  FwRpcClient, type FwSocket, FwSocketError, type FwSockets, type FwSocketState, type User,
} from './client.js';
const client = new FwRpcClient('https://example.org', { sockets: { maxQueued: 5, token: async () => 'a' } });
export async function use(): Promise<User | undefined> {
  const room = client.rooms.join({ room: 'a', since: 1 }, {
    reconnect: { maxAttempts: 2 },
    onState: (state: FwSocketState, reason) => reason instanceof FwSocketError && reason.code === 1006 && state === 'lost',
    onRefused: ({ event, issues: [issue] }) => event + String(issue?.message),
    onMissed: (topic) => topic.length,
    protocols: ['b'],
  });
  const remove: () => void = room.on('said', ({ from, text }) => from.name + text);
  const isTaken: boolean = room.emit('say', { text: 'hello' });
  room.emit('typing-now');
  remove();
  // @ts-expect-error an unknown event
  room.emit('said', { text: 'a' });
  // @ts-expect-error data that is missing
  room.emit('say');
  // @ts-expect-error wrong data
  room.emit('say', { text: 1 });
  // @ts-expect-error an event that the client does not get
  room.on('say', () => undefined);
  // @ts-expect-error a parameter that is missing
  client.rooms.join({});
  for await (const { from } of room.events('said')) return isTaken ? from : undefined;
  room.close(4000, 'bye');
  const feed = client.feed();
  feed.on('any', (data: unknown) => data);
  // @ts-expect-error it takes no events
  feed.emit('any');
  const typed: FwSocket<FwSockets['feed']['sends'], FwSockets['feed']['receives']> = feed;
  return typed.state === 'open' ? undefined : undefined;
}
`;

const carried = `import { FwRpcClient } from './client.js';
let room: ReturnType<FwRpcClient['rooms']['join']> | undefined;
const client = new FwRpcClient('https://example.org/rpc', { socket: (own) => (room ??= own.rooms.join({ room: 'a' })) });
export async function use(): Promise<number> {
  for await (const { id } of client.onTaskDone({ most: 1 })) if (id === 1) break;
  const own = client.rooms.join({ room: 'b' });
  for await (const { id } of client.onTaskDone({ most: 1 }, { socket: own })) return id;
  // @ts-expect-error a socket that carries none
  client.onTaskDone({ most: 1 }, { socket: client.feed() });
  return 0;
}
`;

const libraryUse = `import { FwRpcClient } from './client.js';
declare const Own: typeof WebSocket;
const client = new FwRpcClient('/', { signal: AbortSignal.timeout(1), sockets: { WebSocket: Own } });
export const open = (): void => client.feed({ signal: AbortSignal.timeout(1), WebSocket }).close();
`;

const wsUse = `import WebSocket from 'ws';
import { FwRpcClient } from './client.js';
export const client: FwRpcClient = new FwRpcClient('/', { sockets: { WebSocket } });
`;

const kinds: readonly (readonly [string, ClientTypes, typeof options])[] = [
  ['sockets alone', socketsAlone, rest],
  ['routes', withRoutes, rest],
  ['procedures over JSON-RPC', withSubscriptions, options],
  ['procedures over REST', withSubscriptions, rest],
  ['queries', withQueries, options],
];

describe.each(kinds)('a client with sockets and %s', (name, wire, mode) => {
  it('compiles under the strictest options, with its declarations', () => {
    const programs = name.startsWith('procedures') ? [use, carried] : [use];
    const checked = programs.flatMap((program): CheckedProgram[] => [
      [{ 'client.ts': printClient(wire, mode) }, program],
      [{ 'client.d.ts': printDeclaredClient(wire, mode) }, program],
    ]);
    for (const compiler of compilers) expect(checkAll(compiler, checked)).toBe('');
  });

  it('is read back, for fw generate --diff', () => {
    const { procedures, named } = readClient(printClient(wire, mode));
    expect(Object.keys(procedures)).toEqual(Object.keys(wire.procedures));
    expect(Object.keys(named)).toEqual(['User']);
    expect(Object.keys(readClient(printDeclaredClient(wire, mode)).named)).toEqual(['User']);
  });

  it('has a file of queries without them', () => {
    expect(printQueries(wire, { client: './client.js', version: '1' })).not.toMatch(/feed|join/);
  });
});

describe('a client with sockets', () => {
  it('takes the WebSocket of browsers, and that of ws', () => {
    const client = { 'client.ts': printClient(socketsAlone, rest) };
    expect(check(directory, 'typescript', client, libraryUse, libraries.browser)).toBe('');
    const ws = {
      ...libraries.node,
      types: ['node', 'ws'],
      esModuleInterop: true,
      paths: { ws: [join(String(libraries.node?.typeRoots), 'ws/index.d.ts')] },
    };
    expect(check(directory, 'typescript', client, wsUse, ws)).toBe('');
    rmSync(join(directory, 'client.ts'));
  });

  it('has their comments', () => {
    const text = printClient(socketsAlone, rest);
    expect(text).toContain('    /** The messages of a room. */\n    join: (input');
    expect(text).toContain('  /** @deprecated */\n  feed(options?: FwSocketOptions)');
    const described = {
      ...room,
      receives: {
        ...room.receives,
        fields: room.receives.fields.map((field) => ({ ...field, description: 'A message.' })),
      },
    };
    expect(printClient({ ...socketsAlone, sockets: { join: described } }, rest)).toContain(
      '      /** A message. */\n      said: ',
    );
  });

  it('refuses two fields of one name', () => {
    const twice = { ...room, query: room.params };
    expect(() => printClient({ ...socketsAlone, sockets: { join: twice } }, rest)).toThrow(
      "the input of 'join' (WEBSOCKET /rooms/:room) in the client would have two fields 'room', of path and query; rename one of them",
    );
  });

  it('has nothing of them without a socket', () => {
    for (const mode of [options, rest]) expect(printClient(types, mode)).not.toMatch(/socket/i);
    expect(printClient({ ...withSubscriptions, sockets: { feed } }, options)).not.toMatch(/carr(?:y|ie)/i);
  });
});
