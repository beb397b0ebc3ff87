// The client: the part that is the same in every generated client, as text. It imports nothing and needs only
// `fetch` and `AbortController`, whose types it brings along, so that it compiles without any library's.
import { batchTypes, jsonRpcErrorType, sharedTypes } from './client-types.js';

/** What both kinds of client share. */
const shared = `
${sharedTypes}
interface FwRpcGlobals {
  readonly fetch: FwRpcFetch;
  readonly AbortController: new () => { readonly signal: FwRpcSignal; abort(reason?: unknown): void };
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

const globals = globalThis as unknown as FwRpcGlobals;
`;

const send = `
  async #send(
    url: string,
    method: string,
    body: string | undefined,
    options: FwRpcCallOptions | undefined,
  ): Promise<FwRpcResponse> {
    const controller = new globals.AbortController();
    const signals = [this.#options.signal, options?.signal].filter((signal) => signal !== undefined);
    const abort = (): void => {
      controller.abort(signals.find((signal) => signal.aborted)?.reason);
    };
    for (const signal of signals) signal.addEventListener('abort', abort);
    if (signals.some((signal) => signal.aborted)) abort();
    const ms = options?.timeoutMs ?? this.#options.timeoutMs;
    const timer =
      ms === undefined
        ? undefined
        : globals.setTimeout(() => {
            controller.abort(new Error(\`no answer within \${String(ms)} ms\`));
          }, ms);
    try {
      const init = {
        method,
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(this.#options.contract === true ? { 'X-Fw-Contract': CONTRACT } : {}),
          ...this.#options.headers,
          ...options?.headers,
        },
        signal: controller.signal,
      };
      const fetch = this.#options.fetch ?? globals.fetch.bind(globalThis);
      const response = await fetch(url, body === undefined ? init : { ...init, body });
      // Read here, so that signals and the time count for the body too.
      const text = await response.text();
      const { ok, status, statusText } = response;
      return { ok, status, statusText, text: () => Promise.resolve(text) };
    } finally {
      if (timer !== undefined) globals.clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', abort);
    }
  }
`;

/** Before the class of a JSON-RPC client. */
export const jsonRpcTypes: string = `${shared}
${jsonRpcErrorType}
/** The server answered with a JSON-RPC error. */
export class JsonRpcClientError extends Error {
  override readonly name: string = 'JsonRpcClientError';
  readonly error: JsonRpcError;
  readonly code: number;
  readonly data: unknown;

  constructor(error: JsonRpcError) {
    super(error.message);
    this.error = error;
    this.code = error.code;
    this.data = error.data;
  }
}

interface FwRpcAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: JsonRpcError;
}

${batchTypes}`;

/** The inside of the class of a JSON-RPC client, before its procedures. */
export function jsonRpcHead(baseUrl: string): string {
  return `  readonly #baseUrl: string;
  readonly #options: FwRpcClientOptions;
  #nextId = 1;

  constructor(baseUrl = ${JSON.stringify(baseUrl)}, options: FwRpcClientOptions = {}) {
    this.#baseUrl = baseUrl;
    this.#options = options;
  }
`;
}

