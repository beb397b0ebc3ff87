// Inference: the data of the events of an app's sockets, from the types that `events<T>()` names.
import type { EventWireTypes, SocketTypes } from '../rpc/contract/route-types.js';
import { canonicalText, order } from '../wire/canonical.js';
import { withoutVoid } from '../wire/union-of.js';
import type { WireType } from '../wire/wire-type.js';
import type { Compiler, Finding, Property, SocketRegistration } from './compiler/compiler.js';
import { comparePlaces } from './compiler/place-of.js';
import type { EventDirection } from './find/find-sockets.js';
import type { FoundSocket } from './found-types.js';
import type { TypeNames } from './walk/defined-types.js';
import { TypeWalk } from './walk/type-walk.js';
import type { Findings } from './walk/walk-findings.js';

/** Types that JSON does not have are errors, because what clients send is checked by these types. */
export function readSockets<Type>(
  compiler: Compiler<Type>,
  registered: readonly SocketRegistration<Type>[],
  names: TypeNames,
  findings: Findings,
): FoundSocket[] {
  return inOrder(registered).map((socket) => {
    const { path, notes, prefix, place, receives, sends } = socket;
    const uses = { input: new Set<string>(), output: new Set<string>() };
    const read = (direction: EventDirection, events: readonly Property<Type>[]) =>
      eventTypes(compiler, socket, direction, events, { names, findings, uses });
    const types: SocketTypes = {
      ...notes,
      ...(prefix !== '' && { prefix }),
      ...(receives !== undefined && { receives: read('receives', receives) }),
      ...(sends !== undefined && { sends: read('sends', sends) }),
    };
    return { path, place, types, uses };
  });
}

/** By path. @param errors about sockets of one path with other events */
export function joinSockets(
  found: readonly FoundSocket[],
  errors: Finding[],
): Readonly<Record<string, SocketTypes>> {
  const sockets: Record<string, SocketTypes> = Object.create(null);
  const first = new Map<string, FoundSocket>();
  for (const socket of inOrder(found)) {
    const { path, types, place } = socket;
    const other = first.get(path);
    if (other === undefined) {
      first.set(path, socket);
      sockets[path] = types;
    } else if (textOf(types) !== textOf(other.types)) {
      const { file, line } = other.place;
      const message =
        `the socket ${path} is registered on another App too, at ${file}:${line}, with other events or another comment; ` +
        "give each App the path that it is mounted under: new App<'/chat'>()";
      errors.push({ place, message });
    }
  }
  return sockets;
}

type Used = { readonly input: Set<string>; readonly output: Set<string> };

function eventTypes<Type>(
  compiler: Compiler<Type>,
  { path, place }: SocketRegistration<Type>,
  direction: EventDirection,
  events: readonly Property<Type>[],
  { names, findings, uses }: { readonly names: TypeNames; readonly findings: Findings; readonly uses: Used },
): EventWireTypes {
  const types: Record<string, WireType> = Object.create(null);
  for (const { name, type, isOptional, place: declared } of sorted(events)) {
    const subject = { who: `socket ${path}`, name: `${path} ${name}`, place: declared() ?? place };
    const walk = new TypeWalk(compiler, names, subject, findings);
    const data = walk.event(direction === 'receives' ? 'input' : 'output', type, `${direction}.${name}`);
    types[name] = isOptional ? withoutVoid(data) : data;
    for (const one of walk.uses.input) uses.input.add(one);
    for (const one of walk.uses.output) uses.output.add(one);
  }
  return types;
}

/** By path, and then by the order of files and lines, which is the same for every compiler. */
function inOrder<Socket extends Pick<FoundSocket, 'path' | 'place'>>(
  sockets: readonly Socket[],
): readonly Socket[] {
  return sockets.toSorted((a, b) => order(a.path, b.path) || comparePlaces(a.place, b.place));
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
