// Fuzzing: makes a request that fails smaller, part by part, for as long as it fails in the same way.
import type { FuzzCase } from './fuzz-case.js';

/** A request is tried in so many smaller forms at most. */
const MOST_TRIES = 300;

/** @param fails whether a request fails in the same way */
export async function smallerCase(
  one: FuzzCase,
  fails: (smaller: FuzzCase) => Promise<boolean>,
): Promise<FuzzCase> {
  let smallest = one;
  let tries = 0;
  for (let found = true; found; ) {
    found = false;
    for (const candidate of smallerCases(smallest)) {
      if (tries++ >= MOST_TRIES) return smallest;
      if (!(await fails(candidate))) continue;
      smallest = candidate;
      found = true;
      break;
    }
  }
  return smallest;
}

function* smallerCases(one: FuzzCase): Iterable<FuzzCase> {
  if (one.extra !== 'nothing') yield { ...one, extra: 'nothing' };
  if (one.broken !== undefined) return;
  for (const [key, value] of Object.entries(one.parameters)) {
    if (value === undefined) continue;
    for (const smaller of [undefined, ...smallerValues(value)])
      yield { ...one, parameters: { ...one.parameters, [key]: smaller } };
  }
  if (one.body !== undefined) for (const body of smallerValues(one.body)) yield { ...one, body };
}

/** The smallest first. Each is smaller than the value, so that this ends. */
function* smallerValues(value: unknown): Iterable<unknown> {
  if (typeof value === 'string' && value !== '') {
    yield '';
    if (value.length > 1) yield value.slice(0, value.length / 2);
    if (value.length > 1) yield value.slice(value.length / 2);
  } else if (typeof value === 'number' && value !== 0) {
    yield 0;
    if (Math.abs(value) > 1) yield Math.trunc(value / 2);
  } else if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) yield value.toSpliced(at, 1);
    for (const [at, item] of value.entries())
      for (const smaller of smallerValues(item)) yield value.with(at, smaller);
  } else if (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype
  ) {
    for (const key of Object.keys(value)) {
      const { [key]: _, ...others } = value as Record<string, unknown>;
      yield others;
    }
    for (const [key, item] of Object.entries(value))
      for (const smaller of smallerValues(item)) yield { ...value, [key]: smaller };
  }
}