/** The inside of the class of a JSON-RPC client, after its procedures. */
export const jsonRpcTail: string = `
  /** Sends a notification: the server does the work and answers nothing. */
  async notify<Method extends FwRpcMethod>(
    method: Method,
    params?: FwRpcProcedures[Method]['input'],
    options?: FwRpcCallOptions,
  ): Promise<void> {
    await this.#post({ jsonrpc: '2.0', method, params }, options);
  }

  /** Sends several calls at once; the results are in the order of the calls. */
  async batch<const Calls extends readonly FwRpcBatchCall[]>(
    calls: Calls,
    options?: FwRpcCallOptions,
  ): Promise<{ -readonly [Index in keyof Calls]: FwRpcBatchResult<Calls[Index]> }> {
    type Results = { -readonly [Index in keyof Calls]: FwRpcBatchResult<Calls[Index]> };
    if (calls.length === 0) return [] as unknown as Results;
    const requests = calls.map(({ method, params }) => ({ jsonrpc: '2.0', method, params, id: this.#nextId++ }));
    const answer = await this.#post(requests, options);
    // One object in place of a list refuses the batch as a whole.
    if (!Array.isArray(answer)) throw new JsonRpcClientError((answer as FwRpcAnswer).error ?? malformed());
    const byId = new Map((answer as FwRpcAnswer[]).map((one) => [one.id, one]));
    const results = requests.map(({ id }) => {
      const found = byId.get(id) ?? { error: malformed() };
      return found.error === undefined ? { result: found.result } : { error: found.error };
    });
    return results as unknown as Results;
  }

  async #call(method: string, params: unknown, options?: FwRpcCallOptions): Promise<unknown> {
    const answer = await this.#post({ jsonrpc: '2.0', method, params, id: this.#nextId++ }, options);
    const { error, result } = (answer ?? { error: malformed() }) as FwRpcAnswer;
    if (error !== undefined) throw new JsonRpcClientError(error);
    return result;
  }

  async #post(body: unknown, options: FwRpcCallOptions | undefined): Promise<unknown> {
    const response = await this.#send(this.#baseUrl, 'POST', JSON.stringify(body), options);
    if (!response.ok) throw new Error(\`HTTP \${String(response.status)}: \${response.statusText}\`);
    const text = await response.text();
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
${send}`;

/** After the class of a JSON-RPC client. */
export const jsonRpcEnd: string = `
function malformed(): JsonRpcError {
  return { code: -32603, message: 'the server gave no answer to this call' };
}
`;

/** Before the class of a REST client. */
export const restTypes: string = `${shared}
/** The server answered with a status that is no success. */
export class FwRpcHttpError extends Error {
  override readonly name: string = 'FwRpcHttpError';
  readonly status: number;
  /** The body of the answer, parsed where it is JSON. */
  readonly body: unknown;

  constructor(status: number, statusText: string, body: unknown) {
    super(\`HTTP \${String(status)}: \${statusText}\`);
    this.status = status;
    this.body = body;
  }
}
`;

/** The inside of the class of a REST client, before its procedures. */
export function restHead(baseUrl: string): string {
  return `  readonly #baseUrl: string;
  readonly #options: FwRpcClientOptions;

  constructor(baseUrl = ${JSON.stringify(baseUrl)}, options: FwRpcClientOptions = {}) {
    this.#baseUrl = baseUrl;
    this.#options = options;
  }
`;
}

/** The inside of the class of a REST client, after its procedures. */
export const restTail: string = `
  async #query(name: string, input: unknown, options?: FwRpcCallOptions): Promise<unknown> {
    const pairs = Object.entries((input ?? {}) as Record<string, unknown>)
      .flatMap(([key, value]) => (Array.isArray(value) ? value : [value]).map((one): [string, unknown] => [key, one]))
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([key, value]) => \`\${encodeURIComponent(key)}=\${encodeURIComponent(String(value))}\`);
    const search = pairs.length === 0 ? '' : \`?\${pairs.join('&')}\`;
    return await this.#read(await this.#send(this.#url(name) + search, 'GET', undefined, options));
  }

  async #mutation(name: string, input: unknown, options?: FwRpcCallOptions): Promise<unknown> {
    return await this.#read(await this.#send(this.#url(name), 'POST', JSON.stringify(input ?? {}), options));
  }

  #url(name: string): string {
    return \`\${this.#baseUrl}/\${encodeURIComponent(name)}\`;
  }

  async #read(response: FwRpcResponse): Promise<unknown> {
    const text = await response.text();
    if (!response.ok) throw new FwRpcHttpError(response.status, response.statusText, parsed(text));
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
${send}`;

/** After the class of a REST client. */
export const restEnd: string = `
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
`;
