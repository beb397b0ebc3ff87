// Fuzzing: the messages of JSON-RPC in an answer.
import type { Detail } from '../../api-model/detail.js';
import { type FuzzResponse, jsonOf } from './fuzz-answer.js';

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

/** The errors in them. */
export function rpcErrors(answer: FuzzResponse): { readonly code?: unknown }[] {
  return messagesOf(answer).flatMap(({ error }) => (error === undefined || error === null ? [] : [error]));
}

/** How a procedure is called; undefined for other operations. */
export function rpcMode({ target }: Detail): 'jsonrpc' | 'rest' | undefined {
  return target.kind === 'rpc' ? target.mode : undefined;
}
