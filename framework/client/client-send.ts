// The client: the text of the code that sends requests. It imports nothing and needs only `fetch` and
// `AbortController`, whose types it declares itself, so that it compiles without the types of a library.
import { callEnd, callHead, makesCalls, pause, runMethods } from './client-calls.js';
import type { ClientKind } from './client-kind.js';
import { routeEnd, urlFunctions } from './client-routes.js';
import { subscriptionEnd, subscriptionHead, subscriptionMembers } from './client-subscribe.js';
import {
  declaredErrorType,
  errorField,
  procedureField,
  procedureParameter,
  sharedTypes,
} from './client-types.js';
import { formEnd, sendingForms, uploadEnd, uploadHead } from './client-upload.js';

/** Before the class. @param kind of the client; a REST client reads declared errors from the body */
export function sendTypes(kind: ClientKind): string {
  const { hasErrors, isRest } = kind;
  return `
${sharedTypes(kind)}${sendGlobals}${hasErrors && isRest ? declaredErrorType : ''}${httpError(hasErrors && isRest)}${timeoutError}${sendsText(kind) ? receivedType : ''}${makesCalls(kind) ? callHead : ''}${kind.hasSubscriptions ? subscriptionHead(kind) : ''}${kind.hasFiles || kind.hasForms ? uploadHead : ''}`;
}

const sendGlobals = `
interface FwRpcGlobals {
  readonly fetch: FwRpcFetch;
  readonly AbortController: new () => { readonly signal: FwRpcSignal; abort(reason?: unknown): void };
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

const globals = globalThis as unknown as FwRpcGlobals;

/** A timeout of more than 24 days is not set, because timers cannot wait so long. */
const LONGEST_MS = 2 ** 31 - 1;

/** Servers limit the size of all header fields together, many to 8 KB. */
const LONGEST_FIELD = 4096;

`;

function httpError(hasErrors: boolean): string {
  return `/** The server answered with a status that is not a success. */
export class FwRpcHttpError extends Error {
  override readonly name: string = 'FwRpcHttpError';
  readonly status: number;
  /** The body of the response, parsed if it is JSON. */
  readonly body: unknown;
${hasErrors ? procedureField + errorField : ''}
  constructor(status: number, statusText: string, body: unknown${procedureParameter(hasErrors)}) {
    super(\`HTTP \${String(status)}: \${statusText}\`);
    this.status = status;
    this.body = body;
${hasErrors ? '    this.procedure = procedure;\n    this.error = declaredError(procedure, body);\n' : ''}  }
}
`;
}

const timeoutError = `
/** There was no response within \`timeoutMs\`. The name is \`TimeoutError\`, as of \`AbortSignal.timeout()\`. */
export class FwRpcTimeoutError extends Error {
  override readonly name: string = 'TimeoutError';
  /** In milliseconds. */
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(\`no answer within \${String(timeoutMs)} ms\`);
    this.timeoutMs = timeoutMs;
  }
}

`;

const receivedType = `/** A response with its whole body. */
interface FwRpcReceived {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly text: string;
}
`;

/** Whether `#send` is used: a JSON-RPC client always has batches. */
function sendsText({ isRest, hasCalls, hasRoutes }: ClientKind): boolean {
  return !isRest || hasCalls || hasRoutes;
}

/** The last members of the class. */
export function send(kind: ClientKind): string {
  const sending = kind.hasFiles || kind.hasForms ? sendingForms(sendMethod) : sendMethod;
  return [
    makesCalls(kind) ? runMethods : '',
    sendsText(kind) ? sending : '',
    kind.hasSubscriptions ? subscriptionMembers(kind) : '',
  ].join('');
}

