// A model of an API: the rules of a type as people say them.
import { FORMATS } from '../wire/formats.js';
import type { Json, WireNotes, WireRules, WireType } from '../wire/wire-type.js';

const LONGEST_PATTERN = 80;

/** Such as `1–200 characters` and `default: "calm"`. */
export function constraintsOf(type: WireType): string[] {
  const kind = type.kind === 'integer' ? ['integer'] : [];
  return [...kind, ...ruleTexts(type.rules ?? {}), ...noteTexts(type.notes ?? {})];
}

function ruleTexts(rules: WireRules): string[] {
  const texts = [
    range(rules.minLength, rules.maxLength, 'character'),
    range(rules.minItems, rules.maxItems, 'item'),
    range(rules.minProperties, rules.maxProperties, 'key'),
    bounds(rules),
    rules.multipleOf === undefined ? undefined : `multiple of ${shown(rules.multipleOf)}`,
    rules.uniqueItems === true ? 'no item twice' : undefined,
    rules.additionalProperties === false ? 'no other keys' : undefined,
    typeof rules.format === 'string' ? rules.format : undefined,
    // A known format says the same in fewer words.
    typeof rules.pattern === 'string' && !isKnownFormat(rules.format)
      ? `matches /${cut(rules.pattern)}/`
      : undefined,
  ];
  const more = Array.isArray(rules.allOf)
    ? rules.allOf.flatMap((one: Json) => ruleTexts((one ?? {}) as WireRules))
    : [];
  return [...texts.filter((text) => text !== undefined), ...more];
}

function isKnownFormat(format: Json | undefined): boolean {
  return typeof format === 'string' && Object.hasOwn(FORMATS, format);
}

function range(least: Json | undefined, most: Json | undefined, unit: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  if (least === most) return counted(least as number, unit);
  if (most === undefined) return `at least ${counted(least as number, unit)}`;
  if (least === undefined) return `at most ${counted(most as number, unit)}`;
  return `${shown(least)}–${counted(most as number, unit)}`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** What every integer of JavaScript is says nothing. */
function bounds({
  minimum: least,
  maximum: most,
  exclusiveMinimum,
  exclusiveMaximum,
}: WireRules): string | undefined {
  const minimum = least === Number.MIN_SAFE_INTEGER ? undefined : least;
  const maximum = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  if (minimum !== undefined && maximum !== undefined) return `${shown(minimum)}–${shown(maximum)}`;
  const parts = [
    minimum === undefined ? undefined : `≥ ${shown(minimum)}`,
    exclusiveMinimum === undefined ? undefined : `> ${shown(exclusiveMinimum)}`,
    maximum === undefined ? undefined : `≤ ${shown(maximum)}`,
    exclusiveMaximum === undefined ? undefined : `< ${shown(exclusiveMaximum)}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' and ');
}

function noteTexts({ default: value, deprecated, examples }: WireNotes): string[] {
  return [
    ...(value === undefined ? [] : [`default: ${shown(value)}`]),
    ...(deprecated === true ? ['deprecated'] : []),
    ...(examples?.[0] === undefined || typeof examples[0] === 'object' ? [] : [`e.g. ${shown(examples[0])}`]),
  ];
}

function shown(value: Json): string {
  return cut(JSON.stringify(value) ?? '');
}

function cut(text: string): string {
  return text.length > LONGEST_PATTERN ? `${text.slice(0, LONGEST_PATTERN)}…` : text;
}
