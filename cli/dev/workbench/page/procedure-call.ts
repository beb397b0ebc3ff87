// The page about the app: a call of a procedure, as a request to edit and to send.
import type { ProcedureInfo, RouteInfo } from '../app-info.js';
import type { HeaderField, RequestDetail, RequestSummary } from '../protocol.js';
import type { Draft } from './edit-dialog.js';

/** Whether the dialog can call it: a subscription of JSON-RPC is a stream, which does not end by itself. */
export function isCallable({ kind, protocol }: ProcedureInfo): boolean {
  return kind !== 'subscription' && protocol !== 'mcp';
}

/** The newest request to the same path: it is signed in as the browser is. */
export function sessionFor(
  { path }: ProcedureInfo,
  requests: readonly RequestSummary[],
): RequestSummary | undefined {
  return requests.findLast(({ target, calls }) => calls !== undefined && target.split('?')[0] === path);
}

/** A request for the route; parameters of its path are to be filled in. */
export function routeDraft({ method, path }: RouteInfo): Draft {
  return { method: method === '*' ? 'GET' : method, target: path, headers: [] };
}

/** Headers that a call may need: who calls, and what proves that no other site does. */
const NEEDED = /^(?:cookie|authorization|x-api-key)$|csrf|xsrf/i;

/** @param session a request whose headers are used */
export function callDraft(procedure: ProcedureInfo, session: RequestDetail | undefined): Draft {
  const { name, method, path, protocol, example } = procedure;
  const known = session?.requestHeaders.filter(([one]) => NEEDED.test(one)) ?? [];
  const json: HeaderField = ['Content-Type', 'application/json'];
  if (protocol === 'rest') {
    const isRead = method === 'GET';
    return {
      method,
      target: isRead ? `${path}${queryOf(example)}` : path,
      headers: isRead ? known : [json, ...known],
      ...(!isRead && example !== undefined && { body: textOf(example) }),
    };
  }
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: name,
    ...(example !== undefined && { params: example }),
  };
  return { method: 'POST', target: path, headers: [json, ...known], body: textOf(call) };
}

/** Fields of an input as parameters; one with a list is repeated. */
function queryOf(example: unknown): string {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return '';
  const pairs = Object.entries(example).flatMap(([name, value]) =>
    [value]
      .flat()
      .map((one) => [name, typeof one === 'string' ? one : JSON.stringify(one)] as [string, string]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
