// Types: one text for each type, whatever the order in which its parts were written.
import { membersOf } from './union-of.js';
import type { Json, Scalar, WireType } from './wire-type.js';

/** Equal for two types if and only if they mean the same; descriptions are left out, references are names. */
export function canonicalText(type: WireType): string {
  const rules = type.rules && Object.keys(type.rules).length > 0 ? ` where ${sortedJson(type.rules)}` : '';
  return bare(type, canonicalText) + rules;
}

/** Equal for two types if and only if they differ at most in rules. */
export function shapeText(type: WireType): string {
  return bare(type, shapeText);
}

function bare(type: WireType, textOf: (part: WireType) => string): string {
  switch (type.kind) {
    case 'literal':
      return JSON.stringify(type.value);
    case 'ref':
      return `ref ${type.name}`;
    case 'array':
      return `[...${textOf(type.items)}]`;
    case 'tuple': {
      const required = type.required ?? type.items.length;
      const items = type.items.map((item, index) => (index < required ? '' : '?') + textOf(item));
      return `[${[...items, ...(type.rest ? [`...${textOf(type.rest)}`] : [])].join(',')}; tuple]`;
    }
    case 'object': {
      const fields = type.fields.map(
        (field) => `${JSON.stringify(field.name)}${field.isOptional ? '?' : ''}:${textOf(field.type)}`,
      );
      fields.sort();
      return `{${[...fields, ...(type.values ? [`*:${textOf(type.values)}`] : [])].join(',')}}`;
    }
    case 'union':
      return `(${[...new Set(membersOf(type).map(textOf))].sort().join('|')})`;
    default:
      return type.kind;
  }
}

/** The same type with its fields and the members of its unions in a canonical order. */
export function sortedType(type: WireType): WireType {
  switch (type.kind) {
    case 'array':
      return { ...type, items: sortedType(type.items) };
    case 'tuple':
      return {
        ...type,
        items: type.items.map(sortedType),
        ...(type.rest && { rest: sortedType(type.rest) }),
      };
    case 'object':
      return {
        ...type,
        fields: type.fields
          .map((field) => ({ ...field, type: sortedType(field.type) }))
          .sort((a, b) => order(a.name, b.name)),
        ...(type.values && { values: sortedType(type.values) }),
      };
    case 'union':
      return {
        ...type,
        members: type.members
          .map((member) => ({ text: canonicalText(member), member: sortedType(member) }))
          .sort((a, b) => order(a.text, b.text))
          .map(({ member }) => member),
      };
    default:
      return type;
  }
}

/** Compares by code units, so that the order does not depend on the locale. */
export function order(a: Scalar, b: Scalar): number {
  if (a < b) return -1;
  // Stryker disable next-line all: engines only ask whether one is before the other
  return a > b ? 1 : 0;
}

/** JSON with sorted keys. */
export function sortedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const record = value as Readonly<Record<string, Json>>;
  const texts = Object.keys(record)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sortedJson(record[key] ?? null)}`);
  return `{${texts.join(',')}}`;
}
