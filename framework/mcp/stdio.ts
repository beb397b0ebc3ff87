// MCP over the standard streams (2026-07-28, basic/transports, "stdio"): a message on each line. Each is answered as if
// it had come over HTTP, so that guards, limits and the log are the same.
import { checkOptions, checkValue } from '../options/check.js';
import { callback, matching, object, objectWith, type Rules, whole } from '../options/rules.js';
import { isRecord, LEGACY, META, MODERN } from './protocol/messages.js';
import { encodedField, isResponse, nameOf } from './protocol/read-message.js';

/** What answers, such as an App. */
export interface McpAnswering {
  fetch(request: Request): Promise<Response>;
}

/** Options of `serveMcpStdio`. */
export interface McpStdioOptions {
  /** Header fields of each request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where messages come from; the standard input by default. */
  readonly input?: AsyncIterable<Uint8Array | string>;
  /**
   * Gets each line of output; the standard output by default. Nothing else of the process may write there. If it returns
   * a promise, the next line of the same answer waits for it; if it throws or rejects, nothing more is served.
   */
  readonly write?: (line: string) => unknown;
  /** The longest line, in characters; 1,048,576 by default. */
  readonly maxLine?: number;
}

const PATH = matching(/^\/[^\s?#]*$/, "the path that the App has mounted it at, such as '/mcp'");

const RULES: Rules<McpStdioOptions> = {
  headers: object("an object such as { 'x-api-key': key }"),
  input: object('a stream that can be read'),
  write: callback('a function that writes a line'),
  maxLine: whole(1),
};

/**
 * Serves what an App has mounted by `mountMcp` over the standard streams, until the input ends: for clients that start
 * the server as a program. The log must go to stderr.
 *
 * ```ts no-run
 * await serveMcpStdio(app, '/mcp', { headers: { Authorization: `Bearer ${process.env.TOKEN}` } });
 * ```
 *
 * @param path where the App has mounted it
 */
export async function serveMcpStdio(
  app: McpAnswering,
  path: string,
  options: McpStdioOptions = {},
): Promise<void> {
  checkValue('serveMcpStdio', 'the App', app, objectWith(['fetch'], 'an App'));
  checkValue('serveMcpStdio', 'the path', path, PATH);
  const { headers = {}, maxLine = 1_048_576 } = checkOptions('serveMcpStdio', options, RULES);
  const input = options.input ?? process.stdin;
  const write = options.write ?? toStandardOutput;
  const bridge = new Bridge(
    (request) => app.fetch(request),
    new URL(path, 'http://localhost'),
    headers,
    write,
  );
  if (options.write === undefined) process.stdout.off('error', ignoreError).on('error', ignoreError);
  const answers = new Set<Promise<void>>();
  try {
    for await (const line of linesOf(input, maxLine)) {
      const answer = bridge.take(line).finally(() => answers.delete(answer));
      answers.add(answer);
    }
  } catch (error) {
    bridge.close();
    throw error;
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LAST_ANSWERS_MS);
  });
  // A procedure may be deaf to its signal.
  await Promise.race([Promise.allSettled(answers), end]);
  clearTimeout(timer);
  await bridge.end();
}

/** Who does not read any more is known from the callback of `write`; without a listener, it would end the process. */
function ignoreError(): void {}

/** Resolves when the output takes more; rejects when nobody reads it any more. */
function toStandardOutput(line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(line, (error) => (error ? reject(error) : resolve()));
  });
}

/** How long calls may go on after the input has ended, in milliseconds. */
const LAST_ANSWERS_MS = 1000;

type Id = string | number;

/** How many calls may be open at a time. */
const MOST_OPEN = 1000;

class Bridge {
  readonly #send: (request: Request) => Promise<Response>;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #write: (line: string) => unknown;
  /** Whether nobody reads the output any more. */
  #isBroken = false;
  /** The requests that were not answered yet. */
  readonly #open = new Map<Id, AbortController>();
  /** The revision of the handshake, if there was one. */
  #version: string | undefined;

  constructor(
    send: (request: Request) => Promise<Response>,
    url: URL,
    headers: Readonly<Record<string, string>>,
    write: (line: string) => unknown,
  ) {
    this.#send = send;
    this.#url = url;
    this.#headers = headers;
    this.#write = write;
  }

