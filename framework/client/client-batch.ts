// The client: the text of batches and notifications, and of the requests in which calls of one tick go out together.
import type { ClientKind } from './client-kind.js';
import { bodyText } from './client-upload.js';

/** A member of the options of the constructor. */
export function batchOption({ isRest, hasCalls }: ClientKind): string {
  if (isRest || !hasCalls) return '';
  return `  /** Sends the calls of one tick in one request, 50 of them at most by default; switched off by default. */
  autoBatch?: boolean | { maxCalls?: number | undefined } | undefined;
`;
}

/** Before the class. */
export function batchHead({ hasCalls }: ClientKind): string {
  if (!hasCalls) return '';
  return `
/** A call that waits for the end of the tick. */
interface FwRpcWaitingCall {
  readonly id: number;
  readonly name: string;
  readonly text: string;
  /** Aborts when the call ends before its answer. */
  readonly ended: FwRpcSignal;
  readonly resolve: (answer: Promise<unknown>) => void;
}
`;
}

/** Inside the class. */
export function batchMethods(kind: ClientKind): string {
  return `
  /** Sends a notification: the server runs the procedure and does not return its result. */
  async notify<Method extends FwRpcMethod>(method: Method, ...rest: FwRpcNotifyRest<Method>): Promise<void> {
    const [params, options] = rest;
    const body = ${bodyText(kind.hasFiles, "{ jsonrpc: '2.0', method, params: params ?? undefined }")};
    const answer = await this.#post(body, [method], options);
    const { error } = (answer ?? {}) as FwRpcAnswer;
    // There is an error only if the server could not read the request.
    if (error !== undefined && error !== null) throw new JsonRpcClientError(errorOf(error));
  }

  /** Sends several calls at once; the results are in the order of the calls. */
  async batch<const Calls extends readonly FwRpcBatchCall[]>(
    calls: Calls,
    options?: FwRpcCallOptions,
  ): Promise<{ -readonly [Index in keyof Calls]: FwRpcBatchResult<Calls[Index]> }> {
    type Results = { -readonly [Index in keyof Calls]: FwRpcBatchResult<Calls[Index]> };
    if (calls.length === 0) return [] as unknown as Results;
    const requests = calls.map(({ method, params }) => this.#request(method, params));
    const names = calls.map(({ method }) => method);
    const answers = answersOf(await this.#post(${bodyText(kind.hasFiles, 'requests')}, names, options));
    return requests.map(({ id }) => outcome(answers.get(id))) as unknown as Results;
  }

  /** Params cannot be null; absent params mean the same. */
  #request(method: string, params: unknown) {
    return { jsonrpc: '2.0', method, params: params ?? undefined, id: this.#nextId++ };
  }

${kind.hasCalls ? askMethods(kind) : ''}`;
}

function askMethods({ hasFiles }: ClientKind): string {
  const alone = hasFiles ? " || typeof text !== 'string'" : '';
  return `  /** The answer to a call, which may share its request with others. */
  async #ask(name: string, params: unknown, options: FwRpcCallOptions): Promise<unknown> {
    const request = this.#request(name, params);
    const text = ${bodyText(hasFiles, 'request')};
    const { autoBatch = false } = this.#options;
    if (autoBatch === false || options.headers !== undefined${alone}) return await this.#post(text, [name], options);
    const { maxCalls = 50 } = autoBatch === true ? {} : autoBatch;
    const waitForTick = (call: FwRpcWaitingCall): void => {
      if (this.#waiting.push(call) > 1) return;
      // After all promises of the tick, so that calls behind an \`await\` are in the same request.
      globals.setTimeout(() => {
        this.#sendWaiting(Math.max(1, Math.floor(maxCalls) || 1));
      }, 0);
    };
    return await this.#within(
      options,
      async (ended) =>
        await new Promise((resolve) => {
          waitForTick({ id: request.id, name, text, ended, resolve });
        }),
    );
  }

  #sendWaiting(maxCalls: number): void {
    const calls = this.#waiting.filter(({ ended }) => !ended.aborted);
    this.#waiting = [];
    for (let sent = 0; sent < calls.length; sent += maxCalls) this.#sendTogether(calls.slice(sent, sent + maxCalls));
  }

  /** Each call has its own signals and timeout; the request ends early only with the last of its calls. */
  #sendTogether(calls: readonly FwRpcWaitingCall[]): void {
    const controller = new globals.AbortController();
    for (const { ended } of calls) {
      ended.addEventListener('abort', () => {
        if (calls.every((call) => call.ended.aborted)) controller.abort(ended.reason);
      });
    }
    const texts = calls.map(({ text }) => text).join(',');
    const names = calls.map(({ name }) => name);
    const options = { signal: controller.signal, timeoutMs: Infinity };
    const answer = this.#post(calls.length === 1 ? texts : \`[\${texts}]\`, names, options);
    const answers = calls.length === 1 ? undefined : answer.then(answersOf);
    for (const { id, resolve } of calls) resolve(answers?.then((byId) => byId.get(id)) ?? answer);
  }

`;
}

/** After the class. */
export const batchEnd: string = `
/** The answers to a batch, by the ids of its calls. */
function answersOf(answer: unknown): Map<unknown, FwRpcAnswer | null> {
  // One object instead of an array refuses the batch as a whole.
  if (!Array.isArray(answer)) throw new JsonRpcClientError(outcome(answer).error ?? noAnswer());
  return new Map((answer as (FwRpcAnswer | null)[]).map((one) => [one?.id, one]));
}
`;
