// The RPC calls of a request, and how each of them ended: for logs, metrics and names of operations.
import type { CalledProcedure } from '../tracing/trace-channel.js';
import type { Context } from './context.js';

const OK = 'ok';

/** The context of a WebSocket lives long, and an app may answer calls with it: later ones are not noted. */
const MOST = 1000;

/** Names come from clients, and must not fill logs. */
const LONGEST_NAME = 100;

/** A name that a client gave, not longer than a log should show. */
export function shortened(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}

/** Several calls, or one that failed. Only what failed costs more than its name, and a batch not even that. */
export class CallList {
  /** Names, or messages of JSON-RPC that may have one. */
  #entries: unknown[] = [];
  /** Whether the entries are the messages of a batch, which must stay as they are. */
  #isShared = false;
  /** By the number of the call. */
  #outcomes: Map<number, string> | undefined;
  /** The numbers of those that no procedure has the name of. */
  #unknown: Set<number> | undefined;

  get size(): number {
    return this.#entries.length;
  }

  /** Notes a call, and gives its number. */
  add(entry: unknown): number {
    if (this.#entries.length >= MOST) return MOST;
    if (this.#isShared) this.#entries = [...this.#entries];
    this.#isShared = false;
    return this.#entries.push(entry) - 1;
  }

  /** Notes the messages of a batch, and gives the number of the first. */
  addBatch(messages: unknown[]): number {
    if (this.#entries.length === 0) {
      this.#entries = messages;
      this.#isShared = true;
      return 0;
    }
    const first = this.add(messages[0]);
    for (const message of messages.slice(1)) this.add(message);
    return first;
  }

  fail(at: number, outcome: string, isKnown: boolean): void {
    if (at >= this.#entries.length) return;
    this.#outcomes ??= new Map();
    this.#outcomes.set(at, outcome);
    if (isKnown) return;
    this.#unknown ??= new Set();
    this.#unknown.add(at);
  }

  isKnown(at: number): boolean {
    return this.#unknown?.has(at) !== true;
  }

  nameOf(at: number): string {
    const entry = this.#entries[at];
    if (typeof entry === 'string') return entry;
    const { method } = (entry ?? {}) as { readonly method?: unknown };
    return typeof method === 'string' ? shortened(method) : '';
  }

  calls(): CalledProcedure[] {
    return this.#entries.map((_, at) => ({
      procedure: this.nameOf(at),
      outcome: this.#outcomes?.get(at) ?? OK,
    }));
  }
}

/** Notes a call that begins, and gives its number in the request. Nothing is allocated for a call alone. */
export function noteCall(ctx: Context | undefined, procedure: string): number {
  if (ctx === undefined) return 0;
  if (ctx.called !== undefined) return listOf(ctx).add(procedure);
  ctx.called = procedure;
  return 0;
}

/** Notes the messages of a batch, and gives the number of the first. */
export function noteBatch(ctx: Context | undefined, messages: unknown[]): number {
  return ctx === undefined ? 0 : listOf(ctx).addBatch(messages);
}

/** Notes the error of a call. @param at its number @param isKnown whether a procedure has its name */
export function noteFailedCall(
  ctx: Context | undefined,
  at: number,
  outcome: string,
  isKnown: boolean = true,
): void {
  if (ctx !== undefined) listOf(ctx).fail(at, outcome, isKnown);
}

function listOf(ctx: Context): CallList {
  const { called } = ctx;
  if (called instanceof CallList) return called;
  const list = new CallList();
  if (called !== undefined) list.add(called);
  ctx.called = list;
  return list;
}

/** The RPC calls of a request, in the order in which they began; empty if it is none of RPC. */
export function callsOf({ called }: Context): readonly CalledProcedure[] {
  if (called === undefined) return NONE;
  return called instanceof CallList ? called.calls() : [{ procedure: called, outcome: OK }];
}

const NONE: readonly CalledProcedure[] = Object.freeze([]);

/** Methods of HTTP that are names of operations; clients could invent others without end. */
const METHODS: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE',
]);

/** Instead of a name that the app does not have, as OpenTelemetry writes it. */
const OTHER = '_OTHER';

/** The method as a name; `_OTHER` if HTTP does not have it. */
export function methodOf(method: string): string {
  return METHODS.has(method) ? method : OTHER;
}

/** What a context knows of its route. */
export interface ContextRoute {
  readonly pattern: { readonly source: string };
  /** Where it was registered. */
  readonly place: () => string;
}

/** See `ctx.operation()`. */
export function operationOf({ called, method, route }: Context): string | undefined {
  if (typeof called === 'string') return called;
  if (called !== undefined && called.size > 1) return 'rpc.batch';
  const name = called?.nameOf(0) ?? '';
  if (name !== '') return called?.isKnown(0) ? name : OTHER;
  return route && `${methodOf(method)} ${route.pattern.source}`;
}
