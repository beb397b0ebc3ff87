// The page about an API: the connection of one WebSocket.
import { type Signal, signal } from '@preact/signals';
import type { LogEntry } from '../../../api-model/live-log.js';
import type { RequestPlan } from '../../../api-model/request-plan.js';
import { withCookies } from '../send/cookies.js';
import { cookiesOf, urlOf } from '../send/send-request.js';
import { LogState } from './log-state.js';

export type SocketStatus = 'closed' | 'connecting' | 'open' | 'closing';

export class SocketState {
  readonly status: Signal<SocketStatus> = signal('closed');
  readonly messages: LogState = new LogState();
  /** The sub-protocol that the server has chosen. */
  readonly protocol: Signal<string> = signal('');
  #socket: WebSocket | undefined;

  connect(plan: RequestPlan, protocols: readonly string[]): void {
    this.close();
    const url = urlOf(plan).replace(/^http/, 'ws');
    this.status.value = 'connecting';
    this.#add('state', `connecting to ${plan.url.replace(/^http/, 'ws')}`);
    const offered = [...protocols, ...tokenProtocols(plan, protocols)];
    const opened = new Promise<void>((resolve) => {
      const socket = new WebSocket(url, offered);
      socket.binaryType = 'arraybuffer';
      this.#socket = socket;
      this.#follow(socket, resolve);
    });
    withCookies(cookiesOf(plan), () => opened).catch(() => {
      // `opened` never rejects.
    });
  }

  send(text: string): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(text);
    this.#add('out', text);
  }

  close(): void {
    if (this.#socket === undefined || this.#socket.readyState > WebSocket.OPEN) return;
    this.status.value = 'closing';
    this.#socket.close(1000);
  }

  #follow(socket: WebSocket, settled: () => void): void {
    const isCurrent = (): boolean => this.#socket === socket;
    socket.addEventListener('open', () => {
      settled();
      if (!isCurrent()) return;
      this.status.value = 'open';
      this.protocol.value = socket.protocol;
      this.#add('state', socket.protocol === '' ? 'open' : `open, with the sub-protocol ${socket.protocol}`);
    });
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const text = typeof data === 'string' ? data : `${(data as ArrayBuffer).byteLength} bytes`;
      if (isCurrent()) this.#add('in', text);
    });
    socket.addEventListener('close', ({ code, reason }) => {
      settled();
      if (!isCurrent()) return;
      this.status.value = 'closed';
      this.#add('state', `closed with ${code}${meaning(code)}${reason === '' ? '' : `: ${reason}`}`);
    });
  }

  #add(direction: LogEntry['direction'], text: string): void {
    this.messages.add([{ at: Date.now(), direction, name: '', id: '', text }]);
  }
}

/** Browsers give a handshake no header fields: a token of `fw` travels as a sub-protocol that is never selected. */
function tokenProtocols({ secrets }: RequestPlan, own: readonly string[]): string[] {
  const token = secrets.find(({ prefix }) => prefix === 'Bearer ');
  if (token === undefined) return [];
  const bytes = String.fromCharCode(...new TextEncoder().encode(token.value));
  const text = btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return [...(own.length === 0 ? ['fw'] : []), `fw.bearer.${text}`];
}

const MEANINGS: Readonly<Record<number, string>> = {
  1000: ', as it should',
  1001: ', because the server goes away',
  1005: ', without a code',
  1006: ' without a frame: the server has refused the handshake, or the connection was cut',
  1008: ', because the server does not allow it',
  1009: ', because a message is too large',
  1011: ', because the server has failed',
};

function meaning(code: number): string {
  return MEANINGS[code] ?? '';
}
