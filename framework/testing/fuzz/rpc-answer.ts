// Fuzzing: what an answer of RPC says: its messages, the errors in it, and its data.
import type { Detail } from '../../api-model/detail.js';
import { type FuzzResponse, isEventStream, jsonOf } from './fuzz-answer.js';

interface RpcMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown };
}

/** Those of a batch, or the one. */
export function messagesOf(answer: FuzzResponse): RpcMessage[] {
  const value = jsonOf(answer);
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one): one is RpcMessage => typeof one === 'object' && one !== null);
}

/** The errors in them, or in the events of a stream. */
export function rpcErrors(answer: FuzzResponse): { readonly code?: unknown }[] {
  const errors = messagesOf(answer).map(({ error }) => error);
  return [...errors, ...failuresIn(answer)].filter((one) => one !== undefined && one !== null);
}

/** The data of the events by which a subscription says that it failed; events of others may have any. */
export function failuresIn({ headers, text }: FuzzResponse): { code?: unknown; status?: unknown }[] {
  if (!isEventStream(headers)) return [];
  return [...text.matchAll(/^event: error\ndata: ([^\n]*)$/gm)]
    .map(([, data = '']) => parsed(data))
    .filter((one): one is object => typeof one === 'object' && one !== null);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An event of the app itself, which means whatever it likes.
    return undefined;
  }
}

/** What was answered, without what a protocol puts around it. */
export function dataOf(detail: Detail, answer: FuzzResponse): unknown {
  if (rpcMode(detail) !== 'jsonrpc') return jsonOf(answer);
  return messagesOf(answer).map(({ result }) => result);
}

/** How a procedure is called; undefined for other operations. */
export function rpcMode({ target }: Detail): 'jsonrpc' | 'rest' | undefined {
  return target.kind === 'rpc' ? target.mode : undefined;
}
