// The client of an App: the types of one WebSocket, from its extractors, and from the schemas or the contract of its events.
import type { SocketEvents } from '../../extract/socket-route.js';
import type { DocumentSchemas } from '../../openapi/routes/document-schemas.js';
import { routeNotes } from '../../openapi/routes/route-notes.js';
import { routeName, type ShownSocket } from '../../openapi/routes/shown-route.js';
import type { EventWireTypes, SocketTypes } from '../../rpc/contract/route-types.js';
import { schemasOf } from '../../websocket/events.js';
import type { ClientSocket, ObjectType, WireField } from '../../wire/wire-type.js';
import { fieldsFrom, paramsOf, toldOf } from './route-types-of.js';

const NONE: ObjectType = { kind: 'object', fields: [] };
/** Events of plain types that no contract has. */
const ANY: ObjectType = { kind: 'object', fields: [], values: { kind: 'unknown' } };

/** Without the events of the contract, whose types get their names after those of all schemas. */
export function socketTypesOf(
  route: ShownSocket,
  schemas: DocumentSchemas,
  inferred: SocketTypes | undefined,
): ClientSocket {
  const { socket, pattern, description } = route;
  const notes = routeNotes(description.options, inferred);
  const told = toldOf(notes);
  const events = (direction: 'receives' | 'sends', side: 'input' | 'output') =>
    declaredEvents(`${direction} of ${routeName(route)}`, socket[direction], side, schemas);
  return {
    path: pattern.source,
    params: paramsOf(route, schemas),
    query: fieldsFrom(route, 'query', schemas),
    sends: events('receives', 'input'),
    receives: events('sends', 'output'),
    hasRpc: socket.hasRpc,
    ...(told !== '' && { description: told }),
    ...(notes.deprecated === true && { deprecated: true }),
  };
}

function declaredEvents(
  what: string,
  events: SocketEvents | undefined,
  side: 'input' | 'output',
  schemas: DocumentSchemas,
): ObjectType {
  if (events === undefined) return NONE;
  const declared = schemasOf(events);
  if (declared === undefined) return ANY;
  return {
    kind: 'object',
    fields: [...declared].map(([name, schema]): WireField => {
      const { description, ...type } = schemas.eventType(`${name} in ${what}`, schema, side);
      return { name, type, isOptional: false, ...(description !== undefined && { description }) };
    }),
  };
}

/** With the events that `fw generate` inferred, where they have no schemas. */
export function withInferredEvents(
  socket: ClientSocket,
  inferred: SocketTypes | undefined,
  schemas: DocumentSchemas,
): ClientSocket {
  const events = (own: ObjectType, types: EventWireTypes | undefined): ObjectType => {
    if (own !== ANY || types === undefined) return own;
    const fields = Object.entries(types).map(([name, type]): WireField => {
      return { name, type: schemas.inferredType(type), isOptional: false };
    });
    return { kind: 'object', fields };
  };
  return {
    ...socket,
    sends: events(socket.sends, inferred?.receives),
    receives: events(socket.receives, inferred?.sends),
  };
}
