// MCP: answers one message, in the revision that it speaks. It keeps nothing between messages, so that any process may
// answer any of them.
import {
  CODE,
  isRecord,
  LEGACY,
  McpError,
  McpInputRequired,
  type McpProgress,
  META,
  MODERN,
} from './messages.js';
import { LONGEST_ID, type McpMessage } from './read-message.js';
import { Reports } from './reports.js';
import type { McpCaller, McpChanges, McpReference, McpResources, McpSource } from './source.js';

/** A message of the server: the answer to a request, or a notification before it. */
export type Outgoing = { readonly jsonrpc: '2.0' } & Readonly<Record<string, unknown>>;

/** The answer to a request; a stream if notifications come before it. */
export type Answer =
  | { readonly kind: 'message'; readonly message: Outgoing }
  | { readonly kind: 'stream'; readonly messages: AsyncIterable<Outgoing> };

/** What the transport knows of a request. */
export interface Incoming<Ctx> {
  readonly ctx: Ctx;
  /** Aborts when the client does not wait any more; made only if something asks, because watching has a cost. */
  readonly signal: AbortSignal;
}

type Result = Readonly<Record<string, unknown>>;

/** How many values a completion has (server/utilities/completion). */
const MOST_VALUES = 100;

export class McpServer<Ctx> {
  readonly #source: McpSource<Ctx>;

  constructor(source: McpSource<Ctx>) {
    this.#source = source;
  }

  /** Rejects with an McpError for what cannot be answered, and with what the source throws. */
  async answer(message: McpMessage, incoming: Incoming<Ctx>): Promise<Answer> {
    const { method, meta } = message;
    const { resources } = this.#source;
    if (method === 'subscriptions/listen' && message.era === 'modern' && resources !== undefined) {
      return await this.#listen(message, incoming, resources);
    }
    const token = meta.progressToken;
    const isHeard = typeof token === 'number' || (typeof token === 'string' && token.length <= LONGEST_ID);
    if (isHeard && method === 'tools/call') return await this.#reported(message, incoming, token);
    return { kind: 'message', message: await this.#respond(message, callerOf(message, incoming)) };
  }

  async #respond(message: McpMessage, caller: McpCaller<Ctx>): Promise<Outgoing> {
    const result = await this.#result(message, caller);
    return {
      jsonrpc: '2.0',
      id: message.id,
      result: message.era === 'modern' ? this.#stamped(result) : result,
    };
  }

