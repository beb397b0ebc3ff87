// Inference: the types of the events that an async iterable yields, in TypeScript 7.
import type * as Api from 'typescript/unstable/sync';
import type { Checker, Type, TypeReference } from 'typescript/unstable/sync';
import { ITERABLES, isAsyncIterator, TRACKED } from '../walk/iterables.js';
import { isDeclared } from './symbol.js';

/** Undefined for a type that is not an async iterable. */
export function ts7Events(type: Type, checker: Checker, api: typeof Api): readonly Type[] | undefined {
  const yielded = iterated(type, checker, api, 0);
  if (yielded === undefined) return undefined;
  const members = yielded.isUnionType() ? yielded.getTypes() : [yielded];
  const events = members.map((one) => argumentOf(one, (name) => name === TRACKED, checker, api) ?? one);
  // The members of a union do not have its name.
  return events.every((one, index) => one === members[index]) ? [yielded] : events;
}

/** Classes may return another iterable from their own method, and that one again. */
const DEEPEST = 5;

function iterated(type: Type, checker: Checker, api: typeof Api, depth: number): Type | undefined {
  const known = argumentOf(type, (name) => ITERABLES.has(name), checker, api);
  if (known !== undefined || depth === DEEPEST) return known;
  if (!type.isObjectType() && !type.isIntersectionType()) return undefined;
  const method = checker.getPropertiesOfType(type).find(({ name }) => isAsyncIterator(name));
  const made = method && checker.getTypeOfSymbol(method);
  const [signature] = made === undefined ? [] : checker.getSignaturesOfType(made, api.SignatureKind.Call);
  const returned = signature && checker.getReturnTypeOfSignature(signature);
  return returned && iterated(returned, checker, api, depth + 1);
}

function argumentOf(
  type: Type,
  isWanted: (name: string) => boolean,
  checker: Checker,
  api: typeof Api,
): Type | undefined {
  if (!type.isObjectType() || !isDeclared(type, api) || !type.isTypeReference()) return undefined;
  const name = type.getSymbol()?.name;
  if (name === undefined || !isWanted(name)) return undefined;
  return checker.getTypeArguments(type as TypeReference)[0];
}
