// MCP: the types of a procedure as JSON Schemas of draft 2020-12. Each stands alone: what it names is in `$defs`.

import { type JsonSchema07, toJsonSchema } from '../../openapi/to-json-schema.js';
import { componentName } from '../../openapi/to-openapi.js';
import { lookupIn, resolve, visitRefs } from '../../wire/resolve.js';
import { withoutVoid } from '../../wire/union-of.js';
import type { Json, NamedTypes, WireType } from '../../wire/wire-type.js';
import type { McpSchema } from '../protocol/messages.js';

/** The schema of the arguments, which are an object; undefined for an input that is none, such as a list. */
export function inputSchema(type: WireType, named: NamedTypes): McpSchema | undefined {
  if (type.kind === 'void') return { type: 'object', additionalProperties: false };
  const input = resolve(withoutVoid(type), lookupIn(named));
  if (input === undefined) return { type: 'object' };
  if (input.kind === 'unknown') return { type: 'object' };
  if (input.kind === 'object') return standalone(input, named);
  const members = input.kind === 'union' ? input.members : [];
  const areObjects =
    members.length > 0 && members.every((one) => resolve(one, lookupIn(named))?.kind === 'object');
  return areObjects ? { type: 'object', ...standalone(input, named) } : undefined;
}

/** The schema of a result; undefined for one of any type. */
export function outputSchema(type: WireType, named: NamedTypes): McpSchema | undefined {
  const output = resolve(type, lookupIn(named));
  if (output === undefined || output.kind === 'unknown') return undefined;
  return standalone(output, named);
}

function standalone(type: WireType, named: NamedTypes): McpSchema {
  const reached = new Map<string, WireType>();
  const visit = (name: string): void => {
    const target = lookupIn(named)(name);
    if (target === undefined || reached.has(name)) return;
    reached.set(name, target);
    visitRefs(target, visit);
  };
  visitRefs(type, visit);
  const schema = modernized(toJsonSchema(type));
  if (reached.size === 0) return schema;
  const defs = [...reached].map(([name, one]) => [componentName(name), modernized(toJsonSchema(one))]);
  return { ...schema, $defs: Object.fromEntries(defs) };
}

/** References lead to `$defs`; a tuple has `prefixItems`, and in `items` what follows (draft 2020-12, section 10.3.1). */
function modernized(schema: JsonSchema07): JsonSchema07 {
  const made: JsonSchema07 = Object.create(null);
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$ref') made.$ref = (value as string).replace('#/components/schemas/', '#/$defs/');
    else if (keyword === 'properties') made.properties = eachOf(value, modernized);
    else if (keyword === 'items' && Array.isArray(value)) made.prefixItems = value.map(part);
    else if (keyword === 'additionalItems') made.items = part(value);
    else if (['items', 'additionalProperties', 'not'].includes(keyword)) made[keyword] = part(value);
    else if (['anyOf', 'allOf'].includes(keyword)) made[keyword] = (value as readonly Json[]).map(part);
    else made[keyword] = value;
  }
  return { ...made };
}

function part(value: Json): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? modernized(value as JsonSchema07)
    : value;
}

function eachOf(value: Json | undefined, change: (schema: JsonSchema07) => JsonSchema07): Json {
  // Without a prototype, because a field may be called __proto__.
  const made: JsonSchema07 = Object.create(null);
  for (const [name, schema] of Object.entries(value as object)) made[name] = change(schema as JsonSchema07);
  return made;
}
