// WebSocket: makes a route of handlers; it upgrades connections and knows all that are open.
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import type { SocketDescription, SocketEvents, WebSocketRoute } from '../extract/socket-route.js';
import { FwResponse } from '../http/response.js';
import type { UpgradedConnection, UpgradeRequest } from '../http/upgrade.js';
import { currentSpan } from '../tracing/span.js';
import { callbacksOf, type LooseHandlers } from './callbacks-of.js';
import type { EventInputs, EventOutputs } from './events.js';
import { checkHandshake } from './handshake.js';
import { Heartbeat } from './heartbeat.js';
import { Inbox, type Origin } from './inbox.js';
import { passTo, type ServerSocket, Upgrader } from './server-socket.js';
import { watchSession } from './session-end.js';
import type { SocketCallbacks } from './socket-callbacks.js';
import { resolveConfig, type SocketLimits, type WebSocketConfig } from './socket-config.js';
import type { SocketRpc, SocketSubscriptions } from './socket-rpc.js';
import { EventReader, EventWriter } from './typed-events.js';
import { type ConnectionRoute, WebSocketConnection } from './websocket-connection.js';
import type { EventHandlers, MessageHandlers } from './websocket-handlers.js';

/** RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;

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
 * @throws ConfigError when a handler or an option is malformed.
 */
export function websocket<
  Args extends readonly unknown[],
  const Receives extends SocketEvents,
  Data = undefined,
  const Sends extends SocketEvents = never,
>(
  handlers: EventHandlers<Args, Data, Receives, Sends>,
  config?: WebSocketConfig,
): WebSocketRoute<Args, DataOf<EventInputs<Receives>>, DataOf<EventOutputs<Sends>>>;
export function websocket<
  Args extends readonly unknown[],
  Data = undefined,
  const Sends extends SocketEvents = never,
>(
  handlers: MessageHandlers<Args, Data, Sends>,
  config?: WebSocketConfig,
): WebSocketRoute<Args, object, DataOf<EventOutputs<Sends>>>;
export function websocket(handlers: object, config: WebSocketConfig = {}): WebSocketRoute<never> {
  return new SocketRoute(handlers as LooseHandlers, resolveConfig(config), config.rpc);
}

/** A handshake that was accepted. */
interface Accepted {
  readonly ctx: Context;
  readonly protocol: string;
  readonly data: unknown;
  readonly origin: Origin;
}

class SocketRoute implements WebSocketRoute<never>, ConnectionRoute {
  readonly description: SocketDescription;
  readonly limits: SocketLimits;
  readonly events: EventWriter;
  readonly reader: EventReader | undefined;
  readonly #makeData: LooseHandlers['data'];
  readonly #callbacks: SocketCallbacks;
  readonly #heartbeat: Heartbeat;
  readonly #upgrader: Upgrader;
  readonly #full = new Map<WebSocketConnection, () => void>();
  readonly #rpc: SocketRpc | undefined;
  readonly #subscriptions = new WeakMap<WebSocketConnection, SocketSubscriptions>();

  constructor(handlers: LooseHandlers, limits: SocketLimits, rpc: SocketRpc | undefined) {
    const { receives = rpc && {}, sends } = handlers;
    this.limits = limits;
    this.#rpc = rpc;
    this.events = new EventWriter(sends);
    if (receives === undefined && handlers.on !== undefined) {
      throw new ConfigError('FW_HANDLER', "websocket(): handlers in 'on' need events in 'receives'");
    }
    this.reader = receives && new EventReader(receives, handlers.on ?? {});
    const { reader } = this;
    this.description = {
      receives,
      sends,
      protocols: limits.protocols,
      hasRpc: rpc !== undefined,
      ...(reader?.isChecked === false && { useChecks: (checks) => reader.useChecks(checks) }),
    };
    this.#makeData = handlers.data;
    this.#callbacks = callbacksOf(handlers, this.reader, this.#subscriptions, limits.pingIntervalMs);
    this.#heartbeat = new Heartbeat(limits.pingIntervalMs, limits.timeoutMs);
    this.#upgrader = new Upgrader(limits);
  }

  upgrade(ctx: Context, args: readonly unknown[]): FwResponse | Promise<FwResponse> {
    const protocol = checkHandshake(ctx, this.limits, this.reader !== undefined);
    const span = currentSpan();
    const origin = { path: ctx.target.path, span: Object.keys(span).length === 0 ? undefined : span };
    const respond = (data: unknown): FwResponse =>
      FwResponse.switching((request, fields) =>
        this.#begin(request, fields, { ctx, protocol, data, origin }),
      );
    const data = this.#makeData?.(...args);
    return data instanceof Promise ? data.then(respond) : respond(data);
  }

  flushed(ws: WebSocket): void {
    (ws as ServerSocket).inbox?.drained();
  }

  full(connection: WebSocketConnection, isFull: boolean): void {
    this.#full.get(connection)?.();
    this.#full.delete(connection);
    if (!isFull) return;
    const close = () => {
      this.#full.delete(connection);
      if (connection.hasCapacity()) return;
      connection.close(TRY_AGAIN_LATER, 'the client reads too slowly');
    };
    this.#full.set(connection, this.#heartbeat.afterTimeout(close));
  }

  #begin(
    request: UpgradeRequest,
    fields: readonly (readonly [string, string])[],
    { ctx, protocol, data, origin }: Accepted,
  ): UpgradedConnection | undefined {
    const ws = this.#upgrader.upgrade(request, fields, protocol);
    if (ws === undefined) return undefined;
    const socket = request.socket as Socket;
    const connection = new WebSocketConnection<unknown>(ws, socket, this, data);
    const inbox = new Inbox(connection, ws, socket, this.#callbacks, origin);
    passTo(inbox, ws, socket);
    inbox.atEnd(this.#heartbeat.add(inbox));
    inbox.atEnd(() => this.full(connection, false));
    watchSession(ctx, connection, inbox);
    const subscriptions = this.#rpc?.overSocket(ctx, connection);
    if (subscriptions !== undefined) {
      this.#subscriptions.set(connection, subscriptions);
      inbox.atEnd(() => subscriptions.end());
    }
    inbox.open((late) => this.#heartbeat.afterTimeout(late));
    return { goAway: () => connection.close(GOING_AWAY, 'the server is shutting down') };
  }
}