const sendMethod = `
  async #send(
    url: string,
    method: string,
    body: string | undefined,
    names: readonly string[],
    options: FwRpcCallOptions | undefined,
  ): Promise<FwRpcReceived> {
    // The body is read inside, so that signals and the timeout apply to it too, even if fetch ignores signals.
    return await this.#within(options, async (ended) => {
      const { headers: own = {}, fetch = globals.fetch.bind(globalThis) } = this.#options;
      const headers = fields(
        body === undefined ? {} : { 'Content-Type': 'application/json' },
        contractField(this.#options.checkContract, names),
        typeof own === 'function' ? await own() : own,
        options?.headers ?? {},
      );
      // The call may have ended while the function made its header fields.
      if (ended.aborted) throw reasonOf(ended);
      const init = { method, headers, signal: ended };
      return await received(fetch(url, body === undefined ? init : { ...init, body }));
    });
  }

  /** Rejects when the signals or the timeout of a call end it. */
  async #within<Result>(
    options: FwRpcCallOptions | undefined,
    work: (ended: FwRpcSignal) => Promise<Result>,
  ): Promise<Result> {
    const controller = new globals.AbortController();
    const { signal: ended } = controller;
    const signals = [this.#options.signal, options?.signal].filter((signal) => signal !== undefined);
    const abort = (): void => {
      controller.abort(signals.find((signal) => signal.aborted)?.reason);
    };
    for (const signal of signals) signal.addEventListener('abort', abort);
    if (signals.some((signal) => signal.aborted)) abort();
    const ms = options?.timeoutMs ?? this.#options.timeoutMs ?? Infinity;
    const timer =
      ms > LONGEST_MS
        ? undefined
        : globals.setTimeout(() => {
            controller.abort(new FwRpcTimeoutError(ms));
          }, ms);
    try {
      if (ended.aborted) throw reasonOf(ended);
      return await Promise.race([work(ended), end(ended)]);
    } finally {
      if (timer !== undefined) globals.clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', abort);
    }
  }
`;

/** After the class. */
export function sendEnd(kind: ClientKind): string {
  return [
    sendsText(kind) ? receive(makesCalls(kind)) : '',
    waiting,
    contractField(kind.hasErrors),
    fieldsAndJson,
    makesCalls(kind) ? callEnd(kind) : '',
    makesCalls(kind) || kind.hasSubscriptions ? pause : '',
    kind.hasSubscriptions ? subscriptionEnd(kind) : '',
    kind.hasRoutes ? routeEnd : kind.hasSockets ? urlFunctions : '',
    kind.hasFiles ? uploadEnd : '',
    kind.hasForms ? formEnd : '',
  ].join('');
}

function receive(isNoted: boolean): string {
  const read = `const { ok, status, statusText } = await response;
  return { ok, status, statusText, text: await (await response).text() };`;
  const noted = `try {
    ${read.replaceAll('\n', '\n  ')}
  } catch (error) {
    if (typeof error === 'object' && error !== null) networkFailures.add(error);
    throw error;
  }`;
  return `
async function received(response: Promise<FwRpcResponse>): Promise<FwRpcReceived> {
  ${isNoted ? noted : read}
}

`;
}

const waiting = `/** Rejects when the signal aborts. */
async function end(signal: FwRpcSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(reasonOf(signal));
    });
  });
}

function reasonOf({ reason }: FwRpcSignal): Error {
  return (reason ?? new Error('the call was aborted')) as Error;
}

`;

function contractField(hasErrors: boolean): string {
  return `/** The types of the called procedures; if that is too long for a header field, the hash of all types. */
function contractField(contract: FwRpcContract | undefined, names: readonly string[]): Record<string, string> {
  if (contract === undefined || names.length === 0) return {};
  const procedures: Record<string, ${hasErrors ? 'readonly unknown[]' : 'readonly string[]'}> = {};
  const types: Record<string, string | undefined> = {};
  for (const name of names) {
    const found = contract.procedures[name];
    if (found === undefined) continue;
${hasErrors ? entryWithErrors : entry}
    for (const type of used) types[type] = contract.types[type];
  }
  const text = JSON.stringify({ procedures, types }).replace(
    /[^ -~]/g,
    (char) => \`\\\\u\${char.charCodeAt(0).toString(16).padStart(4, '0')}\`,
  );
  return { 'X-Fw-Contract': text.length > LONGEST_FIELD ? contract.hash : text };
}

`;
}

const fieldsAndJson = `/** Names of header fields are case-insensitive: the last value of a name is used. */
function fields(...lists: Record<string, string>[]): Record<string, string> {
  const named = new Map<string, [string, string]>();
  for (const list of lists) for (const field of Object.entries(list)) named.set(field[0].toLowerCase(), field);
  return Object.fromEntries(named.values());
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function readJson(text: string, url: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    throw new Error(\`\${url} answered '\${text.trim().slice(0, 60)}', which is not JSON; is the base URL right?\`);
  }
}
`;

const entry = `    const [kind, input, output, used] = found;
    procedures[name] = [kind, input, output];`;
const entryWithErrors = `    const [kind, input, output, used, errors] = found;
    procedures[name] = errors === undefined ? [kind, input, output] : [kind, input, output, errors];`;
