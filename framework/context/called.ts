// The RPC calls of a request, and how each of them ended: for logs, metrics and names of operations.
import type { Context } from './context.js';

/** A call of a procedure. */
export interface CalledProcedure {
  /**
   * The name of the procedure; what the client asked for if no procedure has that name, and an empty text if it asked
   * for nothing that could be a name.
   */
  readonly procedure: string;
  /** `ok`, the name of the declared error, or the code of another error of JSON-RPC, such as `-32602`. */
  readonly outcome: string;
}

/** The call of a request; a list of them if there are several, or if one failed. */
export type Called = string | NotedCall[];

interface NotedCall {
  readonly procedure: string;
  readonly isKnown: boolean;
  outcome: string;
}

const OK = 'ok';

/** The context of a WebSocket lives long, and an app may answer calls with it: later ones are not noted. */
const MOST = 1000;

/** Notes a call that begins, and gives its number in the request. Nothing is allocated for a call alone. */
export function noteCall(ctx: Context | undefined, procedure: string): number {
  if (ctx === undefined) return 0;
  if (ctx.called === undefined) {
    ctx.called = procedure;
    return 0;
  }
  const list = listOf(ctx);
  if (list.length === MOST) return MOST;
  return list.push({ procedure, isKnown: true, outcome: OK }) - 1;
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
  const noted = at === undefined ? undefined : list[at];
  if (noted !== undefined) noted.outcome = outcome;
  else if (at === undefined && list.length < MOST) list.push({ procedure, isKnown: false, outcome });
}

function listOf(ctx: Context): NotedCall[] {
  const { called } = ctx;
  if (Array.isArray(called)) return called;
  const list = called === undefined ? [] : [{ procedure: called, isKnown: true, outcome: OK }];
  ctx.called = list;
  return list;
}

/** The RPC calls of a request, in the order in which they began; empty if it is none of RPC. */
export function callsOf({ called }: Context): readonly CalledProcedure[] {
  if (called === undefined) return NONE;
  return Array.isArray(called) ? called : [{ procedure: called, outcome: OK }];
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

/** See `ctx.operation()`. */
export function operationOf({ called, method, pattern }: Context): string | undefined {
  if (typeof called === 'string') return called;
  const [first, second] = called ?? [];
  if (second !== undefined) return 'rpc.batch';
  if (first !== undefined && first.procedure !== '') return first.isKnown ? first.procedure : OTHER;
  return pattern === undefined ? undefined : `${METHODS.has(method) ? method : OTHER} ${pattern}`;
}
