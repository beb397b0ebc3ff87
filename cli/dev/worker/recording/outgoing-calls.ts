// The calls that the app sends to other servers, by `fetch`, undici or `node:http`, as steps of the request that made
// them: from the channels that Node.js has for them.
import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { StepStart } from '../../../../framework/tracing/trace-channel.js';
import { FRONTEND_FIELD } from '../../../process/messages.js';

/** Finds the request that runs; undefined if none is recorded. */
type Begin = (start: StepStart) => CallEnd | undefined;

/** Notes that the call has ended, so far: the body of its response may follow. */
type CallEnd = (thrown?: { readonly error: unknown }) => void;

interface Call {
  readonly fields: { status?: number };
  readonly end: CallEnd;
}

/** What undici publishes of a request. */
interface UndiciRequest {
  readonly method: string;
  readonly origin: string | URL;
  readonly path: string;
}

type Listener = (message: unknown) => void;

export class OutgoingCalls {
  readonly #begin: Begin;
  readonly #calls = new WeakMap<object, Call>();
  readonly #listeners: Readonly<Record<string, Listener>>;

  /** @param failed called with a mistake of the recorder itself, which must not reach the app */
  constructor(begin: Begin, failed: (error: unknown) => void) {
    this.#begin = begin;
    const guarded =
      <Message>(hear: (message: Message) => void): Listener =>
      (message) => {
        try {
          hear(message as Message);
        } catch (error) {
          failed(error);
        }
      };
    const onError = guarded(({ request, error }: { request: object; error: unknown }) =>
      this.#calls.get(request)?.end({ error }),
    );
    this.#listeners = {
      'undici:request:create': guarded(({ request }: { request: UndiciRequest }) =>
        this.#began(request, request.method, `${request.origin}${request.path}`),
      ),
      'undici:request:headers': guarded(
        ({ request, response }: { request: object; response: { statusCode: number } }) =>
          this.#ended(request, response.statusCode),
      ),
      'undici:request:trailers': guarded(({ request }: { request: object }) => this.#ended(request)),
      'undici:request:error': onError,
      // Node.js 20 has only the second, which has no frame of the app in its stack.
      'http.client.request.created': guarded(({ request }: { request: ClientRequest }) =>
        this.#beganHttp(request),
      ),
      'http.client.request.start': guarded(({ request }: { request: ClientRequest }) =>
        this.#beganHttp(request),
      ),
      'http.client.response.finish': guarded(
        ({ request, response }: { request: object; response: IncomingMessage }) => {
          this.#ended(request, response.statusCode);
          response.once('end', () => this.#ended(request));
        },
      ),
      'http.client.request.error': onError,
    };
  }

  /** Only while a recorded request runs. */
  listen(): void {
    for (const [name, listener] of Object.entries(this.#listeners)) diagnostics.subscribe(name, listener);
  }

  unlisten(): void {
    for (const [name, listener] of Object.entries(this.#listeners)) diagnostics.unsubscribe(name, listener);
  }

  #beganHttp(request: ClientRequest): void {
    // A request of `fw dev` itself.
    if (this.#calls.has(request) || request.hasHeader(FRONTEND_FIELD)) return;
    const host = request.getHeader('host') ?? request.host;
    this.#began(request, request.method, `${request.protocol}//${host}${request.path}`);
  }

  #began(request: object, method: string, url: string): void {
    const fields: Call['fields'] = {};
    const end = this.#begin({
      type: 'start',
      kind: 'outgoing',
      name: `${method} ${url}`,
      fields: fields as Record<string, unknown>,
    });
    if (end !== undefined) this.#calls.set(request, { fields, end });
  }

  #ended(request: object, status?: number): void {
    const call = this.#calls.get(request);
    if (call === undefined) return;
    if (status !== undefined) call.fields.status = status;
    call.end();
  }
}
