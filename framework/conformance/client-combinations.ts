// Clients of every combination of what their text depends on, for the tests of that text.
import { parseType } from '../wire/read/parse-type.js';
import type {
  ClientRoute,
  ClientRoutes,
  ClientSockets,
  ClientTypes,
  ProcedureTypes,
} from '../wire/wire-type.js';
import { procedure } from './checked-client.js';
import { feed, room } from './socket-client.js';

const parts = ['query', 'mutation', 'subscription', 'errors', 'files', 'routes', 'forms', 'sockets'] as const;
type Part = (typeof parts)[number];

const route: ClientRoute = {
  method: 'GET',
  path: '/pages/:id',
  params: [{ name: 'id', type: { kind: 'string' }, isOptional: false }],
  query: [{ name: 'tags', type: parseType('string[]'), isOptional: true }],
  body: undefined,
  answers: { 200: parseType('User'), 201: { kind: 'void' } },
  text: [201],
  errors: { 404: parseType('{ why: string }') },
};

const routes: ClientRoutes = {
  'pages.get': route,
  ping: { ...route, path: '/ping', params: [], query: [], answers: {}, text: [], errors: {} },
  'pages.put': {
    ...route,
    method: 'PUT',
    body: { contentType: 'application/json', type: parseType('User') },
    answers: { 200: parseType('User') },
    text: [],
    deprecated: true,
  },
};

const form: ClientRoute = {
  ...route,
  method: 'POST',
  body: { contentType: 'multipart/form-data', type: parseType('{ title: string; file: File }') },
};

const sockets: ClientSockets = { 'rooms.join': room, feed };

function proceduresOf(has: ReadonlySet<Part>): Record<string, ProcedureTypes> {
  const errors = has.has('errors') ? { errors: { gone: { data: parseType('{ why: string }') } } } : {};
  return {
    ...(has.has('query') && {
      getUser: { ...procedure('query', '{ id: string }', 'User'), ...errors, description: 'One user.' },
      count: procedure('query', 'void', 'number'),
      loose: procedure('query', '{ a?: string } | void', 'unknown'),
    }),
    ...(has.has('mutation') && {
      'team.roles.set': { ...procedure('mutation', '{ id: string }', 'void'), ...errors },
      reset: procedure('mutation', 'void', 'string | void'),
      ...(has.has('files') && { upload: procedure('mutation', '{ file: File }', 'number') }),
    }),
    ...(has.has('subscription') && {
      onTaskDone: { ...procedure('subscription', '{ most: number }', '{ id: number }'), ...errors },
      ticks: procedure('subscription', 'void', 'unknown'),
    }),
  };
}

/** Whether the parts can stand together: errors need a procedure, files a mutation, forms routes. */
function isPossible(has: ReadonlySet<Part>): boolean {
  const hasProcedures = has.has('query') || has.has('mutation') || has.has('subscription');
  return (
    (!has.has('errors') || hasProcedures) &&
    (!has.has('files') || has.has('mutation')) &&
    (!has.has('forms') || has.has('routes'))
  );
}

function typesOf(has: ReadonlySet<Part>): ClientTypes {
  return {
    named: { User: parseType('{ id: string; name: string | null }') },
    procedures: proceduresOf(has),
    ...(has.has('routes') && { routes: has.has('forms') ? { ...routes, 'pages.form': form } : routes }),
    ...(has.has('sockets') && { sockets }),
  };
}

/** All of them, by the names of their parts. */
export function combinations(): [name: string, types: ClientTypes][] {
  return Array.from({ length: 2 ** parts.length }, (_, bits) => parts.filter((_part, at) => bits & (1 << at)))
    .filter((some) => isPossible(new Set(some)))
    .map((some) => [some.join(' ') || 'nothing', typesOf(new Set(some))]);
}
