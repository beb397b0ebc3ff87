// Fuzzing: the operations of an API, in the order in which they are called: what adds something comes first.
import type { Api } from '../../api-model/api.js';
import type { Detail } from '../../api-model/detail.js';
import { ConfigError } from '../../config-error.js';

export interface FuzzOperation {
  /** `POST /users/:id`, the name of a procedure, or `WEBSOCKET /rooms/:room`. */
  readonly name: string;
  readonly detail: Detail;
  /** What it is about, such as `task`. */
  readonly thing: string;
  /** Whether anybody may call it. */
  readonly isOpen: boolean;
  /** Whether it only reads. */
  readonly isSafe: boolean;
  /** Whether it seems to add something, and to need nothing that is there. */
  readonly adds: boolean;
  /** Whether others may have what it answers, and see what it changes. */
  readonly isShared: boolean;
}

export interface Selection {
  readonly only: readonly string[] | undefined;
  readonly except: readonly string[];
  /** Those that anybody may call; undefined for what the API says. */
  readonly open: readonly string[] | undefined;
  readonly shared: readonly string[];
}

/** @throws ConfigError if a name of the selection is that of no operation */
export function operationsOf(api: Api, { only, except, open, shared }: Selection): readonly FuzzOperation[] {
  const all = api.operations.map((operation): FuzzOperation => {
    const detail = api.detail(operation);
    const name = nameOf(detail);
    return {
      name,
      detail,
      thing: thingOf(detail),
      isOpen: open === undefined ? !detail.access.isRequired : open.some((one) => isNamed(name, one)),
      isSafe: isSafe(detail),
      adds: placeOf(name, detail) === 0,
      isShared: shared.some((one) => isNamed(name, one)),
    };
  });
  for (const pattern of [...(only ?? []), ...except, ...(open ?? []), ...shared]) {
    if (all.some(({ name }) => isNamed(name, pattern))) continue;
    const known = all.map(({ name }) => name).join(', ');
    throw new ConfigError(
      'FW_OPTION_CHOICE',
      `fuzz: no operation is called '${pattern}'; there are ${known === '' ? 'none' : known}`,
    );
  }
  const selected = all.filter(
    ({ name, detail }) =>
      (only === undefined || only.some((one) => isNamed(name, one))) &&
      !except.some((one) => isNamed(name, one)) &&
      (detail.target.kind !== 'rpc' || detail.target.path !== null),
  );
  return selected.toSorted((one, other) => placeOf(one.name, one.detail) - placeOf(other.name, other.detail));
}

/** `POST /users/*` stands for all that begin so, `*` for any part. */
export function isNamed(name: string, pattern: string): boolean {
  const parts = shownTemplate(pattern).split('*');
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (name.startsWith(part) ? 0 : -1) : name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  const last = parts.at(-1) ?? '';
  return last === '' || name.endsWith(last);
}

function nameOf({ target }: Detail): string {
  if (target.kind === 'rpc') return target.name;
  return `${target.kind === 'socket' ? 'WEBSOCKET' : target.method} ${shownTemplate(target.path)}`;
}

/** `task` of `/tasks/:id`, and of `tasks.add`. */
function thingOf({ target }: Detail): string {
  const parts = target.kind === 'rpc' ? target.name.split('.').slice(0, -1) : target.path.split('/');
  const last = parts.findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
  return last.replace(/(?<=..)s$/, '');
}

/** As routes are written: `/users/:id`. */
function shownTemplate(path: string): string {
  return path.replace(/\{([^{}]*)\}/g, ':$1');
}

function isSafe({ target }: Detail): boolean {
  if (target.kind === 'http') return target.method === 'GET' || target.method === 'HEAD';
  return target.kind === 'rpc' && target.procedure !== 'mutation';
}

/** What adds, what reads, what changes, what removes or ends. */
function placeOf(name: string, detail: Detail): number {
  if (/^DELETE |remove|delete|clear|sign-?out|log-?out|reset|\bend/i.test(name)) return 3;
  const needsOthers = detail.parameters.some((one) => one.in === 'path');
  if (isSafe(detail)) return 1;
  return needsOthers ? 2 : 0;
}
