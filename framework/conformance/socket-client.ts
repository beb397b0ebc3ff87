// Clients with sockets of every shape, for the tests of their text and of what they do.

import { parseType } from '../wire/read/parse-type.js';
import type { ClientSocket, ClientTypes, ObjectType, WireType } from '../wire/wire-type.js';
import { procedure } from './checked-client.js';
import { clientCode } from './client-form.js';

/** The data of events by their names, as type strings. */
function eventTypes(events: Readonly<Record<string, string>>): ObjectType {
  const fields = Object.entries(events).map(([name, type]) => ({
    name,
    type: parseType(type),
    isOptional: false,
  }));
  return { kind: 'object', fields };
}

const text: WireType = { kind: 'string' };

export const room: ClientSocket = {
  path: '/rooms/:room',
  params: [{ name: 'room', type: text, isOptional: false }],
  query: [{ name: 'since', type: { kind: 'number' }, isOptional: true }],
  sends: eventTypes({ say: '{ text: string }', 'typing-now': 'void' }),
  receives: eventTypes({ said: '{ from: User; text: string }' }),
  hasRpc: true,
  description: 'The messages of a room.',
};

/** Without parameters, with events whose data nobody knows, and none in the other direction. */
export const feed: ClientSocket = {
  path: '/feed',
  params: [],
  query: [],
  sends: eventTypes({}),
  receives: { kind: 'object', fields: [], values: { kind: 'unknown' } },
  hasRpc: false,
  deprecated: true,
};

const named = { User: parseType('{ id: string; name: string }') };
const sockets = { 'rooms.join': room, feed };

export const socketsAlone: ClientTypes = { procedures: {}, named, sockets };
export const withRoutes: ClientTypes = {
  ...socketsAlone,
  routes: {
    'rooms.list': {
      method: 'GET',
      path: '/rooms',
      params: [],
      query: [],
      body: undefined,
      answers: { 200: parseType('User[]') },
      text: [],
      errors: {},
    },
  },
};
export const withSubscriptions: ClientTypes = {
  ...socketsAlone,
  procedures: {
    count: procedure('query', 'void', 'number'),
    onTaskDone: {
      ...procedure('subscription', '{ most: number }', '{ id: number }'),
      errors: { gone: { data: parseType('{ why: string }') } },
    },
  },
};
export const withQueries: ClientTypes = {
  ...socketsAlone,
  procedures: { count: procedure('query', 'void', 'number') },
};

/** What tests need of a socket of a client. */
export interface TrialSocket {
  readonly state: string;
  on(event: string, listener: (data: unknown) => void): () => void;
  events(event: string): AsyncGenerator<unknown, void, undefined>;
  emit(event: string, data?: unknown): boolean;
  close(code?: number, reason?: string): void;
}

export interface TrialClient {
  readonly rooms: { join(input: object, options?: object): TrialSocket };
  feed(options?: object): TrialSocket;
  onTaskDone(input: object, options?: object): AsyncGenerator<unknown, void, undefined>;
}

/** The module of a printed client. */
export interface TrialModule {
  readonly FwRpcClient: new (baseUrl?: string, options?: object) => TrialClient;
  readonly FwSocketError: new () => Error;
  isErrorOf(error: unknown, name: string): boolean;
}

/** Imports the text of a client. */
export async function loadClient(printed: string): Promise<TrialModule> {
  const code = await clientCode(printed);
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as TrialModule;
}
