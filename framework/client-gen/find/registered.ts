// Inference: what a call registers if its syntax is not enough: names that are constants, options in variables.

import type { ProcedureNotes } from '../../wire/wire-type.js';
import type { Asked, Gathered, Place } from '../compiler/compiler.js';
import type { SyntaxNode } from '../compiler/syntax.js';
import { describedText } from '../walk/doc-comment.js';
import type { HasNote, RegistrationCall } from './find-registrations.js';

/** The queries about a call of a registry. */
interface AskedOfRegistry<Type> extends Asked<Type> {
  /** The type of the registry's property `prefix`; undefined if it does not have it. */
  prefix(): Type | undefined;
}

interface Registered {
  /** Several if the type of the name is a union of literals, as in a loop. */
  readonly names: readonly string[];
  readonly hasSchema: RegistrationCall['hasSchema'];
}

/** Undefined if there is nothing to infer; adds findings about the registration. */
export function registered<Type>(
  call: RegistrationCall,
  asked: AskedOfRegistry<Type>,
  place: Place,
  { places, findings, notes }: Pick<Gathered<Type>, 'places' | 'findings' | 'notes'>,
): Registered | undefined {
  const bare = call.name === undefined ? literals(call.nameNode, asked) : [call.name];
  const group = groupOf(asked);
  const names = group === '' ? bare : bare.map((name) => `${group}.${name}`);
  for (const name of names) places.push([name, place]);
  const given = call.options === undefined ? call : givenBy(call.options, asked);
  const found = notesOf(call, given.hasNote, asked);
  if (found !== undefined) notes.push(...names.map((name) => ({ name, place, notes: found })));
  if (call.hasTexts) return undefined;
  if (names.length === 0) {
    findings.push({
      place,
      message:
        'the types of a procedure whose name is not a literal cannot be inferred; in a loop, take the names from a ' +
        "list of literals, such as ['a', 'b'] as const",
    });
    return undefined;
  }
  return { names, hasSchema: given.hasSchema };
}

/** The name of the registry's group; empty without one. */
function groupOf<Type>({ prefix, shape }: AskedOfRegistry<Type>): string {
  const type = prefix();
  const group = type && shape(type);
  return group?.kind === 'literal' && typeof group.value === 'string' ? group.value : '';
}

/** Undefined if the comment says nothing that the options do not say. */
function notesOf<Type>(
  { comment: own, isDeclared, handler }: RegistrationCall,
  hasNote: HasNote,
  asked: Asked<Type>,
): ProcedureNotes | undefined {
  if (hasNote.description && hasNote.deprecated) return undefined;
  const comment = own ?? (isDeclared ? asked.declaredAt(handler)?.comment : undefined);
  if (comment === undefined) return undefined;
  const description = hasNote.description ? undefined : describedText(comment);
  const deprecated = hasNote.deprecated ? undefined : comment.deprecated;
  if (description === undefined && deprecated === undefined) return undefined;
  return {
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
  };
}

function literals<Type>(node: SyntaxNode, { typeAt, shape }: Asked<Type>): string[] {
  const type = typeAt(node);
  if (type === undefined) return [];
  const whole = shape(type);
  const members = whole.kind === 'union' ? whole.members.map(shape) : [whole];
  const names = members.flatMap((one) =>
    one.kind === 'literal' && typeof one.value === 'string' ? [one.value] : [],
  );
  return names.length === members.length ? names : [];
}

/** Options of an unknown type are assumed to have both schemas: the registry knows them at run time. */
function givenBy<Type>(
  node: SyntaxNode,
  { typeAt, shape }: Asked<Type>,
): Pick<RegistrationCall, 'hasSchema' | 'hasNote'> {
  const type = typeAt(node);
  const options = type && shape(type);
  if (options?.kind !== 'object' || options.values.length > 0) {
    return {
      hasSchema: { input: true, output: true },
      hasNote: { description: false, deprecated: false },
    };
  }
  const names = new Set(options.properties().map(({ name }) => name));
  return {
    hasSchema: { input: names.has('input'), output: names.has('output') },
    hasNote: { description: names.has('description'), deprecated: names.has('deprecated') },
  };
}

/** The message for a handler with overloads, whose types depend on the input. */
export function overloaded(name: string, signatures: number): string {
  return (
    `the handler of '${name}' has ${signatures} signatures, and its types are not inferred; ` +
    'give a function with one: (input: …) => handler(input)'
  );
}

export function unreadable(name: string): string {
  return `the handler of '${name}' is not a function whose type can be read`;
}