  async #result(message: McpMessage, caller: McpCaller<Ctx>): Promise<Result> {
    const { method, era } = message;
    const shared = await this.#sharedResult(message, caller);
    if (shared !== undefined) return shared;
    if (era === 'modern' && method === 'server/discover') return this.#discovered();
    if (era === 'legacy' && method === 'initialize') return this.#initialized(message.params);
    if (era === 'legacy' && method === 'ping') return {};
    throw new McpError(CODE.methodNotFound, `Method not found: ${JSON.stringify(method.slice(0, 100))}`, {
      // So that intermediaries see it (2026-07-28, basic/transports).
      ...(era === 'modern' && { status: 404 }),
    });
  }

  async #sharedResult(message: McpMessage, caller: McpCaller<Ctx>): Promise<Result | undefined> {
    const { resources, prompts } = this.#source;
    const { method, params } = message;
    switch (method) {
      case 'tools/list':
        return this.#page('tools', ({ name }) => name, await this.#source.tools(caller), message);
      case 'tools/call':
        return await this.#call(params, caller);
      case 'resources/list':
        return resources && this.#page('resources', ({ uri }) => uri, await resources.list(caller), message);
      case 'resources/templates/list': {
        const page = await resources?.templates(caller);
        return page && this.#page('resourceTemplates', (one) => one.uriTemplate, page, message);
      }
      case 'resources/read':
        return resources && (await this.#read(params, caller));
      case 'prompts/list':
        return prompts && this.#page('prompts', ({ name }) => name, await prompts.list(caller), message);
      case 'prompts/get':
        return prompts && (await this.#prompt(params, caller));
      case 'completion/complete':
        return resources || prompts ? await this.#completed(params, caller) : undefined;
      default:
        return undefined;
    }
  }

  async #call(params: McpMessage['params'], caller: McpCaller<Ctx>): Promise<Result> {
    const { name, arguments: input } = params;
    if (typeof name !== 'string') throw invalidParams("'name' of tools/call is not a string");
    if (input !== undefined && !isRecord(input))
      throw invalidParams("'arguments' of tools/call is not an object");
    const outcome = await this.#source.call(name, input, caller);
    return outcome instanceof McpInputRequired ? inputRequired(outcome) : { ...outcome };
  }

  async #read({ uri }: McpMessage['params'], caller: McpCaller<Ctx>): Promise<Result> {
    if (typeof uri !== 'string') throw invalidParams("'uri' of resources/read is not a string");
    const contents = await this.#source.resources?.read(uri, caller);
    if (contents instanceof McpInputRequired) return inputRequired(contents);
    if (contents !== undefined) return { contents, ...hints(0, caller.era) };
    const code = caller.era === 'modern' ? CODE.invalidParams : CODE.resourceNotFound;
    throw new McpError(code, `Resource not found: ${JSON.stringify(uri.slice(0, 200))}`, { data: { uri } });
  }

  async #prompt(params: McpMessage['params'], caller: McpCaller<Ctx>): Promise<Result> {
    const { name, arguments: input = {} } = params;
    if (typeof name !== 'string') throw invalidParams("'name' of prompts/get is not a string");
    if (!isRecord(input)) throw invalidParams("'arguments' of prompts/get is not an object");
    const messages = await this.#source.prompts?.get(name, input, caller);
    if (messages === undefined) throw invalidParams(`unknown prompt ${JSON.stringify(name.slice(0, 100))}`);
    return messages instanceof McpInputRequired ? inputRequired(messages) : { messages };
  }

  async #completed({ ref, argument }: McpMessage['params'], caller: McpCaller<Ctx>): Promise<Result> {
    const reference = isRecord(ref) ? referenceOf(ref) : undefined;
    const { name, value }: Result = isRecord(argument) ? argument : {};
    if (reference === undefined || typeof name !== 'string' || typeof value !== 'string')
      throw invalidParams("completion/complete needs 'ref' and 'argument'");
    const all = await this.#source.complete(reference, name, value, caller);
    if (all === undefined) throw invalidParams('there is no such prompt or resource template');
    const values = all.slice(0, MOST_VALUES);
    return { completion: { values, total: all.length, hasMore: values.length < all.length } };
  }

  /** The cursor is the name of the last entry, so that any process can go on from it. */
  #page<Entry>(
    field: string,
    keyOf: (entry: Entry) => string,
    entries: readonly Entry[],
    { era, params }: McpMessage,
  ): Result {
    const { cursor } = params;
    const { pageSize, listTtl } = this.#source;
    const after = cursor === undefined ? undefined : keyOfCursor(cursor);
    const sorted = [...entries].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const rest = after === undefined ? sorted : sorted.filter((one) => keyOf(one) > after);
    const shown = rest.slice(0, pageSize);
    const last = shown.at(-1);
    return {
      [field]: shown,
      ...(last !== undefined && rest.length > pageSize && { nextCursor: cursorOf(keyOf(last)) }),
      ...hints(listTtl, era),
    };
  }

  #discovered(): Result {
    const { instructions, listTtl } = this.#source;
    return {
      supportedVersions: [MODERN],
      capabilities: this.#capabilities('modern'),
      ...(instructions !== undefined && { instructions }),
      ...hints(listTtl, 'modern'),
    };
  }

  #initialized({ protocolVersion }: McpMessage['params']): Result {
    const { info, instructions } = this.#source;
    const asked = typeof protocolVersion === 'string' ? protocolVersion : '';
    return {
      protocolVersion: LEGACY.includes(asked) ? asked : LEGACY[0],
      capabilities: this.#capabilities('legacy'),
      serverInfo: info,
      ...(instructions !== undefined && { instructions }),
    };
  }

  #capabilities(era: McpMessage['era']): Result {
    const { resources, prompts } = this.#source;
    return {
      tools: {},
      // Without a session, nothing can be sent to a client that has not asked for it.
      ...(resources !== undefined && { resources: era === 'modern' ? { subscribe: true } : {} }),
      ...(prompts !== undefined && { prompts: {} }),
      ...((resources !== undefined || prompts !== undefined) && { completions: {} }),
    };
  }

  #stamped(result: Result): Result {
    return { resultType: 'complete', ...result, _meta: { [META.server]: this.#source.info } };
  }

  /** The answer of a call; from the first report on, a stream of reports and the answer. */
  async #reported(message: McpMessage, incoming: Incoming<Ctx>, progressToken: unknown): Promise<Answer> {
    const reports = new Reports();
    incoming.signal.addEventListener('abort', () => reports.end(), { once: true });
    const caller = callerOf(message, incoming, (progress) => reports.add(progress));
    const response = this.#respond(message, caller).finally(() => reports.end());
    // Until a stream awaits it at its end.
    response.catch(() => {});
    await reports.first;
    if (!reports.isPending) return { kind: 'message', message: await response };
    return { kind: 'stream', messages: this.#reportedThen(reports, progressToken, response, message) };
  }

  async *#reportedThen(
    reports: Reports,
    progressToken: unknown,
    response: Promise<Outgoing>,
    message: McpMessage,
  ): AsyncGenerator<Outgoing, void> {
    for await (const progress of reports) {
      yield { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, ...progress } };
    }
    try {
      yield await response;
    } catch (error) {
      yield errorAnswer(message, error);
    }
  }

  /** Which changes will be told, then each of them (2026-07-28, basic/utilities/subscriptions). */
  async #listen(message: McpMessage, incoming: Incoming<Ctx>, resources: McpResources<Ctx>): Promise<Answer> {
    const { notifications } = message.params;
    const asked = isRecord(notifications) ? (notifications.resourceSubscriptions ?? []) : undefined;
    if (!Array.isArray(asked) || !asked.every((uri) => typeof uri === 'string'))
      throw invalidParams("'notifications' of subscriptions/listen is not a filter");
    const uris = resources.watchable(asked as string[]);
    const changes = uris.length === 0 ? NONE : await resources.watch(uris, callerOf(message, incoming));
    return { kind: 'stream', messages: ending(changes, this.#told(message, uris, changes, incoming)) };
  }

  async *#told(
    message: McpMessage,
    uris: readonly string[],
    changes: AsyncIterable<string>,
    incoming: Incoming<Ctx>,
  ): AsyncGenerator<Outgoing, void> {
    const { id } = message;
    const _meta = { [META.subscription]: id };
    const notifications = uris.length === 0 ? {} : { resourceSubscriptions: uris };
    const acknowledged = 'notifications/subscriptions/acknowledged';
    yield { jsonrpc: '2.0', method: acknowledged, params: { _meta, notifications } };
    try {
      for await (const uri of changes) {
        yield { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { _meta, uri } };
      }
      // A client that has left gets no end.
      if (incoming.signal.aborted) return;
      const result = this.#stamped({});
      yield { jsonrpc: '2.0', id, result: { ...result, _meta: { ...(result._meta as object), ..._meta } } };
    } catch (error) {
      yield errorAnswer(message, error);
    }
  }
}

