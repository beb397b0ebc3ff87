// RPC dispatch: the text of one JSON-RPC request or batch → procedures → the text of the response.
import { noteBatch, noteCall, noteFailedCall, shortened } from '../context/called.js';
import type { Context } from '../context/context.js';
import { endUnsent } from '../http/end-unsent.js';
import { isDeepJson, isDeepValue } from '../http/json-depth.js';
import { isPromise } from '../promises.js';
import type { RpcCall } from './procedure/call.js';
import type { RunnableProcedure } from './procedure/procedure.js';
import { reportFailure } from './procedure/report-failure.js';
import { resultText } from './procedure/result-text.js';
import type { JsonRpcErrorObject, JsonRpcRequest } from './protocol/messages.js';
import { errorCode, errorOf, JsonRpcError, outcomeOf, tooDeep, wireError } from './protocol/rpc-error.js';
import type { RunnableSubscription } from './subscription/subscription.js';

/** What dispatch needs of a registry. */
export interface RpcServer {
  readonly procedures: ReadonlyMap<string, RunnableProcedure>;
  readonly subscriptions: ReadonlyMap<string, RunnableSubscription>;
  /** How many calls a batch may hold. */
  readonly maxBatch: number;
  /** Whether a procedure authenticates: others of a batch may do it in another way, or not at all. */
  readonly isAuthenticating: boolean;
}

/** The response as text; undefined if there is none. */
type Answer = string | undefined;

/**
 * The end of a response, which decides its form: it has the id; it has no id if the request has the legacy form; it
 * is undefined for a notification, which has no response.
 */
type Ending = string;
const LEGACY: Ending = '}';
const NOTIFICATION: Ending = '';
const NO_ID: Ending = ',"id":null}';

/** Opens the stream that answers a subscription. Rejects with the error of the call. */
export type Opening<Stream> = (
  subscription: RunnableSubscription,
  params: unknown,
  call: RpcCall,
) => Promise<Stream>;

/**
 * Synchronous if every procedure is. Never throws or rejects.
 *
 * @param open undefined if the answer cannot be a stream
 */
export function answer<Stream = never>(
  server: RpcServer,
  text: string,
  call: RpcCall,
  open?: Opening<Stream>,
): Answer | Promise<Answer | Stream> {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    // JSON.parse throws only for malformed text.
    return refused({ code: errorCode.parseError, message: 'Parse error' }, NO_ID, call, undefined);
  }
  if (isDeepJson(text)) markDeepParams(message);
  return answerMessage(server, message, call, open);
}

/** Like `answer`, for a message that was parsed. */
export function answerMessage<Stream = never>(
  server: RpcServer,
  message: unknown,
  call: RpcCall,
  open?: Opening<Stream>,
): Answer | Promise<Answer | Stream> {
  return Array.isArray(message) ? answerBatch(server, message, call) : answerOne(server, message, call, open);
}

function answerBatch(server: RpcServer, messages: unknown[], call: RpcCall): Answer | Promise<Answer> {
  const { length } = messages;
  if (length === 0) return invalid('a batch holds at least one call', NO_ID, call);
  if (length > server.maxBatch) {
    return invalid(
      `a batch holds ${server.maxBatch} calls at most, got ${length}; send several`,
      NO_ID,
      call,
    );
  }
  const first = noteBatch(call.maybeCtx, messages);
  if (server.isAuthenticating && call.maybeCtx !== undefined) {
    const groups = byAuthentication(server, messages);
    const answerAt = (at: number) => answerOne<never>(server, messages[at], call, undefined, first + at);
    if (groups.length > 1) return answerApart(groups, call.maybeCtx, answerAt);
  }
  const answers: (Answer | Promise<Answer>)[] = [];
  let isPending = false;
  let at = first;
  for (const message of messages) {
    const one = answerOne<never>(server, message, call, undefined, at++);
    if (typeof one === 'object') isPending = true;
    answers.push(one);
  }
  return isPending ? Promise.all(answers).then(joined) : joined(answers as Answer[]);
}

