// RPC: the text of a contract file, which `fw generate` writes and `loadContract` reads.

import { sortedType } from '../../wire/canonical.js';
import { printCompact } from '../../wire/print/print-compact.js';
import type { ProcedureNotes, WireType, WireTypes } from '../../wire/wire-type.js';
import type { EventWireTypes, RouteTypes, SocketTypes } from './route-types.js';

/** The version of the file's format; fw refuses other versions. */
export const CONTRACT_VERSION = 2;

/** Whether the text begins as that of a contract of this version. */
export function isOfThisVersion(text: string): boolean {
  return new RegExp(`^\\{\\s*"version":\\s*${CONTRACT_VERSION}\\b`).test(text);
}

/** What a contract file keeps. */
export interface ContractParts extends WireTypes {
  /** What the comments of procedures say, by the names of the procedures. */
  readonly notes?: Readonly<Record<string, ProcedureNotes>>;
  /** What is known about the routes of Apps, by method and path. */
  readonly routes?: Readonly<Record<string, RouteTypes>>;
  /** What is known about the sockets of Apps, by path. */
  readonly sockets?: Readonly<Record<string, SocketTypes>>;
}

/** Whether there is anything to keep. */
export function hasContract({ procedures, notes = {}, routes = {}, sockets = {} }: ContractParts): boolean {
  return [procedures, notes, routes, sockets].some((part) => Object.keys(part).length > 0);
}

/**
 * Sorted, with one line for each procedure and each named type, so that a diff shows what changed, and the text does
 * not depend on the compiler.
 */
export function contractText({
  procedures,
  named,
  notes = {},
  routes = {},
  sockets = {},
}: ContractParts): string {
  const procedureLines = lines(procedures, ({ kind, input, output }) => {
    const texts = [kind, textOf(input), textOf(output)];
    return `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`;
  });
  const namedLines = lines(named, (type) => JSON.stringify(textOf(type)));
  const sections = [
    `"version": ${CONTRACT_VERSION}`,
    `"procedures": ${procedureLines}`,
    `"named": ${namedLines}`,
    ...(Object.keys(notes).length > 0 ? [`"notes": ${lines(notes, (one) => JSON.stringify(one))}`] : []),
    ...(Object.keys(routes).length > 0 ? [`"routes": ${lines(routes, routeText)}`] : []),
    ...(Object.keys(sockets).length > 0 ? [`"sockets": ${lines(sockets, socketText)}`] : []),
  ];
  return `{\n  ${sections.join(',\n  ')}\n}\n`;
}

function routeText({ answers, description, deprecated, prefix }: RouteTypes): string {
  const bodies = Object.entries(answers ?? {}).map(([status, types]) => [
    status,
    Object.fromEntries(Object.entries(types).map(([media, type]) => [media, textOf(type)])),
  ]);
  return JSON.stringify({
    ...(prefix !== undefined && { prefix }),
    ...(answers !== undefined && { answers: Object.fromEntries(bodies) }),
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
  });
}

function socketText({ receives, sends, description, deprecated, prefix }: SocketTypes): string {
  return JSON.stringify({
    ...(prefix !== undefined && { prefix }),
    ...(receives !== undefined && { receives: eventTexts(receives) }),
    ...(sends !== undefined && { sends: eventTexts(sends) }),
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
  });
}

function eventTexts(events: EventWireTypes): Record<string, string> {
  const sorted = Object.entries(events).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, type]) => [name, textOf(type)]));
}

/** Most types are the same objects when a contract is written again. */
const texts = new WeakMap<WireType, string>();

function textOf(type: WireType): string {
  const known = texts.get(type);
  if (known !== undefined) return known;
  const text = printCompact(sortedType(type));
  texts.set(type, text);
  return text;
}

function lines<A>(values: Readonly<Record<string, A>>, print: (value: A) => string): string {
  const names = Object.keys(values).sort();
  if (names.length === 0) return '{}';
  return `{\n${names.map((name) => `    ${JSON.stringify(name)}: ${print(values[name] as A)}`).join(',\n')}\n  }`;
}
