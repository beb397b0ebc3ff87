// Fuzzing: texts, numbers and files, by the rules of their types.
import {
  type Arbitrary,
  constant,
  constantFrom,
  date,
  double,
  emailAddress,
  integer,
  ipV4,
  nat,
  oneof,
  sample,
  string,
  stringMatching,
  tuple,
  uint8Array,
  uuid,
  webUrl,
} from 'fast-check';
import type { Json, WireRules } from '../../wire/wire-type.js';
import { FILE_NAMES, HOSTILE_NUMBERS, HOSTILE_TEXTS } from './hostile-values.js';

const LONGEST_TEXT = 120;
/** Texts and lists that are as long as they may be are made up to here. */
export const LONGEST_LIMIT = 20_000;
/** Numbers without limits are at most so far from 0. */
const FAR = 1e6;

const FORMATTED: Readonly<Record<string, () => Arbitrary<string>>> = {
  uuid: () => uuid(),
  email: () => oneof(emailAddress(), constant('ada@example.org')),
  uri: () => oneof(webUrl(), constant('javascript:alert(1)'), constant('file:///etc/passwd')),
  ipv4: () => ipV4(),
  date: () => dates().map((at) => at.toISOString().slice(0, 10)),
  time: () => dates().map((at) => at.toISOString().slice(11)),
  'date-time': () => dates().map((at) => at.toISOString()),
  byte: () => uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64')),
};

function dates(): Arbitrary<Date> {
  const ends = [
    '0001-01-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '2024-02-29T12:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ];
  return oneof(
    date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
    constantFrom(...ends).map((text) => new Date(text)),
  );
}

/** Texts that keep the rules, with the lengths at the ends of their limits. */
export function textOf({ format, pattern, minLength, maxLength }: WireRules): Arbitrary<string> {
  const least = limitOf(minLength, 0);
  const most = Math.max(least, limitOf(maxLength, Number.POSITIVE_INFINITY));
  const fits = (text: string): boolean => {
    const { length } = [...text];
    return length >= least && length <= most;
  };
  const formatted =
    typeof format === 'string' && Object.hasOwn(FORMATTED, format) ? FORMATTED[format] : undefined;
  if (formatted !== undefined) return formatted();
  const ends = [least, Number.isFinite(most) ? most : least].filter((length) => length <= LONGEST_LIMIT);
  const hostile = HOSTILE_TEXTS.filter(fits);
  const plain = oneof(
    {
      weight: 4,
      arbitrary: string({
        unit: 'grapheme-ascii',
        minLength: least,
        maxLength: Math.min(most, least + LONGEST_TEXT),
      }),
    },
    {
      weight: 1,
      arbitrary: string({ unit: 'binary', minLength: least, maxLength: Math.min(most, least + 20) }).filter(
        fits,
      ),
    },
    { weight: 1, arbitrary: constantFrom(...ends.map((length) => 'x'.repeat(length))) },
    ...(hostile.length > 0 ? [{ weight: 3, arbitrary: constantFrom(...hostile) }] : []),
  );
  return typeof pattern === 'string' ? matching(pattern, plain, fits) : plain;
}

/** Texts by patterns that few texts match, which take long to make. */
const MATCHING = new Map<string, Arbitrary<string>>();

/** Most patterns forbid characters; others say what each is, and need texts that are made of them. */
function matching(
  pattern: string,
  plain: Arbitrary<string>,
  fits: (text: string) => boolean,
): Arbitrary<string> {
  const expression = expressionOf(pattern);
  if (expression === undefined) return plain;
  const isFine = (text: string): boolean => expression.test(text) && fits(text);
  const some = sample(plain, { numRuns: 40, seed: 1 });
  if (some.filter(isFine).length > some.length / 4) return plain.filter(isFine);
  const known = MATCHING.get(pattern) ?? made(expression);
  MATCHING.set(pattern, known);
  return known.filter(isFine);
}

function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    // Not an expression of JavaScript: the app decides what matches it.
    return undefined;
  }
}

/** Fast-check does not know all that an expression can have: the app refuses what does not match it. */
function made(expression: RegExp): Arbitrary<string> {
  try {
    return stringMatching(expression);
  } catch {
    return string({ maxLength: 20 });
  }
}

/** Texts as people write them. */
export function plainTextOf(rules: WireRules): Arbitrary<string> {
  const { format, pattern, minLength, maxLength } = rules;
  if (typeof format === 'string' || typeof pattern === 'string') return textOf(rules);
  const least = Math.max(limitOf(minLength, 0), 1);
  const most = Math.max(least, Math.min(limitOf(maxLength, least + 10), least + 10));
  return string({
    unit: constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
    minLength: Math.min(least + 2, most),
    maxLength: most,
  });
}

/** Numbers as people write them, if the rules allow such. */
export function plainNumberOf(rules: WireRules, isInteger: boolean): Arbitrary<unknown> {
  const hasRules = Object.keys(rules).some((name) => name !== 'format');
  return hasRules ? numberOf(rules, isInteger) : integer({ min: 1, max: 20 });
}

/** Numbers that keep the rules, with both ends of their limits. */
export function numberOf(rules: WireRules, isInteger: boolean): Arbitrary<unknown> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules;
  const least = Math.max(limitOf(minimum, -Infinity), limitOf(exclusiveMinimum, -Infinity));
  const most = Math.min(limitOf(maximum, Infinity), limitOf(exclusiveMaximum, Infinity));
  const isWhole = isInteger || (typeof multipleOf === 'number' && Number.isInteger(multipleOf));
  const fits = (value: number): boolean =>
    value >= least &&
    value <= most &&
    value !== exclusiveMinimum &&
    value !== exclusiveMaximum &&
    (!isWhole || Number.isSafeInteger(value)) &&
    (typeof multipleOf !== 'number' || Number.isInteger(value / multipleOf));
  const step = typeof multipleOf === 'number' ? multipleOf : 1;
  const near = [least, least + step, most, most - step, 0, 1, 2, step].filter(Number.isFinite);
  const special = [...near, ...HOSTILE_NUMBERS].filter(fits);
  const [low, high] = rangeOf(least, most);
  const made = isWhole
    ? integer({ min: Math.ceil(low), max: Math.floor(high) }).map((value) => Math.round(value / step) * step)
    : double({ min: low, max: high, noNaN: true });
  const fitting = made.filter(fits);
  return special.length === 0 ? fitting : oneof(fitting, constantFrom(...special));
}

/** Where both ends are far away, what is near the one that is there, or near 0. */
function rangeOf(least: number, most: number): readonly [low: number, high: number] {
  if (Number.isFinite(least)) return [least, Math.max(least, Math.min(most, least + 2 * FAR))];
  return Number.isFinite(most) ? [most - 2 * FAR, most] : [-FAR, FAR];
}

/** Files with names of all kinds. */
export function files(): Arbitrary<File> {
  const types = ['text/plain', 'image/png', 'image/svg+xml', 'application/octet-stream', ''];
  return tuple(constantFrom(...FILE_NAMES), constantFrom(...types), nat(3)).map(
    ([name, type, size]) => new File(['x'.repeat(size * 10)], name, { type }),
  );
}

/** The limit of a rule. */
export function limitOf(limit: Json | undefined, otherwise: number): number {
  return typeof limit === 'number' ? limit : otherwise;
}
