// Inference: the types of the events that an async iterable yields, in TypeScript 6.
import type * as Ts from 'typescript-6';
import { ITERABLES, isAsyncIterator, TRACKED } from '../walk/iterables.js';
import { isDeclared } from './symbol.js';

/** Undefined for a type that is not an async iterable. */
export function ts6Events(
  type: Ts.Type,
  checker: Ts.TypeChecker,
  api: typeof Ts,
): readonly Ts.Type[] | undefined {
  const yielded = iterated(type, checker, api, 0);
  if (yielded === undefined) return undefined;
  const members = yielded.isUnion() ? yielded.types : [yielded];
  const events = members.map((one) => argumentOf(one, (name) => name === TRACKED, checker, api) ?? one);
  // The members of a union do not have its name.
  return events.every((one, index) => one === members[index]) ? [yielded] : events;
}

/** Classes may return another iterable from their own method, and that one again. */
const DEEPEST = 5;

function iterated(
  type: Ts.Type,
  checker: Ts.TypeChecker,
  api: typeof Ts,
  depth: number,
): Ts.Type | undefined {
  const known = argumentOf(type, (name) => ITERABLES.has(name), checker, api);
  if (known !== undefined || depth === DEEPEST) return known;
  const method = checker
    .getPropertiesOfType(type)
    .find(({ escapedName }) => isAsyncIterator(escapedName as string));
  const [signature] = method === undefined ? [] : checker.getTypeOfSymbol(method).getCallSignatures();
  return signature && iterated(signature.getReturnType(), checker, api, depth + 1);
}

function argumentOf(
  type: Ts.Type,
  isWanted: (name: string) => boolean,
  checker: Ts.TypeChecker,
  api: typeof Ts,
): Ts.Type | undefined {
  const name = isDeclared(type, api) ? type.getSymbol()?.name : undefined;
  if (name === undefined || !isWanted(name)) return undefined;
  return checker.getTypeArguments(type as Ts.TypeReference)[0];
}
