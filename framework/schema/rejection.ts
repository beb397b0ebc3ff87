// Rejections: makes one error of the issues of a schema, which names each field.
import { FwError, type FwIssue } from '../http/errors.js';
import { notePlaceOf } from '../tracing/error-places.js';
import type { Issues } from './check.js';
import type { StandardSchemaV1 } from './standard-schema.js';

/** How messages name what was checked: `query parameter page: …`, or `query: …` for the whole. */
export interface Source {
  readonly field: string;
  readonly whole: string;
  /** Where the application has given the schema. */
  readonly place?: () => string;
}

/** Keys and texts come from the client, so the size of the message is limited. */
const MOST_LINES = 20;
const LONGEST_LINE = 500;

/** The error for a schema's issues: its message has one line per field, its `issues` one entry per field. */
export function rejection(
  found: Issues,
  source: Source,
  variant: 'BadRequest' | 'ValidationError',
  status = 400,
): FwError {
  const issues = byField(found);
  const lines = issues.slice(0, MOST_LINES).map((issue) => lineOf(issue, source));
  if (issues.length > MOST_LINES) lines.push(`and ${issues.length - MOST_LINES} more`);
  const error = new FwError(variant, lines.join('\n') || `${source.whole}: invalid`, { issues, status });
  if (source.place !== undefined) notePlaceOf(error, 'schema', 'schema', source.place);
  return error;
}

function byField(found: Issues): FwIssue[] {
  const fields = new Map<string, FwIssue>();
  for (const { message, path: segments = [] } of found) {
    // `map` of a list of another class may make one of that class.
    const path = Array.from(segments, keyOf);
    const name = nameOf(path);
    const known = fields.get(name);
    fields.set(name, { path, message: known ? `${known.message}; ${message}` : message });
  }
  return [...fields.values()];
}

/** The segment of a path is a key, or an object with a key. */
export function keyOf(segment: PropertyKey | StandardSchemaV1.PathSegment): string | number {
  const key = typeof segment === 'object' ? segment.key : segment;
  return typeof key === 'symbol' ? String(key) : key;
}

function lineOf({ path, message }: FwIssue, { field, whole }: Source): string {
  const name = nameOf(path);
  const text = message.replace(/[\r\n]+/g, ' ');
  const line = path.length === 0 ? `${whole}: ${text}` : field + named(name, text);
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

/** Some libraries begin the message with the field's name. */
function named(name: string, text: string): string {
  return text.startsWith(`${name} `) ? text : `${name}: ${text}`;
}

/** `items[0].name`; other keys are quoted, so that a key cannot imitate another one or add a line. */
function nameOf(path: FwIssue['path']): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    if (!/^[\w$-]+$/.test(key)) return `${name}[${JSON.stringify(key)}]`;
    return name === '' ? key : `${name}.${key}`;
  }, '');
}