/** The numbers of the messages, by how their procedures authenticate; first of those that do not. */
function byAuthentication(server: RpcServer, messages: readonly unknown[]): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>([['', []]]);
  for (const [at, message] of messages.entries()) {
    const { method } = (message ?? {}) as { method?: unknown };
    const way = server.procedures.get(method as string)?.authentication ?? '';
    const known = groups.get(way);
    if (known === undefined) groups.set(way, [at]);
    else known.push(at);
  }
  return [...groups.values()].filter(({ length }) => length > 0);
}

/**
 * The calls of a batch share a context. Those that authenticate in other ways run after each other, so that nobody gets
 * past the guard of one procedure with what only another one accepts.
 */
async function answerApart(
  groups: readonly (readonly number[])[],
  ctx: Context,
  answerAt: (at: number) => Answer | Promise<Answer>,
): Promise<Answer> {
  const before = ctx.identity;
  let shown = before;
  const answers: Answer[] = [];
  for (const group of groups) {
    ctx.identity = before?.copy();
    await Promise.all(group.map(async (at) => (answers[at] = await answerAt(at))));
    if (shown?.principal === undefined) shown = ctx.identity;
  }
  // The response belongs to whom one of the calls has authenticated: no cache may keep it.
  ctx.identity = shown;
  return joined(answers);
}

function joined(answers: readonly Answer[]): Answer {
  let text = '';
  for (const one of answers) if (one !== undefined) text += text === '' ? `[${one}` : `,${one}`;
  return text === '' ? undefined : `${text}]`;
}

/** @param at the number of the call in its request, if it is noted already */
function answerOne<Stream>(
  server: RpcServer,
  message: unknown,
  call: RpcCall,
  open: Opening<Stream> | undefined,
  at?: number,
): Answer | Promise<Answer | Stream> {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return invalid('a request is an object', NO_ID, call, at);
  }
  const { jsonrpc, method, params, id } = message as Partial<Record<keyof JsonRpcRequest, unknown>>;
  const ending = jsonrpc === undefined ? LEGACY : endingFor(id);
  if (ending === undefined) {
    return invalid(`the id is a string, null, or a number up to ${Number.MAX_SAFE_INTEGER}`, NO_ID, call, at);
  }
  // An invalid request without an id is not a notification (section 5.1): the client gets an error.
  const answered = ending === NOTIFICATION ? NO_ID : ending;
  if (jsonrpc !== undefined && jsonrpc !== '2.0')
    return invalid(`'jsonrpc' is not '2.0'`, answered, call, at);
  if (typeof method !== 'string') {
    return invalid(
      `'method' is not a string`,
      jsonrpc === undefined && method === undefined ? NO_ID : answered,
      call,
      at,
    );
  }
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return invalid(`'params' is neither an object nor an array`, answered, call, at, method);
  }
  const procedure = server.procedures.get(method);
  const subscription = procedure === undefined ? server.subscriptions.get(method) : undefined;
  const known = procedure ?? subscription;
  if (known === undefined) return refused(wireError(notFound(method)), ending, call, at, method);
  if (call.refusal !== undefined) return refused(wireError(call.refusal), ending, call, at, known);
  if (params === TOO_DEEP) return refused(wireError(tooDeep()), ending, call, at, known);
  if (procedure !== undefined) return perform(procedure, params, ending, call, at);
  return subscribe(subscription as RunnableSubscription, params, ending, call, open, at);
}

/** Stands for params that are nested too deeply, so that the call has its own error. */
const TOO_DEEP: object = Object.freeze({});

/** @param message a request, or a batch of them */
function markDeepParams(message: unknown): void {
  for (const one of Array.isArray(message) ? message : [message]) {
    const request = one as { params?: unknown } | null;
    if (typeof request === 'object' && request !== null && isDeepValue(request.params)) {
      request.params = TOO_DEEP;
    }
  }
}

/** Undefined if the id is invalid or could not be returned unchanged. */
function endingFor(id: unknown): Ending | undefined {
  if (id === undefined) return NOTIFICATION;
  if (typeof id === 'string') return `,"id":${JSON.stringify(id)}}`;
  if (typeof id === 'number') return Math.abs(id) <= Number.MAX_SAFE_INTEGER ? `,"id":${id}}` : undefined;
  return id === null ? NO_ID : undefined;
}

