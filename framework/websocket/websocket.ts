// WebSocket: makes a route of handlers; it upgrades connections and knows all that are open.

import { ConfigError } from '../config-error.js';
import { AuthorizationWatch } from '../context/authorization-watch.js';
import type { Context } from '../context/context.js';
import type { SocketDescription, SocketEvents, WebSocketRoute } from '../extract/socket-route.js';
import { FwResponse } from '../http/response.js';
import {
  type ServedUpgrade,
  TOKEN_PROTOCOL,
  type UpgradedConnection,
  type UpgradeRequest,
} from '../http/upgrade.js';
import { checkOptions, checkValue } from '../options/check.js';
import { callback, object, type Rules } from '../options/rules.js';
import { chained, isPromise } from '../promises.js';
import { THIS_RUNTIME } from '../this-runtime.js';
import { currentContext } from '../tracing/async-context.js';
import { reportError } from '../tracing/error-channel.js';
import { markSecrets } from '../tracing/secrets.js';
import type { EventInputs, EventOutputs } from './events.js';
import { checkHandshake, EVENTS_PROTOCOL } from './handshake.js';
import { Heartbeat } from './heartbeat.js';
import { Inbox, type Origin } from './inbox.js';
import { Outbox, type OutboxRoute } from './outbox.js';
import { jsonOf, UnusableMessage } from './parse-json.js';
import { ServedWire } from './served-wire.js';
import { Upgrader } from './server-socket.js';
import { publishOpen } from './socket-channel.js';
import {
  isOption,
  resolveConfig,
  type SocketLimits,
  type SocketRpc,
  type SocketSubscriptions,
  type WebSocketOptions,
} from './socket-config.js';
import { type EventHandler, EventReader, EventWriter } from './typed-events.js';
import { WebSocketConnection } from './websocket-connection.js';
import type { EventHandlers, MessageHandlers, SocketCallbacks } from './websocket-handlers.js';
import type { Wire } from './wire.js';

/** The handlers as a route keeps them: the types have checked their arguments. */
interface LooseHandlers
  extends Partial<Record<'onOpen' | 'onMessage' | 'onDrain' | 'onError' | 'onClose', never>> {
  readonly receives?: SocketEvents;
  readonly sends?: SocketEvents;
  readonly on?: Readonly<Record<string, EventHandler>>;
  readonly data?: (...args: readonly unknown[]) => unknown;
}

function callbacksOf(
  handlers: LooseHandlers,
  reader: EventReader | undefined,
  hasEvents: boolean,
  subscriptions: ReadonlySubscriptions,
  heartbeatMs: number,
): SocketCallbacks {
  const { onOpen, onMessage, onDrain, onError, onClose } = handlers as unknown as Readonly<
    Partial<{
      onOpen: SocketCallbacks['open'];
      onMessage: SocketCallbacks['message'];
      onDrain: SocketCallbacks['drain'];
      onError: SocketCallbacks['error'];
      onClose: SocketCallbacks['close'];
    }>
  >;
  return {
    open: hasEvents ? openThenReady(onOpen, heartbeatMs) : onOpen,
    message:
      reader === undefined
        ? onMessage
        : (socket, message) => readFrame(reader, subscriptions, socket, message),
    drain: onDrain,
    error: onError,
    close: onClose,
    greeting: resumePoints,
  };
}

/** Tells a client of `fw generate` that it is connected, after everything that `onOpen` has sent. */
function openThenReady(onOpen: SocketCallbacks['open'], heartbeatMs: number): SocketCallbacks['open'] {
  const ready = (socket: WebSocketConnection): void => {
    if (socket.protocol === EVENTS_PROTOCOL) socket.sendJson({ ready: { heartbeatMs } });
  };
  return (socket) => {
    const opened = onOpen?.(socket);
    if (isPromise(opened)) return Promise.resolve(opened).then(() => ready(socket));
    ready(socket);
    return undefined;
  };
}

/** The subscriptions of connections. */
interface ReadonlySubscriptions {
  get(socket: WebSocketConnection): SocketSubscriptions | undefined;
}

function readFrame(
  reader: EventReader,
  subscriptions: ReadonlySubscriptions,
  socket: WebSocketConnection,
  message: string | Uint8Array,
): unknown {
  const frame = jsonOf(message);
  const { event, subscribe, unsubscribe } = (frame ?? {}) as Readonly<Record<string, unknown>>;
  if (event === undefined) {
    const own = subscriptions.get(socket);
    if (own !== undefined && subscribe !== undefined) return own.subscribe(subscribe);
    if (own !== undefined && unsubscribe !== undefined) return own.unsubscribe(unsubscribe);
  }
  return reader.read(socket, { refuse: (failed) => void socket.sendJson({ failed }) }, frame);
}

/** How many topics a client may resume. */
const MOST_TOPICS = 10_000;

