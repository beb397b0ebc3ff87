// Testing: connects a WebSocket to an App, or expects its handshake to be refused.

import { AssertionError } from 'node:assert';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type ClientOptions, WebSocket } from 'ws';
import type { WebSocketRoute } from '../../extract/socket-route.js';
import { TOKEN_PROTOCOL } from '../../http/upgrade.js';
import { checkOptions } from '../../options/check.js';
import { filled, flag, listOf, milliseconds, type Rules, record, text } from '../../options/rules.js';
import type { RunningServer } from '../../runtime/node/listen.js';
import { EVENTS_PROTOCOL } from '../../websocket/handshake.js';
import { toResponse } from '../http-exchange.js';
import { type TestRequestOptions, withQuery } from '../test-request.js';
import { TestResponse } from '../test-response.js';
import type { Listenable } from '../test-server.js';
import { TestWebSocket, type TestWebSocketOf, type UntypedEvents } from './test-web-socket.js';

/** Options of `connectWebSocket` and `refusedWebSocket`. */
export interface TestWebSocketOptions {
  /** Header fields of the handshake, such as `origin` and `cookie`. */
  readonly headers?: Record<string, string>;
  /** Query parameters; a list repeats the key. */
  readonly query?: TestRequestOptions['query'];
  /** The sub-protocols that the client offers, in its order. */
  readonly protocols?: readonly string[];
  /** A bearer token, which is offered as the sub-protocol `fw.bearer.…`, as browsers send it. */
  readonly token?: string;
  /**
   * Connects as a generated client does: offers `fw.events`, tells the last ids of its topics (`{}` for none), and
   * waits for `ready`, which follows `onOpen`. Heartbeats and the places in topics, which a new subscriber is told, are
   * no messages then.
   */
  readonly resume?: Readonly<Record<string, string>>;
  /** Offers the compression of messages (RFC 7692); off by default. */
  readonly compression?: boolean;
  /** How long the handshake and each wait may take, in milliseconds; 1,000 by default. */
  readonly timeoutMs?: number;
}

/** An App, which is served while WebSockets are connected to it, or a running server or its address. */
export type TestWebSocketTarget = Listenable | { readonly url: string } | string;

/**
 * Connects a WebSocket. An App is served on a free port of 127.0.0.1 until the last of its WebSockets is closed.
 *
 * ```ts
 * await using socket = await connectWebSocket<typeof room>(app, '/rooms/lobby', { token: 'ada' });
 * socket.emit('say', { text: 'hello' });
 * assert.deepEqual(await socket.nextEvent('said'), { from: 'ada', text: 'hello' });
 * ```
 *
 * The type argument is the type of a WebSocket that `websocket` has made; or two types, of the events that the
 * server and the client send.
 *
 * @throws AssertionError that shows the response if the handshake is refused.
 */
export function connectWebSocket<Route extends WebSocketRoute>(
  target: TestWebSocketTarget,
  path: string,
  options?: TestWebSocketOptions,
): Promise<TestWebSocketOf<Route>>;
export function connectWebSocket<FromServer extends object, FromClient extends object = UntypedEvents>(
  target: TestWebSocketTarget,
  path: string,
  options?: TestWebSocketOptions,
): Promise<TestWebSocket<FromServer, FromClient>>;
export async function connectWebSocket(
  target: TestWebSocketTarget,
  path: string,
  options: TestWebSocketOptions = {},
): Promise<TestWebSocket> {
  const answer = await shakeHands(target, path, options);
  if (answer instanceof TestResponse) throw refused(answer);
  const { resume } = options;
  if (resume === undefined) return answer;
  try {
    if (answer.protocol !== EVENTS_PROTOCOL) throw notEvents(path, answer.protocol);
    answer.sendJson({ resume });
    await answer.whenReady();
    return answer;
  } catch (error) {
    await answer.terminate();
    throw error;
  }
}

/**
 * Expects a handshake to be refused, and resolves with the plain response.
 *
 * ```ts
 * (await refusedWebSocket(app, '/rooms/lobby')).assertStatus(401);
 * ```
 *
 * @throws AssertionError if the handshake is accepted.
 */
export async function refusedWebSocket(
  target: TestWebSocketTarget,
  path: string,
  options: TestWebSocketOptions = {},
): Promise<TestResponse> {
  const answer = await shakeHands(target, path, options);
  if (answer instanceof TestResponse) return answer;
  await answer.terminate();
  const message = `WebSocket ${path}: expected the handshake to be refused, but it was accepted`;
  throw new AssertionError({ message, operator: 'refusedWebSocket', stackStartFn: refusedWebSocket });
}

