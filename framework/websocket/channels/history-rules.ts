// Channels: which topics have a history, and how much of it.
import { ConfigError } from '../../config-error.js';

/** How much of a topic is kept for subscribers who come back. */
export interface HistoryOptions {
  /** How many of the last messages are kept. */
  messages: number;
  /** How long they are kept at least, if there are not too many, in milliseconds; 600,000 by default. */
  maxAgeMs?: number;
}

/** The options of a topic, resolved. */
export type HistoryLimits = Readonly<Required<HistoryOptions>>;

/** The same for all topics, or what a function says of a topic. */
export type HistoryRule = HistoryOptions | ((topic: string) => HistoryOptions | undefined);

/** What all histories of a process may take. */
export interface HistoryBounds {
  /** How many topics have a history; 10,000 by default. */
  topics?: number;
  /** How many bytes all kept messages have; 67,108,864 (64 MiB) by default. */
  bytes?: number;
}

/** @throws ConfigError when an option is malformed. */
export function historyRule(rule: HistoryRule | undefined): (topic: string) => HistoryLimits | undefined {
  if (rule === undefined) return () => undefined;
  if (typeof rule === 'function') return (topic) => limits(rule(topic));
  const all = limits(rule);
  return () => all;
}

/** @throws ConfigError when an option is malformed. */
export function historyBounds(bounds: HistoryBounds | undefined): Required<HistoryBounds> {
  const { topics = 10_000, bytes = 67_108_864 } = bounds ?? {};
  return { topics: positive('historyBounds.topics', topics), bytes: positive('historyBounds.bytes', bytes) };
}

function limits(options: HistoryOptions | undefined): HistoryLimits | undefined {
  if (options === undefined) return undefined;
  const { messages, maxAgeMs = 600_000 } = options;
  return {
    messages: positive('history.messages', messages),
    maxAgeMs: positive('history.maxAgeMs', maxAgeMs),
  };
}

function positive(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new ConfigError(
    'FW_OPTION',
    `ChannelManager: invalid ${name} ${String(value)}; give a whole number, 1 or more`,
  );
}
