// Notes the messages of WebSockets whose handshakes were recorded, as the channel `fw:websocket` tells them.
import diagnostics from 'node:diagnostics_channel';
import type { SocketTrace } from '../../../../framework/websocket/socket-channel.js';
import { describeError } from '../../../process/app-error.js';
import type { AppError } from '../../../process/messages.js';
import type { Exchange } from './exchange.js';
import { MessageLog } from './message-log.js';
import type { MessageOutbox } from './message-outbox.js';

interface Followed {
  readonly exchange: Exchange;
  readonly log: MessageLog;
}

export class SocketWatch {
  readonly #outbox: MessageOutbox;
  /** By the socket of the handshake. */
  readonly #handshakes = new WeakMap<object, Exchange>();
  /** By the connection that the channel names. */
  readonly #open = new Map<object, Followed>();
  #isListening = false;

  constructor(outbox: MessageOutbox) {
    this.#outbox = outbox;
  }

  /** The connection that this handshake opens is followed. */
  follow(stream: object, exchange: Exchange): void {
    this.#handshakes.set(stream, exchange);
    if (this.#isListening) return;
    this.#isListening = true;
    diagnostics.subscribe('fw:websocket', this.#hear);
  }

  /** Follows none from now on. */
  stop(): void {
    this.#isListening = false;
    diagnostics.unsubscribe('fw:websocket', this.#hear);
    for (const { exchange, log } of this.#open.values()) {
      log.end('unwatched');
      this.#outbox.has(exchange, log);
    }
    this.#open.clear();
  }

  readonly #hear = (data: unknown): void => {
    const trace = data as SocketTrace;
    if (trace.type === 'open') {
      const exchange = trace.stream && this.#handshakes.get(trace.stream);
      if (exchange === undefined) return;
      exchange.note(() => this.#open.set(trace.connection, this.#opened(exchange)));
      return;
    }
    const followed = this.#open.get(trace.connection);
    if (followed === undefined) return;
    const { exchange, log } = followed;
    exchange.note(() => {
      if (trace.type === 'close') {
        this.#open.delete(trace.connection);
        log.end({ code: trace.code, reason: trace.reason });
      } else if (trace.type === 'error') {
        const error = describeError(trace.error);
        log.fail({ direction: 'failed', size: 0, text: failureText(error) }, error);
      } else {
        const { direction, size, content, isBinary } = trace;
        log.add({ direction, size, text: isBinary ? undefined : content });
      }
      this.#outbox.has(exchange, log);
    });
  };

  #opened(exchange: Exchange): Followed {
    const log = new MessageLog(exchange.began);
    this.#outbox.has(exchange, log);
    return { exchange, log };
  }
}

/** The message and the frames of the app, with paths from the folder of the project. */
function failureText({ title, frames }: AppError): string {
  return [title, ...frames.map((frame) => `  ${frame.replace(`${process.cwd()}/`, '')}`)].join('\n');
}
