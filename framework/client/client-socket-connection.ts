// The client: the text of how a socket connects, loses its connection and ends.

/** Private members of the class of sockets. */
export const socketConnection: string = `
  async #connect(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const { token, timeoutMs = 10_000 } = this.#options;
    this.#within(timeoutMs, () => {
      this.#lose(this.#error(\`was not ready within \${String(timeoutMs)} ms\`, CUT));
    });
    try {
      const given = typeof token === 'function' ? await token() : token;
      if (turn === this.#turn) this.#open(given === undefined ? [] : [bearer(given)]);
    } catch (error) {
      if (turn === this.#turn) this.#lose(this.#error('has no token', CUT, '', error));
    }
  }

  #open(tokens: readonly string[]): void {
    const { protocols = [], WebSocket: Transport = runtime.WebSocket } = this.#options;
    if (Transport === undefined) return;
    let transport: FwSocketTransport;
    try {
      transport = new Transport(this.#url, [FW_EVENTS, ...tokens, ...protocols]);
    } catch (error) {
      // A URL or a sub-protocol that is none: no other attempt would help.
      this.#finish(this.#error('cannot be made', CUT, '', error));
      return;
    }
    const opened = (): void => {
      this.#send({ resume: Object.fromEntries(this.#lastIds) });
    };
    const received = ({ data }: FwSocketEvent): void => {
      this.#receive(data);
    };
    const closed = ({ code = CUT, reason = '' }: FwSocketEvent): void => {
      this.#lose(this.#error('was closed', code, reason));
    };
    // Some runtimes tell of no close after an error; and what closes a connection after an error is not a frame.
    const failed = ({ error }: FwSocketEvent): void => {
      this.#lose(this.#error('has failed', CUT, '', error));
    };
    transport.addEventListener('error', ignore);
    transport.addEventListener('open', opened);
    transport.addEventListener('message', received);
    transport.addEventListener('close', closed);
    transport.addEventListener('error', failed);
    this.#transport = transport;
    this.#detach = () => {
      transport.removeEventListener('open', opened);
      transport.removeEventListener('message', received);
      transport.removeEventListener('close', closed);
      transport.removeEventListener('error', failed);
    };
  }

  readonly #onOnline = (): void => {
    if (this.#state === 'lost' && this.#transport === undefined) void this.#connect();
  };

  readonly #onAbort = (): void => {
    const aborted = this.#signals.find((signal) => signal.aborted);
    this.#transport?.close(NORMAL);
    this.#finish(aborted?.reason ?? new Error('the socket was aborted'));
  };

  /** The connection is over, and another one is made unless the error is final. */
  #lose(error: FwSocketError): void {
    const { reconnect = {} } = this.#options;
    const limits: FwSocketReconnect = reconnect === false ? { maxAttempts: 0 } : reconnect;
    const { maxAttempts = Infinity, minDelayMs = 1_000, maxDelayMs = 30_000 } = limits;
    const wasReady = this.#readyAt !== undefined;
    if (this.#readyAt !== undefined && Date.now() - this.#readyAt >= STABLE_MS) this.#failures = 0;
    if (isFinal(error.code) || this.#failures >= maxAttempts) {
      this.#finish(error);
      return;
    }
    this.#release()?.close();
    const longest = Math.min(maxDelayMs, minDelayMs * 2 ** this.#failures);
    this.#failures += 1;
    // With jitter, so that the clients of a server that was restarted do not all return at once.
    this.#within(Math.random() * (error.code === RESTART && wasReady ? RESTART_MS : longest), () => {
      void this.#connect();
    });
    this.#tell('lost', error);
  }

  /** Nothing is left of the connection but the transport, which is returned. */
  #release(): FwSocketTransport | undefined {
    const transport = this.#transport;
    this.#detach();
    this.#detach = () => undefined;
    runtime.clearTimeout(this.#timer);
    this.#turn += 1;
    this.#transport = undefined;
    this.#readyAt = undefined;
    return transport;
  }

  /** @param error undefined if the caller has closed the socket */
  #finish(error: unknown): void {
    if (this.#state === 'closed') return;
    const transport = this.#release();
    if (error !== undefined) transport?.close();
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#onAbort);
    runtime.removeEventListener?.('online', this.#onOnline);
    this.#listeners.clear();
    this.#lastIds.clear();
    this.#queue.length = 0;
    this.#state = 'closed';
    for (const ending of this.#endings) ending(error);
    this.#endings.clear();
    this.#tell('closed', error);
  }

  /** Whether events can be sent; the transport may be closing before it tells so. */
  #isOpen(): boolean {
    return this.#readyAt !== undefined && this.#transport?.readyState === 1;
  }

  #within(ms: number, callback: () => void): void {
    runtime.clearTimeout(this.#timer);
    this.#timer = runtime.setTimeout(callback, Math.min(ms, LONGEST_WAIT_MS));
  }

  #error(what: string, code: number, reason = '', cause?: unknown): FwSocketError {
    const told = reason === '' ? '' : \`: \${reason}\`;
    return new FwSocketError(\`the connection to \${this.#url} \${what} (\${String(code)}\${told})\`, code, reason, cause);
  }

  #send(frame: object): void {
    this.#transport?.send(JSON.stringify(frame));
  }
`;
