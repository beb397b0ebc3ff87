// Channels: which topics have a history, and how much of it.
import { checkOptions } from '../../options/check.js';
import { type Rules, required, whole } from '../../options/rules.js';

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

/** @throws ConfigError if an option is malformed. */
export function historyRule(rule: HistoryRule | undefined): (topic: string) => HistoryLimits | undefined {
  if (rule === undefined) return () => undefined;
  if (typeof rule === 'function') return (topic) => limits(rule(topic));
  const all = limits(rule);
  return () => all;
}

/** @throws ConfigError if an option is malformed. */
export function historyBounds(bounds: HistoryBounds | undefined): Required<HistoryBounds> {
  const given = checkOptions('historyBounds of ChannelManager', bounds, BOUNDS);
  const { topics = 10_000, bytes = 67_108_864 } = given;
  return { topics, bytes };
}

const BOUNDS: Rules<HistoryBounds> = { topics: whole(1), bytes: whole(1) };
const LIMITS: Rules<HistoryOptions> = { messages: required(whole(1)), maxAgeMs: whole(1) };

function limits(options: HistoryOptions | undefined): HistoryLimits | undefined {
  if (options === undefined) return undefined;
  const { messages, maxAgeMs = 600_000 } = checkOptions('history of ChannelManager', options, LIMITS);
  return { messages, maxAgeMs };
}
