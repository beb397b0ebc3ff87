// The client: the text that all generated clients of one mode have in common.
import { batchEnd, batchHead, batchMethods } from './client-batch.js';
import { jsonRpcGuard, restGuard } from './client-errors.js';
import type { ClientKind } from './client-kind.js';
import { routeMethod } from './client-routes.js';
import { searchLines } from './client-search.js';
import { send, sendEnd, sendTypes } from './client-send.js';
import { socketMethod } from './client-sockets.js';
import { batchTypes, jsonRpcErrorType, procedureField, procedureParameter } from './client-types.js';
import { bodyText } from './client-upload.js';

/** Before the class of a JSON-RPC client. */
export function jsonRpcTypes(kind: ClientKind): string {
  const { hasErrors } = kind;
  return `${sendTypes(kind)}
${jsonRpcErrorType(hasErrors)}
/** The server answered with a JSON-RPC error. */
export class JsonRpcClientError extends Error {
  override readonly name: string = 'JsonRpcClientError';
  readonly error: JsonRpcError;
  readonly code: number;
  readonly data: unknown;
${hasErrors ? procedureField : ''}
  constructor(error: JsonRpcError${procedureParameter(hasErrors)}) {
    super(error.message);
    this.error = error;
    this.code = error.code;
    this.data = error.data;
${hasErrors ? '    this.procedure = procedure;\n' : ''}  }
}

interface FwRpcAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

type FwRpcOutcome = { readonly result: unknown; readonly error?: undefined } | { readonly error: JsonRpcError };

${batchTypes(kind)}${batchHead(kind)}`;
}

/** The inside of the class of a JSON-RPC client, before its procedures. */
export function jsonRpcHead(baseUrl: string, { hasCalls }: ClientKind): string {
  return `  readonly #baseUrl: string;
  readonly #options: FwRpcClientOptions;
  #nextId = 1;
${hasCalls ? '  #waiting: FwRpcWaitingCall[] = [];\n' : ''}
  constructor(baseUrl = ${JSON.stringify(baseUrl)}, options: FwRpcClientOptions = {}) {
    this.#baseUrl = baseUrl;
    this.#options = options;
  }
`;
}

/** The inside of the class of a JSON-RPC client, after its procedures. */
export function jsonRpcTail(kind: ClientKind): string {
  return [
    batchMethods(kind),
    kind.hasCalls ? callMethod(kind) : '',
    postMethod(kind.hasFiles),
    kind.hasRoutes ? routeMethod(originOf, kind.hasForms) : '',
    kind.hasSockets ? socketMethod(originOf, kind) : '',
    send(kind),
  ].join('');
}

function callMethod({ hasErrors }: ClientKind): string {
  return `  async #call(
    kind: 'query' | 'mutation',
    name: string,
    input: unknown,
    options: FwRpcCallOptions = {},
  ): Promise<unknown> {
    return await this.#run({ name, kind, input, options }, kind === 'query', async (params, own) => {
      const found = outcome(await this.#ask(name, params, own));
      if (found.error !== undefined) throw new JsonRpcClientError(found.error${hasErrors ? ', name' : ''});
      return found.result;
    });
  }
`;
}

function postMethod(hasFiles: boolean): string {
  return `
  async #post(
    body: ${hasFiles ? 'string | FwRpcForm' : 'string'},
    names: readonly string[],
    options: FwRpcCallOptions | undefined,
  ): Promise<unknown> {
    const url = this.#baseUrl;
    const { ok, status, statusText, text } = await this.#send(url, 'POST', body, names, options);
    if (!ok) throw new FwRpcHttpError(status, statusText, parsed(text));
    return readJson(text, url);
  }
`;
}

/** After the class of a JSON-RPC client. */
export function jsonRpcEnd(kind: ClientKind): string {
  return (kind.hasErrors ? jsonRpcGuard : '') + outcomes + batchEnd + sendEnd(kind);
}

const outcomes = `
/** The result or the error of a response, also if the server deviates from the specification. */
function outcome(answer: unknown): FwRpcOutcome {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return { error: noAnswer() };
  const { result, error } = answer as FwRpcAnswer;
  // JSON-RPC 1.0 servers send null if there is no error; others leave out a result that is undefined.
  return error === undefined || error === null ? { result: result ?? null } : { error: errorOf(error) };
}

function errorOf(error: unknown): JsonRpcError {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'number' && typeof message === 'string') return error as JsonRpcError;
  return {
    code: typeof code === 'number' ? code : -32603,
    message: typeof message === 'string' ? message : 'the server sent no message',
    data: error,
  };
}

function noAnswer(): JsonRpcError {
  return { code: -32603, message: 'the server sent no response to this call' };
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

/** What stands before the paths of routes: the origin of the procedures' URL, or the base of a client without any. */
const originOf = "(this.#options.routesUrl ?? /^\\w+:\\/\\/[^/]+/.exec(this.#baseUrl)?.[0] ?? '')";
export const ownBase = "this.#baseUrl.replace(/\\/$/, '')";

/** The inside of the class of a REST client, after its procedures. */
export function restTail(kind: ClientKind): string {
  const { hasCalls, hasSubscriptions, hasRoutes } = kind;
  const hasProcedures = hasCalls || hasSubscriptions;
  return [
    hasProcedures ? urlMethod : '',
    hasCalls ? readMethod(kind) : '',
    hasRoutes ? routeMethod(hasProcedures ? originOf : ownBase, kind.hasForms) : '',
    kind.hasSockets ? socketMethod(hasProcedures ? originOf : ownBase, kind) : '',
    send(kind),
  ].join('');
}

const urlMethod = `
  #url(name: string): string {
    return \`\${this.#baseUrl.replace(/\\/$/, '')}/\${encodeURIComponent(name)}\`;
  }
`;

function readMethod({ hasErrors, hasFiles }: ClientKind): string {
  return `
  async #read(
    method: string,
    name: string,
    search: string,
    body: ${hasFiles ? 'string | FwRpcForm | undefined' : 'string | undefined'},
    options: FwRpcCallOptions | undefined,
  ): Promise<unknown> {
    const url = this.#url(name) + search;
    const { ok, status, statusText, text } = await this.#send(url, method, body, [name], options);
    if (!ok) throw new FwRpcHttpError(status, statusText, parsed(text)${hasErrors ? ', name' : ''});
    return readJson(text, url);
  }
`;
}

/** Of a REST client that has queries. */
export function restQuery({ hasSubscriptions }: ClientKind): string {
  return `
  async #query(name: string, input: unknown, options: FwRpcCallOptions = {}): Promise<unknown> {
    return await this.#run({ name, kind: 'query', input, options }, true, async (given, own) => {
${indented(searchLines(hasSubscriptions, 'given'))}      return await this.#read('GET', name, search, undefined, own);
    });
  }
`;
}

/** Of a REST client that has mutations. */
export function restMutation({ hasFiles }: ClientKind): string {
  return `
  async #mutation(name: string, input: unknown, options: FwRpcCallOptions = {}): Promise<unknown> {
    return await this.#run({ name, kind: 'mutation', input, options }, false, async (given, own) => {
      // A body cannot be null; no body means the same.
      const body = given === undefined || given === null ? undefined : ${bodyText(hasFiles, 'given')};
      return await this.#read('POST', name, '', body, own);
    });
  }
`;
}

function indented(lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, '  ');
}

/** After the class of a REST client. */
export function restEnd(kind: ClientKind): string {
  return (kind.hasErrors ? `${restGuard}\n` : '') + sendEnd(kind);
}
