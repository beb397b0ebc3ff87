// Servers that a running app calls: a collector of traces, and a receiver of webhooks.
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

abstract class Receiver {
  readonly #server: Server = createServer(async (request, response) => {
    this.receive(await text(request), request.headers, response);
    this.#server.emit('received');
  });

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when `look` finds what it looks for in what was received. */
  async until<Found>(look: () => Found | undefined): Promise<Found> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await once(this.#server, 'received');
    }
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  protected abstract receive(
    body: string,
    headers: Readonly<Record<string, unknown>>,
    response: ServerResponse,
  ): void;
}

/** A collector of OpenTelemetry: the JSON form of OTLP over HTTP. */
export class Collector extends Receiver {
  readonly spans: Span[] = [];

  protected override receive(body: string, _headers: unknown, response: ServerResponse): void {
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
    };
    for (const { scopeSpans } of resourceSpans) this.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
    response.setHeader('content-type', 'application/json').end('{}');
  }
}

/** Holds its answers until it is released, so that jobs are at work. */
export class Webhooks extends Receiver {
  /** The keys under which each task was told of. */
  readonly keys: Map<string, string[]> = new Map();
  readonly #held: ServerResponse[] = [];
  #isHolding = true;

  get held(): number {
    return this.#held.length;
  }

  release(): void {
    this.#isHolding = false;
    for (const response of this.#held.splice(0)) response.writeHead(204).end();
  }

  protected override receive(
    body: string,
    headers: Readonly<Record<string, unknown>>,
    response: ServerResponse,
  ): void {
    const { taskId } = JSON.parse(body) as { taskId: string };
    this.keys.set(taskId, [...(this.keys.get(taskId) ?? []), String(headers['idempotency-key'])]);
    if (this.#isHolding) this.#held.push(response);
    else response.writeHead(204).end();
  }
}
