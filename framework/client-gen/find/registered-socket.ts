// Inference: what a call registers on an App: its socket, the types of the events, and its comment.
import type { ProcedureNotes } from '../../wire/wire-type.js';
import type { Asked, Place, Property, Shape, SocketRegistration } from '../compiler/compiler.js';
import { describedText } from '../walk/doc-comment.js';
import { type EventDirection, knownInCode, type SocketCall } from './find-sockets.js';
import { pathOfConstant, whole } from './registered-route.js';

/**
 * @param prefix of the type of the App
 * @param withNotes whether a document or a client shows the comment
 * @returns undefined if nothing of it is inferred, or its path is not known
 */
export function registeredSocket<Type>(
  call: SocketCall,
  prefix: string,
  asked: Asked<Type>,
  place: Place,
  withNotes: boolean,
): SocketRegistration<Type> | undefined {
  const path = call.path ?? pathOfConstant(call.pathNode, asked);
  if (path === undefined) return undefined;
  const declared = call.isDeclared ? asked.declaredAt(call.socket) : undefined;
  const known = call.isDeclared ? knownInCode(declared?.code ?? '') : call.known;
  const type = known.size === 2 ? undefined : asked.typeAt(call.socket);
  const events = (direction: EventDirection) =>
    known.has(direction) || type === undefined ? undefined : eventsOf(type, direction, asked);
  const notes = withNotes ? notesOf(call.comment ?? declared?.comment) : {};
  const [receives, sends] = [events('receives'), events('sends')];
  if (receives === undefined && sends === undefined && Object.keys(notes).length === 0) return undefined;
  return { path: whole(prefix, path), prefix, place, notes, receives, sends };
}

function notesOf(comment: SocketCall['comment']): ProcedureNotes {
  if (comment === undefined) return {};
  const description = describedText(comment);
  const { deprecated } = comment;
  return {
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
  };
}

/** The events in the property `~receives` or `~sends` of the type; undefined if it has none. */
function eventsOf<Type>(
  type: Type,
  direction: EventDirection,
  { shape }: Asked<Type>,
): readonly Property<Type>[] | undefined {
  const route = shape(type);
  if (route.kind !== 'object') return undefined;
  const property = route.properties().find(({ name }) => name === `~${direction}`);
  const events = property && present(shape(property.type), shape);
  if (events?.kind !== 'object' || events.builtIn !== undefined) return undefined;
  const properties = events.properties();
  return properties.length === 0 ? undefined : properties;
}

/** The property is optional: without `undefined`. */
function present<Type>(type: Shape<Type>, shape: (type: Type) => Shape<Type>): Shape<Type> | undefined {
  if (type.kind !== 'union') return type;
  const others = type.members.map(shape).filter(({ kind }) => kind !== 'undefined');
  return others.length === 1 ? others[0] : undefined;
}
