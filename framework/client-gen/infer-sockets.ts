// Inference: the data of the events of an app's sockets, from the types that `events<T>()` names.
import type { EventWireTypes, SocketTypes } from '../rpc/route-types.js';
import { canonicalText, order } from '../rpc/types/canonical.js';
import { withoutVoid } from '../rpc/types/union-of.js';
import type { WireType } from '../rpc/types/wire-type.js';
import type { Compiler, Property, SocketRegistration } from './compiler.js';
import type { DefinedTypes } from './defined-types.js';
import type { EventDirection } from './find-sockets.js';
import { TypeWalk } from './type-walk.js';
import type { Findings } from './walk-findings.js';

type Names = { readonly input: DefinedTypes; readonly output: DefinedTypes };

/** By path. Types that JSON does not have are errors, because what clients send is checked by these types. */
export function inferSockets<Type>(
  compiler: Compiler<Type>,
  registered: readonly SocketRegistration<Type>[],
  names: Names,
  findings: Findings,
): Readonly<Record<string, SocketTypes>> {
  const sockets: Record<string, SocketTypes> = Object.create(null);
  const first = new Map<string, SocketRegistration<Type>>();
  for (const socket of inOrder(registered)) {
    const { path, notes, prefix, place, receives, sends } = socket;
    const read = (direction: EventDirection, events: readonly Property<Type>[]) =>
      eventTypes(compiler, socket, direction, events, { names, findings });
    const types: SocketTypes = {
      ...notes,
      ...(prefix !== '' && { prefix }),
      ...(receives !== undefined && { receives: read('receives', receives) }),
      ...(sends !== undefined && { sends: read('sends', sends) }),
    };
    const other = first.get(path);
    if (other === undefined) {
      first.set(path, socket);
      sockets[path] = types;
    } else if (textOf(types) !== textOf(sockets[path] ?? {})) {
      const { file, line } = other.place;
      const message =
        `the socket ${path} is registered on another App too, at ${file}:${line}, with other events or another comment; ` +
        "give each App the path that it is mounted under: new App<'/chat'>()";
      findings.errors.push({ place, message });
    }
  }
  return sockets;
}

function eventTypes<Type>(
  compiler: Compiler<Type>,
  { path, place }: SocketRegistration<Type>,
  direction: EventDirection,
  events: readonly Property<Type>[],
  { names, findings }: { readonly names: Names; readonly findings: Findings },
): EventWireTypes {
  const types: Record<string, WireType> = Object.create(null);
  for (const { name, type, isOptional, place: declared } of sorted(events)) {
    const subject = { who: `socket ${path}`, name: `${path} ${name}`, place: declared() ?? place };
    const walk = new TypeWalk(compiler, names, subject, findings);
    const data = walk.event(direction === 'receives' ? 'input' : 'output', type, `${direction}.${name}`);
    types[name] = isOptional ? withoutVoid(data) : data;
  }
  return types;
}

/** By path, and then by the order of files and lines, which is the same for every compiler. */
function inOrder<Type>(sockets: readonly SocketRegistration<Type>[]): readonly SocketRegistration<Type>[] {
  return sockets.toSorted(
    (a, b) =>
      order(a.path, b.path) ||
      order(a.place.file, b.place.file) ||
      a.place.line - b.place.line ||
      a.place.column - b.place.column,
  );
}

function sorted<Type>(events: readonly Property<Type>[]): readonly Property<Type>[] {
  return events.toSorted((a, b) => order(a.name, b.name));
}

function textOf({ receives = {}, sends = {}, description, deprecated, prefix }: SocketTypes): string {
  const texts = [receives, sends].map((events) =>
    Object.entries(events).map(([name, type]) => [name, canonicalText(type)]),
  );
  return JSON.stringify([texts, description, deprecated, prefix]);
}
