// The RPC calls of a request, and how each of them ended: for logs, metrics and names of operations.
import type { CalledProcedure } from '../tracing/trace-channel.js';
import type { Context } from './context.js';

const OK = 'ok';

/** The context of a WebSocket lives long, and an app may answer calls with it: later ones are not noted. */
const MOST = 1000;

/** Several calls, or one that failed. Only what failed costs more than its name. */
export class CallList {
  readonly names: string[] = [];
  /** By the number of the call. */
  #outcomes: Map<number, string> | undefined;
  /** The numbers of those that no procedure has the name of. */
  #unknown: Set<number> | undefined;

  /** Notes a call, and gives its number. */
  add(name: string): number {
    return this.names.length === MOST ? MOST : this.names.push(name) - 1;
  }

  fail(at: number, outcome: string): void {
    if (at === MOST) return;
    this.#outcomes ??= new Map();
    this.#outcomes.set(at, outcome);
  }

  addUnknown(name: string, outcome: string): void {
    const at = this.add(name);
    this.fail(at, outcome);
    this.#unknown ??= new Set();
    if (at !== MOST) this.#unknown.add(at);
  }

  isKnown(at: number): boolean {
    return this.#unknown?.has(at) !== true;
  }

  calls(): CalledProcedure[] {
    return this.names.map((procedure, at) => ({ procedure, outcome: this.#outcomes?.get(at) ?? OK }));
  }
}

/** Notes a call that begins, and gives its number in the request. Nothing is allocated for a call alone. */
export function noteCall(ctx: Context | undefined, procedure: string): number {
  if (ctx === undefined) return 0;
  if (ctx.called !== undefined) return listOf(ctx).add(procedure);
  ctx.called = procedure;
  return 0;
}

/** Notes the error of a call. @param at its number, or undefined if no procedure has the name */
export function noteFailedCall(
  ctx: Context | undefined,
  at: number | undefined,
  procedure: string,
  outcome: string,
): void {
  if (ctx === undefined) return;
  const list = listOf(ctx);
  if (at === undefined) list.addUnknown(procedure, outcome);
  else list.fail(at, outcome);
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
  const [first, second] = called?.names ?? [];
  if (second !== undefined) return 'rpc.batch';
  if (first !== undefined && first !== '') return called?.isKnown(0) ? first : OTHER;
  return route && `${methodOf(method)} ${route.pattern.source}`;
}