  close(): void {
    for (const controller of this.#open.values()) controller.abort();
  }

  /** Calls that are still open get no answer any more, and are told so. */
  async end(): Promise<void> {
    const late = [...this.#open.keys()];
    this.close();
    const why = 'the input ended before this call was answered; keep it open until the answer comes';
    for (const id of late) await this.#fail(id, -32603, why);
  }

  /** Answers a line. Never rejects. */
  async take(line: string | TooLong): Promise<void> {
    if (line instanceof TooLong)
      return this.#fail(null, -32600, `a line has more than ${line.most} characters`);
    const message = parsed(line);
    if (message === undefined) return this.#fail(null, -32700, 'Parse error');
    // The server asks nothing of a client, and an error would be taken for the answer to a call with the same id.
    if (isResponse(message)) return;
    const { id, method, params } = isRecord(message) ? message : {};
    if (method === 'notifications/cancelled') return this.#cancel(params);
    const key = typeof id === 'string' || typeof id === 'number' ? id : undefined;
    if (key !== undefined && this.#open.has(key))
      return this.#fail(key, -32600, 'a call with this id is not answered yet; give each an id of its own');
    if (this.#open.size >= MOST_OPEN)
      return this.#fail(key ?? null, -32603, `${MOST_OPEN} calls are not answered yet; wait for some`);
    const controller = new AbortController();
    if (key !== undefined) this.#open.set(key, controller);
    try {
      const headers = new Headers(this.#headers);
      for (const [name, value] of Object.entries(this.#fieldsOf(method, params))) headers.set(name, value);
      const request = new Request(this.#url, {
        method: 'POST',
        body: line,
        headers,
        signal: controller.signal,
      });
      await this.#relay(await this.#send(request), key ?? null, method, controller.signal);
    } catch (error) {
      // A request that the client has cancelled gets no answer.
      if (!controller.signal.aborted) await this.#fail(key ?? null, -32603, (error as Error).message);
    } finally {
      if (key !== undefined && this.#open.get(key) === controller) this.#open.delete(key);
    }
  }

  #cancel(params: unknown): void {
    const id = isRecord(params) ? params.requestId : undefined;
    this.#open.get(id as Id)?.abort();
  }

  /** The header fields that a client of HTTP would send. */
  #fieldsOf(method: unknown, params: unknown): Record<string, string> {
    const name = typeof method === 'string' ? nameOf(method, params) : undefined;
    const claimed = isRecord(params) && isRecord(params._meta) ? params._meta[META.version] : undefined;
    const version = typeof claimed === 'string' ? claimed : this.#version;
    return {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(version !== undefined && { 'MCP-Protocol-Version': encodedField(version) }),
      ...(typeof method === 'string' && version === MODERN && { 'Mcp-Method': encodedField(method) }),
      ...(name !== undefined && { 'Mcp-Name': encodedField(name) }),
    };
  }

  async #relay(response: Response, id: Id | null, method: unknown, signal: AbortSignal): Promise<void> {
    const type = response.headers.get('Content-Type') ?? '';
    if (response.body !== null && type.startsWith('text/event-stream')) {
      for await (const data of eventsOf(response.body)) if (!signal.aborted) await this.#line(data);
      return;
    }
    const text = await response.text();
    if (signal.aborted || (text === '' && response.ok)) return;
    const answer = parsed(text);
    if (isRecord(answer) && answer.jsonrpc === '2.0') {
      if (method === 'initialize') this.#version = versionIn(answer);
      return this.#line(JSON.stringify(answer));
    }
    // An error of the server that is not of MCP, such as 401.
    if (id === null) return;
    const why =
      isRecord(answer) && typeof answer.message === 'string' ? answer.message : 'no reason was given';
    await this.#fail(id, -32603, `${response.status}: ${why}`);
  }

  #fail(id: Id | null, code: number, message: string): Promise<void> {
    return this.#line(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }

  /** Never rejects. */
  async #line(json: string): Promise<void> {
    if (this.#isBroken) return;
    try {
      await this.#write(`${json}\n`);
    } catch {
      // Nobody hears an answer any more, so that nothing has to go on.
      this.#isBroken = true;
      this.close();
    }
  }
}

function versionIn({ result }: Readonly<Record<string, unknown>>): string | undefined {
  const version = isRecord(result) ? result.protocolVersion : undefined;
  return typeof version === 'string' && LEGACY.includes(version) ? version : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is not JSON.
    return undefined;
  }
}

/** The data of each event. The server writes it on one line. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  for await (const line of linesOf(body, Number.POSITIVE_INFINITY)) {
    if (typeof line === 'string' && line.startsWith('data: ')) yield line.slice('data: '.length);
  }
}

class TooLong {
  readonly most: number;

  constructor(most: number) {
    this.most = most;
  }
}

/** The lines that are not empty; one that is too long is dropped, and named. */
async function* linesOf(
  input: AsyncIterable<Uint8Array | string>,
  most: number,
): AsyncGenerator<string | TooLong, void> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  const take = (): string | TooLong => {
    const line = length > most ? new TooLong(most) : parts.join('');
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = text.split('\n');
    for (const [index, part] of lines.entries()) {
      length += part.length;
      if (length <= most) parts.push(part);
      else parts = [];
      if (index === lines.length - 1 || length === 0) continue;
      const line = take();
      if (typeof line !== 'string' || /[^\t\r ]/.test(line)) yield line;
    }
  }
  // What the input has ended in the middle of.
  const rest = decoder.decode();
  length += rest.length;
  if (length <= most) parts.push(rest);
  if (length > 0) yield take();
}
