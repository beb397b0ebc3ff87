// Fetch: answers requests for a WebSocket on servers that speak the protocol themselves.
import type { Handle } from '../dispatch/dispatch.js';
import { listsToken } from '../http/field-list.js';
import { shared } from '../http/shared-signal.js';
import { bearerOf, type ServedEvents, type ServedUpgrade } from '../http/upgrade.js';
import { fieldPairs } from './sent-fields.js';
import type { ServingSide } from './serving-side.js';
import { WebRequestSource } from './web-request-source.js';
import { toWebResponse } from './web-response.js';

/** RFC 6455, section 4.2.1; the server checks the version of HTTP. */
export function requestsWebSocket({ method, headers }: Request): boolean {
  return method === 'GET' && listsToken(headers.get('upgrade') ?? undefined, 'websocket');
}

/** By the handshake, or as an ordinary request. Undefined once the connection is upgraded. */
export function upgradeThrough(
  handle: Handle,
  request: Request,
  side: ServingSide,
  info: unknown,
  upgrade: ServedUpgrade,
): Response | undefined | Promise<Response | undefined> {
  const source = new WebUpgradeSource(request, side, info);
  return handle(source, (response): Response | undefined => {
    if (response.switchProtocol === undefined) return toWebResponse(response, source);
    const connection = response.switchProtocol(source.watched(upgrade), fieldPairs(response));
    // The client has left: nobody reads the answer.
    if (connection === undefined) return new Response(null, { status: 400 });
    source.whenClosed(side.eventStreams.add(() => connection.goAway()));
    return undefined;
  });
}

/** A request for a WebSocket, which may carry a token in its sub-protocols. */
class WebUpgradeSource extends WebRequestSource {
  readonly isUpgrade = true;
  readonly #authorization: string | undefined;
  readonly #controller = new AbortController();
  #forget: (() => void) | undefined;

  constructor(request: Request, side: ServingSide, info: unknown) {
    super(request, side, info, 'GET');
    shared(this.#controller.signal);
    request.signal.addEventListener('abort', () => this.#leave(), { once: true });
    this.#authorization = bearerOf(this.header('sec-websocket-protocol'));
  }

  /** Aborts when the connection closes. */
  override get signal(): AbortSignal {
    return this.#controller.signal;
  }

  override abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  override header(lowerName: string): string | undefined {
    const value = super.header(lowerName);
    return value === undefined && lowerName === 'authorization' ? this.#authorization : value;
  }

  override headers(): Record<string, string> {
    const headers = super.headers();
    const { authorization = this.#authorization } = headers;
    if (authorization !== undefined) headers.authorization = authorization;
    return headers;
  }

  /** Calls the function when the connection has closed. */
  whenClosed(forget: () => void): void {
    if (this.#controller.signal.aborted) forget();
    else this.#forget = forget;
  }

  /** The same upgrade, of which this learns that its connection has closed. */
  watched(upgrade: ServedUpgrade): ServedUpgrade {
    const closed = (): void => {
      this.#forget?.();
      this.#leave();
    };
    return {
      serve: (events, protocol, fields) => upgrade.serve(watchedEvents(events, closed), protocol, fields),
    };
  }

  #leave(): void {
    this.#controller.abort(new Error('the client closed the connection'));
  }
}

function watchedEvents(events: ServedEvents, closed: () => void): ServedEvents {
  return {
    message: (message) => events.message(message),
    control: (bytes) => events.control(bytes),
    drained: () => events.drained(),
    closed(code, reason) {
      closed();
      events.closed(code, reason);
    },
  };
}
