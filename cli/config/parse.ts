// Parses the text of a fw.toml into settings, or throws an error with the place and a remedy.
import { parse, TomlError } from 'smol-toml';
import { nearest } from '../../framework/options/nearest.js';
import { CliError } from '../terminal/errors.js';
import { isOfKind, type Key, kindNames, type Settings, schema } from './schema.js';

const tables: Record<string, Record<string, Key>> = schema;

/**
 * @param file the name used in errors
 * @throws CliError for text that is not TOML, unknown keys and invalid values
 */
export function parseSettings(text: string, file: string): Settings {
  const found = parseToml(text, file);
  const settings: Record<string, Record<string, unknown>> = { project: {}, generate: {}, dev: {} };

  function fail(message: string, help: string, table: string, key?: string): never {
    const { line, column } = positionOf(text, table, key);
    throw new CliError(`${file}:${line}:${column}: ${message}`, { help });
  }

  for (const [table, values] of Object.entries(found)) {
    const keys = Object.hasOwn(tables, table) ? tables[table] : undefined;
    if (!keys && !isTable(values))
      return fail(`the key '${table}' is outside of all tables`, home(table), table);
    if (!keys)
      return fail(unknown('table', `[${table}]`), suggestion(table, Object.keys(tables), 'table'), table);
    if (!isTable(values))
      return fail(`'${table}' must be a table`, `write [${table}] on a separate line`, table);
    for (const [key, value] of Object.entries(values)) {
      const kind = Object.hasOwn(keys, key) ? keys[key]?.kind : undefined;
      if (!kind)
        return fail(
          unknown('key', `'${key}' in [${table}]`),
          suggestion(key, Object.keys(keys), 'key'),
          table,
          key,
        );
      if (!isOfKind(kind, value)) {
        const help =
          kind === 'text' && value === ''
            ? 'give it a value, or leave the key out'
            : `it must be ${kindNames[kind]}`;
        return fail(`${table}.${key} is ${show(value)}`, help, table, key);
      }
      (settings[table] as Record<string, unknown>)[key] = value;
    }
  }
  return settings as unknown as Settings;
}

function parseToml(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? error.message;
    const line = text.split(/\r?\n/)[error.line - 1]?.trim() ?? '';
    throw new CliError(`${file}:${error.line}:${error.column}: ${reason}`, {
      help: line ? `correct this line: ${line.slice(0, 100)}` : 'correct the file, it is not valid TOML',
      cause: error,
    });
  }
}

function unknown(what: string, name: string): string {
  return `unknown ${what} ${name}`;
}

function suggestion(name: string, known: string[], what: string): string {
  const near = nearest(name, known);
  return near ? `did you mean '${near}'?` : `${what}s are: ${known.join(', ')}`;
}

/** The remedy for a key that was written above all tables. */
function home(key: string): string {
  const table = Object.keys(tables).find((name) => Object.hasOwn(tables[name] ?? {}, key));
  return table === undefined
    ? `keys belong below a table: ${Object.keys(tables).join(', ')}`
    : `write it below [${table}]`;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function show(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

interface Position {
  line: number;
  column: number;
}

/** The position of `table`, or of `key` in it; line 1 if it cannot be found. */
export function positionOf(text: string, table: string, key?: string): Position {
  let current = '';
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const header = /^\s*\[\s*["']?([^\]"']+?)["']?\s*\]/.exec(line);
    if (header) current = header[1] ?? '';
    const column = header ? line.indexOf('[') + 2 : line.search(/\S/) + 1;
    if (key === undefined && (current === table || isKey(line, table))) return { line: index + 1, column };
    if (key === undefined) continue;
    if (current === table && !header && isKey(line, key)) return { line: index + 1, column };
    if (
      current === '' &&
      new RegExp(`^\\s*["']?${escapeText(table)}["']?\\s*\\.\\s*["']?${escapeText(key)}\\b`).test(line)
    ) {
      return { line: index + 1, column };
    }
    // An inline table: dev = { backend_port = 1 }
    if (current === '' && isKey(line, table))
      return { line: index + 1, column: Math.max(line.indexOf(key), 0) + 1 };
  }
  return { line: 1, column: 1 };
}

function isKey(line: string, key: string): boolean {
  return new RegExp(`^\\s*["']?${escapeText(key)}["']?\\s*=`).test(line);
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