const NONE: McpChanges = {
  async *[Symbol.asyncIterator]() {},
  end() {},
};

/** Ends the changes with the messages, also if none was read: a generator that has not begun runs no `finally`. */
function ending(changes: McpChanges, messages: AsyncGenerator<Outgoing, void>): AsyncIterable<Outgoing> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => messages.next(),
      return() {
        changes.end();
        return messages.return();
      },
    }),
  };
}

/** The answer to a request that failed. @throws the error, if it is not an McpError, for whoever knows what it means */
export function errorAnswer({ id }: Pick<McpMessage, 'id'>, error: unknown): Outgoing {
  if (!(error instanceof McpError)) throw error;
  return { jsonrpc: '2.0', id: id ?? null, error: errorObject(error) };
}

function errorObject({ code, message, data }: McpError): Result {
  return { code, message, ...(data !== undefined && { data }) };
}

function callerOf<Ctx>(
  { era, capabilities, params }: McpMessage,
  incoming: Incoming<Ctx>,
  report?: (progress: McpProgress) => void,
): McpCaller<Ctx> {
  const { inputResponses, requestState } = params;
  return {
    ctx: incoming.ctx,
    get signal() {
      return incoming.signal;
    },
    era,
    capabilities,
    inputResponses: isRecord(inputResponses) ? inputResponses : {},
    requestState,
    report,
  };
}

function inputRequired({ inputRequests, requestState }: McpInputRequired): Result {
  return { resultType: 'input_required', inputRequests, requestState };
}

function referenceOf({ type, name, uri }: Result): McpReference | undefined {
  if (type === 'ref/prompt' && typeof name === 'string') return { prompt: name };
  return type === 'ref/resource' && typeof uri === 'string' ? { template: uri } : undefined;
}

/**
 * How long a client may keep a result (2026-07-28, server/utilities/caching), for itself alone: what one caller may see
 * is decided by guards, of which a server does not know all.
 */
function hints(ttlMs: number, era: McpMessage['era']): Result {
  return era === 'modern' ? { ttlMs, cacheScope: 'private' } : {};
}

function invalidParams(why: string): McpError {
  return new McpError(CODE.invalidParams, `Invalid params: ${why}`);
}

function cursorOf(key: string): string {
  return encodeURIComponent(key);
}

function keyOfCursor(cursor: unknown): string {
  try {
    if (typeof cursor === 'string' && cursor !== '') return decodeURIComponent(cursor);
  } catch {
    // It is malformed, as below.
  }
  throw invalidParams("'cursor' is not one that this server gave");
}
