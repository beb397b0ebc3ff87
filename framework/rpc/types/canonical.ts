// Types: one text for each type, whatever the order in which its parts were written.
import { membersOf } from './union-of.js';
import type { Json, WireType } from './wire-type.js';

/** Equal for two types exactly where they mean the same; descriptions are left out, references are names. */
export function canonicalText(type: WireType): string {
  const rules = type.rules && Object.keys(type.rules).length > 0 ? ` where ${sortedJson(type.rules)}` : '';
  return bare(type) + rules;
}

function bare(type: WireType): string {
  switch (type.kind) {
    case 'literal':
      return JSON.stringify(type.value);
    case 'ref':
      return `ref ${type.name}`;
    case 'array':
      return `[...${canonicalText(type.items)}]`;
    case 'tuple': {
      const required = type.required ?? type.items.length;
      const items = type.items.map((item, index) => (index < required ? '' : '?') + canonicalText(item));
      return `[${[...items, ...(type.rest ? [`...${canonicalText(type.rest)}`] : [])].join(',')}; tuple]`;
    }
    case 'object': {
      const fields = type.fields.map(
        (field) => `${JSON.stringify(field.name)}${field.isOptional ? '?' : ''}:${canonicalText(field.type)}`,
      );
      fields.sort();
      return `{${[...fields, ...(type.values ? [`*:${canonicalText(type.values)}`] : [])].join(',')}}`;
    }
    case 'union':
      return `(${[...new Set(membersOf(type).map(canonicalText))].sort().join('|')})`;
    default:
      return type.kind;
  }
}

/** JSON with sorted keys. */
export function sortedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${sortedJson(one)}`).join(',')}}`;
}
