// The client: the text of how a socket reads the frames of the server.

/** Private members of the class of sockets. */
export function socketFrames(hasCarriers: boolean): string {
  return `
  /** What is not a frame of this protocol is ignored. */
  #receive(text: unknown): void {
    if (this.#readyAt !== undefined) this.#awaitHeartbeat();
    const frame = typeof text === 'string' ? frameOf(text) : undefined;
    if (frame === undefined) return;
    const { ready, event, position, missed, failed${hasCarriers ? ', subscription' : ''} } = frame;
    if (isRecord(ready) && this.#readyAt === undefined) {
      this.#begin(ready);
      return;
    }
    // What arrives after the server was ready shows that the connection works.
    if (this.#readyAt !== undefined) this.#failures = 0;
    if (typeof event === 'string') this.#deliver(event, frame);
    else if (isRecord(position)) this.#keep(position);
    else if (isRecord(missed)) this.#miss(missed);
    else if (isRecord(failed)) this.#refuse(failed);
${hasCarriers ? `    else if (isRecord(subscription)) this.#deliverTo(subscription);\n` : ''}  }

  /** The server is ready. */
  #begin({ heartbeatMs }: Readonly<Record<string, unknown>>): void {
    this.#readyAt = Date.now();
    this.#heartbeatMs = typeof heartbeatMs === 'number' && heartbeatMs > 0 ? heartbeatMs : Infinity;
    this.#awaitHeartbeat();
    for (const text of this.#queue.splice(0)) this.#transport?.send(text);
${hasCarriers ? `    for (const [id, subscription] of this.#carried) this.#subscribe(id, subscription);\n` : ''}    this.#tell('open');
  }

  #awaitHeartbeat(): void {
    const ms = this.#heartbeatMs * SILENT_HEARTBEATS;
    runtime.clearTimeout(this.#timer);
    if (ms > LONGEST_WAIT_MS) return;
    this.#within(ms, () => {
      this.#lose(this.#error(\`was silent for \${String(ms)} ms\`, CUT));
    });
  }

  /** Keeps the place in a topic, from which the next connection continues. */
  #keep({ topic, id }: Readonly<Record<string, unknown>>): void {
    if (typeof topic !== 'string' || typeof id !== 'string') return;
    // Behind all others, so that the first is the oldest.
    this.#lastIds.delete(topic);
    this.#lastIds.set(topic, id);
    const [oldest] = this.#lastIds.keys();
    if (this.#lastIds.size > MOST_TOPICS && oldest !== undefined) this.#lastIds.delete(oldest);
  }

  #deliver(event: string, frame: Readonly<Record<string, unknown>>): void {
    const { data } = frame;
    this.#keep(frame);
    for (const { listener } of [...(this.#listeners.get(event) ?? [])]) {
      guarded(() => {
        listener(data);
      });
    }
  }

  #miss(missed: Readonly<Record<string, unknown>>): void {
    const { topic } = missed;
    if (typeof topic !== 'string') return;
    this.#lastIds.delete(topic);
    this.#keep(missed);
    guarded(() => {
      this.#options.onMissed?.(topic);
    });
  }

  #refuse({ event, message, issues }: Readonly<Record<string, unknown>>): void {
    const refusal: FwSocketRefusal = {
      event: typeof event === 'string' ? event : '',
      message: typeof message === 'string' ? message : 'the server did not take the event',
      issues: Array.isArray(issues) ? (issues as FwSocketRefusal['issues']) : [],
    };
    guarded(() => {
      this.#options.onRefused?.(refusal);
    });
  }
${hasCarriers ? deliverTo : ''}
  #tell(state: FwSocketState, reason?: unknown): void {
    this.#state = state;
${hasCarriers ? tellCarried : ''}    guarded(() => {
      this.#options.onState?.(state, reason);
    });
  }
`;
}

const deliverTo = `
  #deliverTo({ id, data, eventId, done, error }: Readonly<Record<string, unknown>>): void {
    const subscription = typeof id === 'number' ? this.#carried.get(id) : undefined;
    if (typeof id !== 'number' || subscription === undefined) return;
    if (done !== true && error === undefined) {
      if (typeof eventId === 'string') subscription.lastEventId = eventId;
      subscription.onData(data);
      return;
    }
    this.#carried.delete(id);
    if (error === undefined) subscription.onEnd();
    else subscription.onEnd({ error });
  }
`;

const tellCarried = `    if (state === 'lost' || state === 'closed') {
      for (const subscription of [...this.#carried.values()]) subscription.onState(state, reason);
    }
`;
