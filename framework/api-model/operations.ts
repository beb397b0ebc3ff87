// A model of an API: the list of all operations, without their types.
import { shownPath } from '../router/url-pattern.js';
import type { ApiDescription } from '../rpc/api-description.js';
import { resolved } from './references.js';
import { accessOfOperation } from './route-access.js';
import { type Fields, fieldsOf, isFields, listOf, textOf } from './unknown-value.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'] as const;

/** One line of the list. */
export interface Operation {
  /** The place in the page's address. */
  readonly id: string;
  /** A method of HTTP, the kind of a procedure, or `WEBSOCKET`. */
  readonly kind: string;
  /** The path, or the name of a procedure. */
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  readonly isDeprecated: boolean;
  /** Whether a caller must be known. */
  readonly isLocked: boolean;
  readonly origin: Origin;
}

type Origin =
  | { readonly from: 'document'; readonly path: string; readonly method: string; readonly item: Fields }
  | { readonly from: 'registry'; readonly index: number; readonly name: string }
  | { readonly from: 'sockets'; readonly index: number };

/** All operations, in the order of their groups. */
export function operationsOf(api: ApiDescription): readonly Operation[] {
  const all = [...documentOperations(api), ...procedures(api), ...sockets(api)];
  const order = new Map(listOf(fieldsOf(api.document).tags).map((tag, at) => [fieldsOf(tag).name, at]));
  const groups = new Map<string, Operation[]>();
  for (const one of all) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  const sorted = [...groups].sort(
    ([a], [b]) =>
      (order.get(a) ?? order.size) - (order.get(b) ?? order.size) ||
      a.localeCompare(b, 'en', { numeric: true }),
  );
  return sorted.flatMap(([, operations]) => operations);
}

function documentOperations(api: ApiDescription): Operation[] {
  const { document } = api;
  const found: Operation[] = [];
  for (const [path, given] of Object.entries(fieldsOf(fieldsOf(document).paths))) {
    const item = fieldsOf(resolved(document, given).value);
    for (const method of METHODS) {
      const operation = item[method];
      if (!isFields(operation)) continue;
      found.push({
        id: `${method.toUpperCase()} ${path}`,
        kind: method.toUpperCase(),
        name: shownPath(path),
        summary: textOf(operation.summary) ?? '',
        group: textOf(listOf(operation.tags)[0]) ?? firstSegment(shownPath(path)),
        isDeprecated: operation.deprecated === true,
        isLocked: accessOfOperation(api, method, path, operation).isRequired,
        origin: { from: 'document', path, method, item },
      });
    }
  }
  return found;
}

function procedures({ registries }: ApiDescription): Operation[] {
  return registries.flatMap(({ types, access, path }, index) =>
    Object.entries(types.procedures).map(([name, { kind, description, deprecated, tags }]): Operation => {
      const dot = name.lastIndexOf('.');
      return {
        id: `${registries.length > 1 ? (path ?? `registry ${index + 1}`) : 'rpc'} ${name}`,
        kind,
        name,
        summary: firstSentence(description ?? ''),
        group: tags?.[0] ?? (dot === -1 ? 'Procedures' : name.slice(0, dot)),
        isDeprecated: deprecated !== undefined && deprecated !== false,
        isLocked: access[name]?.isRequired === true,
        origin: { from: 'registry', index, name },
      };
    }),
  );
}

function sockets({ sockets: all }: ApiDescription): Operation[] {
  return all.map(({ types, access }, index): Operation => {
    const { description = '', deprecated, tags } = types;
    const path = templateOf(types.path);
    return {
      id: `WEBSOCKET ${path}`,
      kind: 'WEBSOCKET',
      name: path,
      summary: firstSentence(description),
      group: tags?.[0] ?? 'WebSockets',
      isDeprecated: deprecated !== undefined && deprecated !== false,
      isLocked: access.isRequired,
      origin: { from: 'sockets', index },
    };
  });
}

/** As OpenAPI writes it: `/rooms/{room}`. */
function templateOf(pattern: string): string {
  return pattern.replace(/(?<=\/)[:*]([^/]+)/g, '{$1}');
}

function firstSegment(path: string): string {
  return path.split('/').find((part) => part !== '' && !part.startsWith('{')) ?? '/';
}

/** On one line. */
function firstSentence(text: string): string {
  const [paragraph = ''] = text.split('\n\n', 1);
  const end = /[.!?](?= [A-Z]|$)/m.exec(paragraph);
  return (end === null ? paragraph : paragraph.slice(0, end.index + 1)).replaceAll('\n', ' ').slice(0, 300);
}
