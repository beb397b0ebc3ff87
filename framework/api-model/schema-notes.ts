// A model of an API: the rules and annotations of a schema, of OpenAPI 3.0 and 3.1.
import type { Json, WireNotes, WireRules } from '../wire/wire-type.js';
import { type Fields, listOf, textOf } from './unknown-value.js';

const RULES: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format'],
  array: ['minItems', 'maxItems', 'uniqueItems'],
  object: ['minProperties', 'maxProperties'],
};

/** The rules for values of a kind; those that are not what they should be are left out. */
export function rulesOf(schema: Fields, kind: string): WireRules | undefined {
  const rules: Record<string, Json> = {};
  for (const name of RULES[kind] ?? []) {
    const value = schema[name];
    const wanted =
      name === 'pattern' || name === 'format' ? 'string' : name === 'uniqueItems' ? 'boolean' : 'number';
    if (typeof value === wanted) rules[name] = value as Json;
  }
  exclusive(rules, schema, 'minimum', 'exclusiveMinimum');
  exclusive(rules, schema, 'maximum', 'exclusiveMaximum');
  if (typeof rules.pattern === 'string' && !isPattern(rules.pattern)) delete rules.pattern;
  return Object.keys(rules).length === 0 ? undefined : rules;
}

/** A flag beside the bound in 3.0, a number in 3.1. */
function exclusive(rules: Record<string, Json>, schema: Fields, bound: string, flag: string): void {
  const limit = rules[bound];
  if (schema[flag] !== true || typeof limit !== 'number') return;
  delete rules[bound];
  rules[flag] = limit;
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    // The document is wrong there; the value is not checked by it.
    return false;
  }
}

export function notesOf(schema: Fields): WireNotes | undefined {
  const title = textOf(schema.title);
  const examples = [
    ...(schema.example === undefined ? [] : [schema.example as Json]),
    ...(listOf(schema.examples) as readonly Json[]),
  ];
  const notes: WireNotes = {
    ...(title !== undefined && { title }),
    ...(schema.default !== undefined && { default: schema.default as Json }),
    ...(examples.length > 0 && { examples }),
    ...(schema.deprecated === true && { deprecated: true }),
  };
  return Object.keys(notes).length === 0 ? undefined : notes;
}
