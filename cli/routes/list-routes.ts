// `fw routes`: boot → describe → table or JSON.

import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AppDescription } from '../../framework/app/description/app-description.js';
import { type Colors, colorsFor } from '../terminal/color.js';
import { count } from '../terminal/output.js';
import { printableColored } from '../terminal/printable.js';
import { noProgress, progress } from '../terminal/spinner.js';
import { describeBootedApp } from './booted-app.js';

export interface RoutesFlags {
  json?: boolean;
}

/** @throws CliError if the app cannot be started */
export async function listRoutes(search: string, { json }: RoutesFlags): Promise<void> {
  const shown = json ? noProgress : progress;
  const { root, description } = await describeBootedApp(process.cwd(), 'routes', shown);
  const rows = routeRows(description, root, search);
  if (json === true) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  if (rows.length > 0) {
    const text = routesText(
      rows,
      colorsFor(process.stdout),
      process.stdout.columns ?? Number.POSITIVE_INFINITY,
    );
    process.stdout.write(`${printableColored(text)}\n`);
  }
  process.stderr.write(`${routesSummary(rows, search)}\n`);
}

const KINDS: ReadonlySet<string> = new Set(['query', 'mutation', 'subscription', 'tool']);

interface RouteRow {
  readonly method: string;
  readonly path: string;
  /** The function behind it; empty without a name. */
  readonly handler: string;
  readonly extractors: readonly string[];
  /** Who may call it; empty if anyone. */
  readonly guards: readonly string[];
  /** `src/app.ts:12`. */
  readonly source: string;
}

/** Every route and, below their own kinds, every procedure and tool; those in whose texts the search is. */
export function routeRows({ routes, procedures }: AppDescription, root: string, search: string): RouteRow[] {
  const rows: RouteRow[] = [
    ...routes.map(({ method, path, handler, extractors, guards, place }) => ({
      method: method === '*' ? 'ANY' : method,
      path,
      handler,
      extractors,
      guards,
      source: sourceOf(place, root),
    })),
    ...procedures.map(({ kind, name, protocol, path, guards, place }) => ({
      method: protocol === 'mcp' ? 'tool' : kind,
      path: protocol === 'mcp' ? `${path} ${name}` : name,
      handler: '',
      extractors: [],
      guards,
      source: sourceOf(place, root),
    })),
  ];
  const words = search.toLowerCase().split(' ').filter(Boolean);
  return rows.filter((row) => words.every((word) => JSON.stringify(row).toLowerCase().includes(word)));
}

/** How many there are of each kind, and how many of them anyone may call. */
export function routesSummary(rows: readonly RouteRow[], search: string): string {
  const open = rows.filter(({ guards }) => guards.length === 0).length;
  const fits = search === '' ? '' : ` with '${search}'`;
  const procedures = rows.filter(({ method }) => KINDS.has(method)).length;
  const tools = rows.filter(({ method }) => method === 'tool').length;
  const others = [
    count(rows.length - procedures, 'route'),
    count(procedures - tools, 'procedure'),
    ...(tools > 0 ? [count(tools, 'tool')] : []),
  ];
  const number = new Intl.ListFormat('en', { style: 'long' }).format(others);
  return `${number}${fits}, ${open} open to anyone`;
}

/** Narrower terminals get each route on lines of its own. */
const NARROW = 90;

/** @param width of the terminal in columns */
export function routesText(rows: readonly RouteRow[], colors: Colors, width: number): string {
  return width < NARROW ? rows.map((row) => stacked(row, colors)).join('\n') : table(rows, colors);
}

const titles = ['METHOD', 'PATH', 'WHO MAY CALL', 'EXTRACTORS', 'HANDLER', 'SOURCE'];

function table(rows: readonly RouteRow[], colors: Colors): string {
  const cells = rows.map(cellsOf);
  // A column that is empty everywhere says nothing.
  const columns = titles.flatMap((title, at) => {
    const longest = Math.max(...cells.map((row) => (row[at] ?? '').length));
    return longest === 0 ? [] : [{ at, title, width: Math.max(longest, title.length) }];
  });
  const line = (texts: readonly string[]): string =>
    columns
      .map(({ at, width }) => (texts[at] ?? '').padEnd(width))
      .join('  ')
      .trimEnd();
  const head = colors.dim(line(titles));
  return [head, ...cells.map((row, index) => colored(line(row), rows[index]?.method ?? '', colors))].join(
    '\n',
  );
}

function stacked(row: RouteRow, colors: Colors): string {
  const [method = '', path = '', ...more] = cellsOf(row);
  const facts = more.filter((text) => text !== '').map((text) => colors.dim(`    ${text}`));
  return [colored(`${method} ${path}`, method, colors), ...facts].join('\n');
}

function cellsOf({ method, path, handler, extractors, guards, source }: RouteRow): string[] {
  const callers = guards.length === 0 ? 'anyone' : guards.join(', ');
  return [method, path, callers, extractors.join(', '), handler, source].map(shown);
}

function colored(text: string, method: string, colors: Colors): string {
  return text.startsWith(method) ? `${colors.cyan(method)}${text.slice(method.length)}` : text;
}

/** Names are the app's own, but must not control the terminal. */
function shown(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** The place relative to the project, without the column. */
function sourceOf(place: string, root: string): string {
  const [, name = '', line = ''] = /^(.*):(\d{1,9}):\d{1,9}$/s.exec(place) ?? [];
  if (name === '') return '';
  const file = name.startsWith('file:') ? fileURLToPath(name) : name;
  return `${relative(root, resolve(root, file)).replaceAll('\\', '/')}:${line}`;
}
