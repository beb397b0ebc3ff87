// Types: the keywords of JSON Schema that narrow a type, as checks.

import { sortedJson } from '../canonical.js';
import { FORMATS } from '../formats.js';
import type { Json, WireRules } from '../wire-type.js';

/** Returns what is wrong with a value; undefined if nothing is. */
type Rule = (value: unknown) => string | undefined;

/** Keywords for another kind of value are ignored, as in JSON Schema. @internal */
export function compileRules(rules: WireRules): Rule | undefined {
  const found: Rule[] = [];
  // Lengths first, so that patterns are not run on strings that are too long.
  for (const [name, make] of Object.entries(MAKERS)) {
    const limit = rules[name];
    if (limit !== undefined && limit !== null) found.push(...make(limit));
  }
  if (found.length === 0) return undefined;
  return (value) => {
    for (const rule of found) {
      const message = rule(value);
      if (message !== undefined) return message;
    }
    return undefined;
  };
}

const MAKERS: Readonly<Record<string, (limit: Json) => readonly Rule[]>> = {
  minLength: (limit) => text((value) => codePoints(value) >= Number(limit), `at least ${limit} characters`),
  maxLength: (limit) => text((value) => codePoints(value) <= Number(limit), `at most ${limit} characters`),
  format: (limit) => {
    const format = typeof limit === 'string' && Object.hasOwn(FORMATS, limit) ? FORMATS[limit] : undefined;
    return format ? text(format, `a string of format ${limit}`) : [];
  },
  pattern: (limit) => {
    const pattern = regExp(String(limit));
    return text((value) => pattern.test(value), `a string that matches ${limit}`);
  },
  allOf: (limit) => {
    if (!Array.isArray(limit)) return [];
    const inner = limit.map((one: Json) => compileRules(one as WireRules));
    return inner.filter((rule) => rule !== undefined);
  },
  minimum: (limit) => number((value) => value >= Number(limit), `at least ${limit}`),
  maximum: (limit) => number((value) => value <= Number(limit), `at most ${limit}`),
  exclusiveMinimum: (limit) => number((value) => value > Number(limit), `more than ${limit}`),
  exclusiveMaximum: (limit) => number((value) => value < Number(limit), `less than ${limit}`),
  multipleOf: (limit) => number((value) => Number.isInteger(value / Number(limit)), `a multiple of ${limit}`),
  minItems: (limit) => list((value) => value.length >= Number(limit), `at least ${limit} items`),
  maxItems: (limit) => list((value) => value.length <= Number(limit), `at most ${limit} items`),
  uniqueItems: (limit) => (limit === true ? list(isUnique, 'items that differ') : []),
  minProperties: (limit) => keys((count) => count >= Number(limit), `at least ${limit} keys`),
  maxProperties: (limit) => keys((count) => count <= Number(limit), `at most ${limit} keys`),
};

function text(isGood: (value: string) => boolean, wanted: string): Rule[] {
  return [(value) => (typeof value === 'string' && !isGood(value) ? `expected ${wanted}` : undefined)];
}
function number(isGood: (value: number) => boolean, wanted: string): Rule[] {
  return [(value) => (typeof value === 'number' && !isGood(value) ? `expected ${wanted}` : undefined)];
}
function list(isGood: (value: readonly unknown[]) => boolean, wanted: string): Rule[] {
  return [(value) => (Array.isArray(value) && !isGood(value) ? `expected ${wanted}` : undefined)];
}
function keys(isGood: (count: number) => boolean, wanted: string): Rule[] {
  return [
    (value) => {
      if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
      return isGood(Object.keys(value).length) ? undefined : `expected ${wanted}`;
    },
  ];
}

/** JSON Schema counts code points. */
function codePoints(value: string): number {
  let count = value.length;
  // Stryker disable next-line EqualityOperator: behind the end there is no code point
  for (let at = 0; at < value.length; at++) if ((value.codePointAt(at) ?? 0) > 0xff_ff) count--;
  return count;
}

/** Patterns come only from the application. Some are invalid with the flag `u`, and are compiled without it. */
function regExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

/** Items that are nested too deeply to be compared as text count as different. */
function isUnique(value: readonly unknown[]): boolean {
  const texts = new Set<string>();
  for (const item of value) {
    const shown = boundedJson(item, 0);
    if (shown === undefined) continue;
    if (texts.has(shown)) return false;
    texts.add(shown);
  }
  return true;
}

function boundedJson(value: unknown, depth: number): string | undefined {
  return isDeep(value, depth) ? undefined : sortedJson(value as Json);
}

function isDeep(value: unknown, depth: number): boolean {
  if (depth > 200) return true;
  if (value === null || typeof value !== 'object') return false;
  return Object.values(value).some((one) => isDeep(one, depth + 1));
}
