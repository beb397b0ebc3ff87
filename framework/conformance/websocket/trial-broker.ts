// Tests of channels: a broker in memory that answers when it is told to.
import type { ChannelBroker } from '../../streaming/channel-broker.js';

/** Several managers that share it are several processes. */
export class TrialBroker implements ChannelBroker {
  /** Everything that was asked of it: `publish a`, `subscribe a`, `leave a`. */
  readonly calls: string[] = [];
  /** Commands fail while it is away. */
  isAway = false;
  /** If set, commands wait for it. */
  gate: Promise<void> | undefined;
  readonly #listeners = new Map<string, Set<(message: string) => void>>();

  async publish(channel: string, message: string): Promise<void> {
    await this.#called(`publish ${channel}`);
    for (const listener of this.#listeners.get(channel) ?? []) listener(message);
  }

  async subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>> {
    await this.#called(`subscribe ${channel}`);
    const own = (message: string): void => listener(message);
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(own));
    return async () => {
      await this.#called(`leave ${channel}`);
      listeners.delete(own);
      if (listeners.size === 0) this.#listeners.delete(channel);
    };
  }

  /** The number of subscriptions to a channel. */
  count(channel: string): number {
    return this.#listeners.get(channel)?.size ?? 0;
  }

  async close(): Promise<void> {}

  async #called(what: string): Promise<void> {
    this.calls.push(what);
    await this.gate;
    if (this.isAway) throw new Error('the broker is away');
  }
}
