// The client: the text of the code that reads subscriptions. A client without any has none of it.
import type { ClientKind } from './client-kind.js';
import { searchFunction } from './client-search.js';
import { carryMethods, chooseCarrier } from './client-socket-subscribe.js';
import { subscriptionTypes } from './client-subscribe-types.js';

/** Before the class. */
export function subscriptionHead(kind: ClientKind): string {
  return subscriptionTypes(kind) + head;
}

const head = `
interface FwRpcStreamGlobals {
  readonly TextDecoder: new () => { decode(bytes: Uint8Array | undefined, options: { stream: boolean }): string };
}

const { TextDecoder: FwRpcTextDecoder } = globalThis as unknown as FwRpcStreamGlobals;

/** Why a subscription ends that nobody reads any more. */
const LEFT = new Error('the subscription was left');

/** A connection is lost if nothing arrived for so many intervals of the server's comments. */
const MISSED_HEARTBEATS = 3;

/** What a subscription keeps when it reconnects. */
interface FwRpcProgress {
  lastEventId: string | undefined;
  wasOpen: boolean;
  /** Whether what fails now is not the connection: the server has sent an error, or the caller has an event. */
  isFinal: boolean;
  attempts: number;
}

interface FwRpcFrame {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}
`;

/** Members of the class. */
export function subscriptionMembers(kind: ClientKind): string {
  const carried = kind.hasCarriers ? carryMethods(kind) : '';
  return subscribe(kind.hasCarriers) + connection(kind) + carried;
}

function subscribe(hasCarriers: boolean): string {
  return `
  #subscribe(
    name: string,
    input: unknown,
    options: FwRpcSubscriptionOptions = {},
  ): AsyncGenerator<unknown, void, undefined> {
${hasCarriers ? chooseCarrier : ''}${streamed}`;
}

const streamed = `    const controller = new globals.AbortController();
    const events = this.#events(name, input, options, controller);
    const finish = events.return.bind(events);
    // The generator alone would end only after the event that it waits for.
    events.return = async (value) => {
      controller.abort(LEFT);
      return await finish(value);
    };
    return events;
  }

  async *#events(
    name: string,
    input: unknown,
    options: FwRpcSubscriptionOptions,
    controller: { readonly signal: FwRpcSignal; abort(reason?: unknown): void },
  ): AsyncGenerator<unknown, void, undefined> {
    const { signal: ended } = controller;
    const { lastEventId, onState, reconnect = {} } = options;
    const limits = reconnect === false ? { maxAttempts: 0 } : reconnect;
    const { maxAttempts = Infinity, minDelayMs = 1_000, maxDelayMs = 30_000 }: FwRpcReconnect = limits;
    const progress: FwRpcProgress = { lastEventId, wasOpen: false, isFinal: false, attempts: 0 };
    const signals = [this.#options.signal, options.signal].filter((signal) => signal !== undefined);
    const abort = (): void => {
      controller.abort(signals.find((signal) => signal.aborted)?.reason);
    };
    for (const signal of signals) signal.addEventListener('abort', abort);
    if (signals.some((signal) => signal.aborted)) abort();
    try {
      for (;;) {
        try {
          yield* this.#connection(name, input, options, ended, progress);
          return;
        } catch (error) {
          if (ended.aborted || !isLost(error, progress) || progress.attempts >= maxAttempts) throw error;
          onState?.('lost', error);
        }
        const longest = Math.min(maxDelayMs, minDelayMs * 2 ** progress.attempts);
        progress.attempts += 1;
        // With jitter, so that the clients of a server that was restarted do not all return at once.
        await pause(longest * (0.5 + Math.random() / 2), [ended]);
      }
    } catch (error) {
      if (ended.reason !== LEFT) throw ended.aborted ? reasonOf(ended) : error;
    } finally {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    }
  }
`;

