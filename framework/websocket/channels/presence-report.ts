// Channels: tells the broker how many subscribers the topics have in this process.
import { ConfigError } from '../../config-error.js';
import type { ChannelBroker, PresenceBroker } from '../../streaming/channel-broker.js';
import { reportError } from '../../tracing/error-channel.js';

/** Changes within this time are told together, in milliseconds. */
const DELAY_MS = 50;

/** Collects changes. If the broker is away, it knows them and tells them later. */
export class PresenceReport {
  readonly #broker: PresenceBroker;
  readonly #countOf: (topic: string) => number;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(broker: PresenceBroker, countOf: (topic: string) => number) {
    this.#broker = broker;
    this.#countOf = countOf;
  }

  changed(topic: string): void {
    this.#changed.add(topic);
    this.#timer ??= setTimeout(() => void this.#tellOrReport(), DELAY_MS).unref();
  }

  /** @throws Error if the broker cannot be reached. */
  async total(topic: string): Promise<number> {
    await this.#tell();
    return this.#broker.total(topic);
  }

  async close(): Promise<void> {
    await this.#tellOrReport();
  }

  async #tell(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#changed.size === 0) return;
    const counts = new Map([...this.#changed].map((topic) => [topic, this.#countOf(topic)]));
    this.#changed.clear();
    await this.#broker.setCounts(counts);
  }

  async #tellOrReport(): Promise<void> {
    try {
      await this.#tell();
    } catch (error) {
      reportError({ error, status: 503, method: 'websocket', path: '' });
    }
  }
}

/** @throws ConfigError if the broker does not count. */
export function presenceBroker(broker: ChannelBroker): PresenceBroker {
  const counting = broker as ChannelBroker & Partial<PresenceBroker>;
  if (typeof counting.setCounts === 'function' && typeof counting.total === 'function')
    return counting as never;
  throw new ConfigError(
    'FW_CHANNEL_PRESENCE',
    'ChannelManager: this broker has no presence; give one that implements PresenceBroker, or leave the option out',
  );
}
