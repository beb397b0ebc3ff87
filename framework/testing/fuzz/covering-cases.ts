// Fuzzing: what every run tries of an operation, whatever chance brings: all callers, the ends of all limits, each
// choice, what may be left out, and the texts that show whether a program takes them for something else.
import { sample } from 'fast-check';
import type { Detail } from '../../api-model/detail.js';
import { parameterKey } from '../../api-model/request-plan.js';
import { checkOf, resolvedType } from '../../api-model/type-space.js';
import { membersThrough } from '../../wire/union-of.js';
import type { WireType } from '../../wire/wire-type.js';
import { NOBODY, STRANGER } from './caller.js';
import { CaseChecks } from './case-checks.js';
import { type Callers, type FuzzCase, plainCasesOf } from './fuzz-case.js';
import { TELLING_HEADERS, TELLING_TEXTS } from './hostile-values.js';
import { LONGEST_LIMIT, limitOf } from './scalar-values.js';
import type { KnownValues } from './values.js';

/** Operations with many fields have more limits. */
const MOST_ENDS = 24;

/** Where a value is: a parameter, the body, or one of its fields. */
interface Spot {
  readonly key: string;
  readonly field: string | undefined;
  readonly type: WireType;
  readonly isOptional: boolean;
}

export function coveringCasesOf(
  detail: Detail,
  known: KnownValues,
  { identities, extras }: Callers,
  seed: number,
): FuzzCase[] {
  const [caller = NOBODY] = identities;
  const spots = spotsOf(detail);
  const checks = new CaseChecks(detail);
  const ends = spots.flatMap((spot) => endsAt(spot, detail).map((value) => [[spot, value] as const]));
  const texts = TELLING_TEXTS.map((text) =>
    spots.filter((spot) => takes(spot, detail, text)).map((spot) => [spot, text] as const),
  );
  // One that is refused hides the others.
  const alone = (texts[0] ?? []).length > 1 ? (texts[0] ?? []).map((one) => [one]) : [];
  const headers = spots.flatMap((spot) =>
    (TELLING_HEADERS[headerName(spot)] ?? []).map((text) => [[spot, text] as const]),
  );
  const absent = spots.filter(({ isOptional }) => isOptional).map((spot) => [spot, undefined] as const);
  const changes = [
    ...texts,
    ...alone.slice(0, MOST_ENDS),
    ...headers,
    absent,
    ...ends.slice(0, MOST_ENDS),
  ].filter((one) => one.length > 0);
  const others: Partial<FuzzCase>[] = [
    ...(identities.length > 0 ? [{ caller: NOBODY }] : []),
    { caller: STRANGER },
    ...extras.filter((extra) => extra !== 'nothing').map((extra) => ({ extra })),
  ];
  const plain = sample(plainCasesOf(detail, known, caller), {
    numRuns: changes.length + others.length,
    seed,
  });
  return plain.map((base, index) => {
    const other = others[index];
    if (other !== undefined) return { ...base, ...other };
    const changed = (changes[index - others.length] ?? []).reduce(withValue, base);
    return { ...changed, isValid: checks.isValid(changed) };
  });
}

function spotsOf(detail: Detail): Spot[] {
  const parameters = detail.parameters.map((one) => ({
    key: parameterKey(one),
    field: undefined,
    type: one.type,
    isOptional: !one.isRequired,
  }));
  const [body] = detail.bodies;
  if (body === undefined) return parameters;
  const type = resolvedType(body.type, detail.inputs);
  if (type.kind !== 'object')
    return [...parameters, { key: 'body', field: undefined, type, isOptional: false }];
  const fields = type.fields.map(({ name, type: inner, isOptional }) => ({
    key: 'body',
    field: name,
    type: inner,
    isOptional,
  }));
  return [...parameters, ...fields];
}

function headerName({ key }: Spot): string {
  const [place, name = ''] = key.split(' ');
  return place === 'header' ? name.toLowerCase() : '';
}

function withValue(one: FuzzCase, [{ key, field }, value]: readonly [Spot, unknown]): FuzzCase {
  if (key !== 'body') return { ...one, parameters: { ...one.parameters, [key]: value } };
  if (field === undefined) return { ...one, body: value };
  const { [field]: _, ...others } = { ...(one.body as Record<string, unknown> | undefined) };
  return { ...one, body: value === undefined ? others : { ...others, [field]: value } };
}

function takes({ type }: Spot, { inputs }: Detail, value: unknown): boolean {
  return resolvedType(type, inputs).kind !== 'unknown' && checkOf(type, inputs)(value).length === 0;
}

/** The ends of the limits, and each choice; of those without limits, what programs forget. */
function endsAt(spot: Spot, detail: Detail): unknown[] {
  return ends(resolvedType(spot.type, detail.inputs), detail).filter((value) => takes(spot, detail, value));
}

function ends(type: WireType, detail: Detail): unknown[] {
  const { rules = {} } = type;
  const { minLength, maxLength, minimum, maximum } = rules;
  switch (type.kind) {
    case 'string': {
      const lengths = new Set([limitOf(minLength, 0), limitOf(maxLength, 0)]);
      return [...lengths].filter((length) => length <= LONGEST_LIMIT).map((length) => 'x'.repeat(length));
    }
    case 'number':
    case 'integer':
      return [...new Set([limitOf(minimum, -1), limitOf(maximum, Number.MAX_SAFE_INTEGER), 0])];
    case 'boolean':
      return [true, false];
    case 'literal':
      return [type.value];
    case 'null':
      return [null];
    case 'array':
      return [[]];
    case 'union':
      return membersThrough(type, detail.inputs).flatMap((one) =>
        one.kind === 'object' ? [] : ends(resolvedType(one, detail.inputs), detail),
      );
    default:
      return [];
  }
}
