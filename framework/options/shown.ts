// Options: how messages show values. Nothing of the value runs, and nothing long is printed.
import { ownKind } from './own-objects.js';

const LONGEST_SHOWN = 60;

/** A value in a message. Nothing of the value runs. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return value.length > LONGEST_SHOWN
      ? `'${escaped(value.slice(0, LONGEST_SHOWN))}…'`
      : `'${escaped(value)}'`;
  }
  if (typeof value === 'bigint') return 'a bigint';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}

/** JSON escapes control characters. */
function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
}

/** What kind of value it is, for those that are not shown. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'empty';
  if (typeof value !== 'object') return `a ${typeof value}`;
  try {
    if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
    return ownKind(value) ?? 'an object';
  } catch {
    // A Proxy that was revoked throws here.
  }
  return 'an object';
}