const RULES: Rules<TestWebSocketOptions> = {
  headers: record('an object of header fields'),
  query: record('an object of query parameters'),
  protocols: listOf(filled),
  token: text,
  resume: record('an object of ids by topic'),
  compression: flag,
  timeoutMs: milliseconds(1),
};

/** The response if the handshake was refused. Nothing is left open if it fails. */
async function shakeHands(
  target: TestWebSocketTarget,
  path: string,
  options: TestWebSocketOptions,
): Promise<TestWebSocket | TestResponse> {
  const {
    timeoutMs = 1_000,
    compression = false,
    headers,
    query,
  } = checkOptions('connectWebSocket', options, RULES);
  // A wrong path must not start a server.
  const suffix = withQuery(path, query);
  const lease = await leaseOf(target);
  try {
    const ws = new WebSocket(lease.url.replace(/^http/, 'ws') + suffix, protocolsOf(options), {
      headers: { ...headers },
      handshakeTimeout: timeoutMs,
      perMessageDeflate: compression,
      // Which the types of ws do not have.
      closeTimeout: timeoutMs,
    } as ClientOptions);
    const socket = new TestWebSocket(ws, path, timeoutMs, () => lease.release());
    const incoming = await answered(ws);
    if (incoming === undefined) return socket;
    const response = await TestResponse.read(toResponse(incoming), `GET ${path} (WebSocket)`);
    ws.terminate();
    await lease.release();
    return response;
  } catch (error) {
    await lease.release();
    throw error;
  }
}

/** The plain response; undefined if the connection was upgraded. */
function answered(ws: WebSocket): Promise<IncomingMessage | undefined> {
  return new Promise((resolve, reject) => {
    ws.once('open', () => resolve(undefined));
    ws.once('unexpected-response', (_request: ClientRequest, incoming) => resolve(incoming));
    ws.once('error', (error) => reject(explained(error, ws)));
  });
}

async function leaseOf(target: TestWebSocketTarget): Promise<ServerLease> {
  if (typeof target === 'object' && 'listen' in target) return leaseServer(target);
  const url = typeof target === 'string' ? target : target.url;
  if (!/^(?:http|ws)s?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Error(
      `a WebSocket is connected to an App or an address such as 'http://127.0.0.1:3000', not '${url}'`,
    );
  }
  return { url: url.replace(/\/$/, ''), release: async () => {} };
}

function protocolsOf({ protocols = [], token, resume }: TestWebSocketOptions): string[] {
  const events = resume === undefined ? [] : [EVENTS_PROTOCOL];
  const bearer = token === undefined ? [] : [`${TOKEN_PROTOCOL}${Buffer.from(token).toString('base64url')}`];
  return [...events, ...protocols, ...bearer];
}

function refused(answer: TestResponse): unknown {
  try {
    answer.assertStatus(101);
  } catch (error) {
    return error;
  }
  return new Error('the server switched to another protocol');
}

/** Browsers refuse that too: WHATWG WebSockets, section 2.3. */
const NONE_SELECTED = 'Server sent no subprotocol';

function explained(error: Error, { url }: WebSocket): Error {
  if (error.message !== NONE_SELECTED) return error;
  const remedy = "offer one that 'protocols' of websocket() names; 'resume' needs 'receives'";
  return new Error(
    `WebSocket ${new URL(url).pathname}: the server selected none of the sub-protocols that were offered, which browsers refuse; ${remedy}`,
  );
}

function notEvents(path: string, protocol: string): Error {
  const selected = protocol === '' ? 'no sub-protocol' : `'${protocol}'`;
  return new Error(
    `WebSocket ${path}: the server selected ${selected}; 'resume' needs a WebSocket with 'receives'`,
  );
}

/** A server in use. */
interface ServerLease {
  /** The base URL, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Ends the use; the last one closes the server. Resolves when it is closed. */
  release(): Promise<void>;
}

interface Shared {
  readonly running: Promise<RunningServer>;
  users: number;
}

const servers = new WeakMap<Listenable, Shared>();

/** Starts a server on a free port of 127.0.0.1, or uses the one that other WebSockets of the App have started. */
async function leaseServer(app: Listenable): Promise<ServerLease> {
  let shared = servers.get(app);
  if (shared === undefined) {
    shared = { running: app.listen(0), users: 0 };
    servers.set(app, shared);
  }
  const own = shared;
  own.users += 1;
  let released: Promise<void> | undefined;
  const release = async (): Promise<void> => {
    own.users -= 1;
    if (own.users > 0) return;
    servers.delete(app);
    await (await own.running).close();
  };
  try {
    const { url } = await own.running;
    return {
      url,
      release() {
        released ??= release();
        return released;
      },
    };
  } catch (error) {
    servers.delete(app);
    throw error;
  }
}