function connection(kind: ClientKind): string {
  const { isRest, hasErrors } = kind;
  const named = hasErrors ? ', name' : '';
  const asked = isRest
    ? `    const url = this.#url(name) + searchOf(input);
    const request = { method: 'GET' };`
    : `    const url = this.#baseUrl;
    const request = { method: 'POST', body: JSON.stringify(this.#request(name, input)) };`;
  const sent = isRest ? '' : `\n        { 'Content-Type': 'application/json' },`;
  const httpError = `throw new FwRpcHttpError(response.status, response.statusText, parsed(text)${isRest ? named : ''})`;
  const refused = isRest
    ? `        ${httpError.replace('throw', 'if (!response.ok) throw')};`
    : `        if (!response.ok) ${httpError};
        const { error } = outcome(readJson(text, url));
        if (error !== undefined) throw new JsonRpcClientError(error${named});`;
  const failed = isRest
    ? `          const { status, body } = readJson(data, url) as { status: number; body: { message?: unknown } };
          throw new FwRpcHttpError(status, String(body.message), body${named});`
    : `          throw new JsonRpcClientError(errorOf(readJson(data, url))${named});`;
  return `
  /** The events of one connection; throws if it ends before the subscription does. */
  async *#connection(
    name: string,
    input: unknown,
    options: FwRpcSubscriptionOptions,
    ended: FwRpcSignal,
    progress: FwRpcProgress,
  ): AsyncGenerator<unknown, void, undefined> {
    if (ended.aborted) throw reasonOf(ended);
${asked}
    const controller = new globals.AbortController();
    const { signal } = controller;
    let reader: FwRpcReader | undefined;
    let timer: unknown;
    const cut = (reason: unknown): void => {
      controller.abort(reason);
      // For a fetch that ignores signals; otherwise the reader has failed already.
      reader?.cancel().catch(() => undefined);
    };
    const leave = (): void => {
      cut(reasonOf(ended));
    };
    const within = (ms: number, reason: () => Error): void => {
      globals.clearTimeout(timer);
      timer =
        ms > LONGEST_MS
          ? undefined
          : globals.setTimeout(() => {
              cut(reason());
            }, ms);
    };
    ended.addEventListener('abort', leave);
    try {
      const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? Infinity;
      within(timeoutMs, () => new FwRpcTimeoutError(timeoutMs));
      const { headers: own = {}, fetch = globals.fetch.bind(globalThis) } = this.#options;
      const headers = fields(${sent}
        { Accept: 'text/event-stream' },
        contractField(this.#options.checkContract, [name]),
        typeof own === 'function' ? await own() : own,
        options.headers ?? {},
        progress.lastEventId === undefined ? {} : { 'Last-Event-ID': latin1(progress.lastEventId) },
      );
      if (signal.aborted) throw reasonOf(signal);
      const response = await Promise.race([fetch(url, { ...request, headers, signal }), end(signal)]);
      const { body } = response;
      if (!/^text\\/event-stream/i.test(response.headers.get('Content-Type') ?? '') || body === null) {
        const text = await response.text();
${refused}
        throw new Error(\`\${url} answered '\${text.trim().slice(0, 60)}' instead of events; is the base URL right?\`);
      }
      reader = body.getReader();
      const decoder = new FwRpcTextDecoder();
      const read = frameReader();
      let silentMs: number | undefined;
      for (;;) {
        if (signal.aborted) throw reasonOf(signal);
        if (silentMs !== undefined) {
          const ms = silentMs;
          within(ms, () => new Error(\`\${url} sent nothing for \${String(ms)} ms\`));
        }
        const { done, value } = await reader.read();
        if (signal.aborted) throw reasonOf(signal);
        if (done) throw new Error(\`the connection to \${url} was closed before the subscription was done\`);
        if (silentMs !== undefined) {
          // The time in which the caller works on an event does not count.
          globals.clearTimeout(timer);
          progress.attempts = 0;
        }
        for (const { event, data, id } of read(decoder.decode(value, { stream: true }))) {
          if (event === 'done') return;
          if (event === 'error') {
            progress.isFinal = true;
  ${failed.replaceAll('\n', '\n  ')}
          }
          if (event === 'ready') {
            globals.clearTimeout(timer);
            silentMs = (readJson(data, url) as { heartbeatMs: number }).heartbeatMs * MISSED_HEARTBEATS;
            progress.wasOpen = true;
            options.onState?.('open');
          } else if (event === '') {
            progress.attempts = 0;
            progress.lastEventId = id ?? progress.lastEventId;
            const value = readJson(data, url);
            progress.isFinal = true;
            yield value;
            progress.isFinal = false;
            if (signal.aborted) throw reasonOf(signal);
          }
        }
      }
    } finally {
      globals.clearTimeout(timer);
      ended.removeEventListener('abort', leave);
      cut(LEFT);
    }
  }
`;
}

/** After the class. */
export function subscriptionEnd({ isRest }: ClientKind): string {
  const condition = isRest
    ? `  if (!(error instanceof FwRpcHttpError)) return true;`
    : `  // The codes that stand for 500, 503, 408 and 429.
  if (error instanceof JsonRpcClientError) return [-32603, -32053, -32008, -32029].includes(error.code);
  if (!(error instanceof FwRpcHttpError)) return true;`;
  return `
/** Whether another connection may help. The first one fails like a call. */
function isLost(error: unknown, { wasOpen, isFinal }: FwRpcProgress): boolean {
  if (!wasOpen || isFinal) return false;
${condition}
  return error.status >= 500 || error.status === 408 || error.status === 429;
}

/** Reads server-sent events (WHATWG HTML, section 9.2.6) from text that arrives in parts. */
function frameReader(): (text: string) => FwRpcFrame[] {
  let rest = '';
  let event = '';
  let data: string[] = [];
  let id: string | undefined;
  return (text) => {
    const frames: FwRpcFrame[] = [];
    const lines = (rest + text).split('\\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (event !== '' || data.length > 0) frames.push({ event, data: data.join('\\n'), id });
        event = '';
        data = [];
        id = undefined;
      }
      const [, field = '', value = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
      if (field === 'data') data.push(value);
      else if (field === 'event') event = value;
      else if (field === 'id') id = value;
    }
    return frames;
  };
}

/** Header fields are sent as Latin-1, but an id as UTF-8. */
function latin1(text: string): string {
  return encodeURIComponent(text).replace(/%([\\dA-F]{2})/g, (_found, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
${isRest ? searchFunction : ''}`;
}