function perform(
  procedure: RunnableProcedure,
  params: unknown,
  ending: Ending,
  call: RpcCall,
  noted: number | undefined,
): Answer | Promise<Answer> {
  const at = noted ?? noteCall(call.maybeCtx, procedure.name);
  try {
    const result = procedure.run(params, call);
    if (isPromise(result)) return settled(result, procedure, ending, call, at);
    return succeeded(result, procedure, ending);
  } catch (error) {
    return failure(error, procedure, ending, call, at);
  }
}

async function settled(
  result: Promise<unknown>,
  procedure: RunnableProcedure,
  ending: Ending,
  call: RpcCall,
  at: number,
): Promise<Answer> {
  try {
    return succeeded(await result, procedure, ending);
  } catch (error) {
    return failure(error, procedure, ending, call, at);
  }
}

/** A notification has no answer that could be a stream: the subscription does not run. */
function subscribe<Stream>(
  subscription: RunnableSubscription,
  params: unknown,
  ending: Ending,
  call: RpcCall,
  open: Opening<Stream> | undefined,
  noted: number | undefined,
): Answer | Promise<Answer | Stream> {
  if (ending === NOTIFICATION) return undefined;
  if (open === undefined) {
    const why = `'${subscription.name}' is a subscription, which is called alone in an HTTP request, not in a batch`;
    return invalid(why, ending, call, noted, subscription);
  }
  const at = noted ?? noteCall(call.maybeCtx, subscription.name);
  return open(subscription, params, call).then(undefined, (error: unknown) =>
    failure(error, subscription, ending, call, at),
  );
}

/** @throws Error if the result cannot be represented in JSON */
function succeeded(result: unknown, { name }: RunnableProcedure, ending: Ending): Answer {
  if (ending === NOTIFICATION) {
    endUnsent(result);
    return undefined;
  }
  const start = ending === LEGACY ? '{"result":' : '{"jsonrpc":"2.0","result":';
  return start + resultText(name, result) + ending;
}

/** @param at the number of the call in its request */
function failure(
  error: unknown,
  { name, place }: Pick<RunnableProcedure, 'name' | 'place'>,
  ending: Ending,
  call: RpcCall,
  at: number,
): Answer {
  reportFailure(error, name, call.maybeCtx, place);
  try {
    const sent = wireError(errorOf(name, error));
    const answer = failed(sent, ending);
    noteFailedCall(call.maybeCtx, at, outcomeOf(sent));
    return answer;
  } catch (cause) {
    // The data of the error cannot be represented in JSON.
    reportFailure(
      new Error(`the error of procedure '${name}' cannot be sent`, { cause }),
      name,
      call.maybeCtx,
    );
    const sent = wireError(undefined);
    noteFailedCall(call.maybeCtx, at, outcomeOf(sent));
    return failed(sent, ending);
  }
}

function failed(error: JsonRpcErrorObject, ending: Ending): Answer {
  if (ending === NOTIFICATION) return undefined;
  const start = ending === LEGACY ? '{"error":' : '{"jsonrpc":"2.0","error":';
  return start + JSON.stringify(error) + ending;
}

/**
 * The answer to a call that is not made.
 *
 * @param noted the number of the call in its request, if it is noted already
 * @param asked what it asks for: the name that the client gave, if it is one
 */
function refused(
  error: JsonRpcErrorObject,
  ending: Ending,
  { maybeCtx }: RpcCall,
  noted: number | undefined,
  asked: { readonly name: string } | string = '',
): Answer {
  const isKnown = typeof asked === 'object';
  const at = noted ?? noteCall(maybeCtx, isKnown ? asked.name : shortened(asked));
  noteFailedCall(maybeCtx, at, outcomeOf(error), isKnown);
  return failed(error, ending);
}

function invalid(
  why: string,
  ending: Ending,
  call: RpcCall,
  noted?: number,
  asked?: { readonly name: string } | string,
): Answer {
  const error = { code: errorCode.invalidRequest, message: `Invalid request: ${why}` };
  return refused(error, ending, call, noted, asked);
}

/** The error for a name that no procedure has. */
export function notFound(called: string): JsonRpcError {
  // In process, the name may be any value.
  return new JsonRpcError(errorCode.methodNotFound, `Procedure '${shortened(String(called))}' not found`);
}