function resumePoints(message: string | Uint8Array): Map<string, string> {
  const { resume } = (jsonOf(message) ?? {}) as { resume?: unknown };
  if (typeof resume !== 'object' || resume === null)
    throw new UnusableMessage('the first frame has no resume');
  const points = Object.entries(resume).slice(0, MOST_TOPICS);
  return new Map(points.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;

type DataOf<Events extends object> = [Events] extends [never] ? object : Events;

/**
 * Makes a WebSocket for `app.websocket`. Its messages are texts and bytes, which `onMessage` gets, or typed events,
 * which `receives` declares.
 *
 * ```ts
 * app.websocket('/rooms/:room', Path('room', z.string()), websocket({
 *   data: (room) => ({ room }),
 *   receives: { say: z.object({ text: z.string() }) },
 *   sends: { said: z.object({ text: z.string() }) },
 *   onOpen: (socket) => rooms.subscribe(socket, socket.data.room),
 *   on: { say: (socket, { text }) => rooms.emit(socket.data.room, 'said', { text }) },
 * }));
 * ```
 *
 * @throws ConfigError if a handler or an option is malformed.
 */
export function websocket<
  Args extends readonly unknown[],
  const Receives extends SocketEvents,
  Data = undefined,
  const Sends extends SocketEvents = never,
>(
  handlers: EventHandlers<Args, Data, Receives, Sends>,
  config?: WebSocketOptions,
): WebSocketRoute<Args, DataOf<EventInputs<Receives>>, DataOf<EventOutputs<Sends>>>;
export function websocket<
  Args extends readonly unknown[],
  Data = undefined,
  const Sends extends SocketEvents = never,
>(
  handlers: MessageHandlers<Args, Data, Sends>,
  config?: WebSocketOptions,
): WebSocketRoute<Args, object, DataOf<EventOutputs<Sends>>>;
export function websocket(handlers: object, config: WebSocketOptions = {}): WebSocketRoute<never> {
  markSecrets({ in: 'header', name: 'sec-websocket-protocol', prefix: TOKEN_PROTOCOL });
  checkValue('websocket', 'the argument', handlers, object('an object of handlers'));
  refuseMisplaced(handlers, config);
  const checked = checkOptions<LooseHandlers>('websocket', handlers, RULES);
  return new SocketRoute(checked, resolveConfig(config), config.rpc);
}

/** @throws ConfigError for an option among the handlers, or a handler among the options */
function refuseMisplaced(handlers: object, config: object | undefined): void {
  const option = Object.keys(handlers).find((name) => isOption(name));
  if (option !== undefined) {
    const remedy = `give it in the second argument: websocket({ … }, { ${option}: … })`;
    throw new ConfigError(
      'FW_OPTION_UNKNOWN',
      `websocket: '${option}' is an option and not a handler; ${remedy}`,
    );
  }
  const name = Object.keys(config ?? {}).find((one) => Object.hasOwn(RULES, one));
  if (name === undefined) return;
  const remedy = `give it in the first argument: websocket({ ${name}: … }, { … })`;
  throw new ConfigError('FW_OPTION_UNKNOWN', `websocket: '${name}' is not an option; ${remedy}`);
}

const handler = callback('a function (socket) => …');

const RULES: Rules<LooseHandlers> = {
  receives: object('an object of schemas by the name of the event, or events<Types>()'),
  sends: object('an object of schemas by the name of the event, or events<Types>()'),
  on: object('an object of functions by the name of the event'),
  data: callback('a function that returns socket.data'),
  onOpen: handler,
  onMessage: callback('a function (socket, message) => …'),
  onDrain: handler,
  onError: callback('a function (socket, error) => …'),
  onClose: callback('a function (socket, code, reason) => …'),
};

/** A handshake that was accepted. */
interface Accepted {
  readonly ctx: Context;
  readonly protocol: string;
  readonly data: unknown;
  readonly origin: Origin;
}

class SocketRoute implements WebSocketRoute<never>, OutboxRoute {
  readonly description: SocketDescription;
  readonly limits: SocketLimits;
  readonly events: EventWriter;
  readonly reader: EventReader | undefined;
  /** Whether clients of `fw generate` can connect. */
  readonly #hasEvents: boolean;
  readonly #makeData: LooseHandlers['data'];
  readonly #callbacks: SocketCallbacks;
  readonly #heartbeat: Heartbeat;
  /** Undefined where something else is in place of ws: Bun, whose server speaks the protocol itself, and Workers. */
  readonly #upgrader: Upgrader | undefined;
  readonly #full = new Map<Outbox, () => void>();
  readonly #rpc: SocketRpc | undefined;
  readonly #subscriptions = new WeakMap<WebSocketConnection, SocketSubscriptions>();

  constructor(handlers: LooseHandlers, limits: SocketLimits, rpc: SocketRpc | undefined) {
    const { receives = rpc && {}, sends } = handlers;
    this.limits = limits;
    this.#rpc = rpc;
    this.events = new EventWriter(sends);
    if (receives === undefined && handlers.on !== undefined) {
      throw new ConfigError(
        'FW_WEBSOCKET_NO_EVENTS',
        "websocket: handlers in 'on' need events in 'receives'",
      );
    }
    this.reader = receives && new EventReader(receives, handlers.on ?? {});
    const { reader } = this;
    this.#hasEvents = reader !== undefined || sends !== undefined;
    this.description = {
      receives,
      sends,
      protocols: limits.protocols,
      hasRpc: rpc !== undefined,
      maxMessageSize: limits.maxMessageSize,
      isCompressed: limits.compressFrom !== undefined,
      ...(reader?.isChecked === false && { useChecks: (checks) => reader.useChecks(checks) }),
    };
    this.#makeData = handlers.data;
    this.#callbacks = callbacksOf(
      handlers,
      reader,
      this.#hasEvents,
      this.#subscriptions,
      limits.pingIntervalMs,
    );
    this.#heartbeat = new Heartbeat(limits.pingIntervalMs, limits.timeoutMs);
    const isWithoutWs = THIS_RUNTIME === 'Bun' || THIS_RUNTIME === 'Workers';
    this.#upgrader = isWithoutWs ? undefined : new Upgrader(limits);
  }

  upgrade(ctx: Context, args: readonly unknown[]): FwResponse | Promise<FwResponse> {
    const protocol = checkHandshake(ctx, this.limits, this.#hasEvents);
    const origin = {
      path: ctx.target.path,
      route: ctx.route?.pattern.source ?? '',
      inContext: currentContext(),
    };
    const respond = (data: unknown): FwResponse =>
      FwResponse.switching((request, fields) =>
        this.#begin(request, fields, { ctx, protocol, data, origin }),
      );
    const data = this.#makeData?.(...args);
    return chained(data, respond);
  }

  flushed(wire: Wire): void {
    wire.inbox?.drained();
  }

  full(outbox: Outbox, isFull: boolean): void {
    this.#full.get(outbox)?.();
    this.#full.delete(outbox);
    if (!isFull) return;
    const close = () => {
      this.#full.delete(outbox);
      if (!outbox.hasCapacity()) outbox.closeSlow();
    };
    this.#full.set(outbox, this.#heartbeat.afterTimeout(close));
  }

  #begin(
    request: UpgradeRequest | ServedUpgrade,
    fields: readonly (readonly [string, string])[],
    { ctx, protocol, data, origin }: Accepted,
  ): UpgradedConnection | undefined {
    const wire = this.#wireOf(request, fields, protocol);
    if (wire === undefined) return undefined;
    const outbox = new Outbox(wire, this, origin.route);
    const connection = new WebSocketConnection<unknown>(
      wire,
      outbox,
      this.events,
      this.limits.capacity,
      data,
    );
    const inbox = new Inbox(connection, outbox, wire, this.#callbacks, origin);
    wire.inbox = inbox;
    publishOpen(wire, origin.route, 'socket' in request ? request.socket : undefined);
    inbox.atEnd(this.#heartbeat.add(inbox));
    inbox.atEnd(() => this.full(outbox, false));
    try {
      endWithCredentials(ctx, inbox);
      this.#addSubscriptions(ctx, connection, inbox);
      inbox.open((late) => this.#heartbeat.afterTimeout(late));
    } catch (error) {
      // The store of sessions fails, or a registry that is not one of fw.
      inbox.failed(error);
    }
    return { goAway: () => connection.close(GOING_AWAY, 'the server is shutting down') };
  }

  #wireOf(
    request: UpgradeRequest | ServedUpgrade,
    fields: readonly (readonly [string, string])[],
    protocol: string,
  ): Wire | undefined {
    if ('serve' in request) return ServedWire.begin(request, fields, protocol, this.limits);
    return this.#upgrader?.upgrade(request, fields, protocol);
  }

  #addSubscriptions(ctx: Context, connection: WebSocketConnection, inbox: Inbox): void {
    const subscriptions = this.#rpc?.overSocket(ctx, connection);
    if (subscriptions === undefined) return;
    this.#subscriptions.set(connection, subscriptions);
    inbox.atEnd(() => subscriptions.end());
  }
}

/**
 * With the close code 1008 (RFC 6455, section 7.4.1): at once when a token expires, or this process ends a session; else with the next ping, which asks the stores of
 * sessions and API keys. Messages of the client prolong a session, as requests do.
 */
function endWithCredentials(ctx: Context, inbox: Inbox): void {
  const { path } = ctx.target;
  const watch = AuthorizationWatch.begin(ctx.credentials, {
    ended: (reason) => inbox.refuse(reason),
    failed: (error) => reportError({ error, status: 503, method: 'WEBSOCKET', path }),
  });
  if (watch === undefined) return;
  inbox.atBeat((hasReceived) => watch.check(hasReceived));
  inbox.atEnd(() => watch.stop());
}
