// Channels: which topics have a history, and how much of it.
import { checkOptions } from '../../options/check.js';
import { type Rules, renamedTo, required, whole } from '../../options/rules.js';
import { synchronous } from '../../promises.js';
import type { HistoryLimits } from '../../streaming/channel-broker.js';

/** How much of a topic is kept for subscribers who come back. */
export interface HistoryOptions {
  /** How many of the last messages are kept. */
  maxMessages: number;
  /** How long they are kept at least, if there are not too many, in milliseconds; 600,000 by default. */
  maxAgeMs?: number;
}

/** The same, with the old name of an option. */
interface OldHistoryOptions {
  /** @deprecated Use `maxMessages`. */
  messages: number;
  maxAgeMs?: number;
}

/** The same for all topics, or what a function says of a topic. */
export type HistoryRule =
  | HistoryOptions
  | OldHistoryOptions
  | ((topic: string) => HistoryOptions | OldHistoryOptions | undefined);

/** What all histories of a process may take. */
export interface HistoryBounds {
  /** How many topics have a history; 10,000 by default. */
  maxTopics?: number;
  /** How many bytes all kept messages have; 67,108,864 (64 MiB) by default. */
  maxBytes?: number;
  /** @deprecated Use `maxTopics`. */
  topics?: number;
  /** @deprecated Use `maxBytes`. */
  bytes?: number;
}

/** @throws ConfigError if an option is malformed. */
export function historyRule(rule: HistoryRule | undefined): (topic: string) => HistoryLimits | undefined {
  if (rule === undefined) return () => undefined;
  if (typeof rule === 'function') {
    const message = 'history of ChannelManager returned a promise; return the options themselves';
    return (topic) => limits(synchronous(rule(topic), message));
  }
  const all = limits(rule);
  return () => all;
}

/** The same, resolved. */
export interface ResolvedBounds {
  readonly topics: number;
  readonly bytes: number;
}

/** @throws ConfigError if an option is malformed. */
export function historyBounds(bounds: HistoryBounds | undefined): ResolvedBounds {
  const given = checkOptions('historyBounds of ChannelManager', bounds, BOUNDS);
  const { maxTopics = 10_000, maxBytes = 67_108_864 } = given;
  return { topics: maxTopics, bytes: maxBytes };
}

const BOUNDS: Rules<HistoryBounds> = {
  maxTopics: whole(1),
  maxBytes: whole(1),
  topics: renamedTo('maxTopics'),
  bytes: renamedTo('maxBytes'),
};
const LIMITS: Rules<HistoryOptions & Partial<OldHistoryOptions>> = {
  maxMessages: required(whole(1)),
  messages: renamedTo('maxMessages'),
  maxAgeMs: whole(1),
};

function limits(options: HistoryOptions | OldHistoryOptions | undefined): HistoryLimits | undefined {
  // JavaScript has two words for nothing.
  if (options === undefined || options === null) return undefined;
  const given = options as HistoryOptions;
  const { maxMessages, maxAgeMs = 600_000 } = checkOptions('history of ChannelManager', given, LIMITS);
  return { messages: maxMessages, maxAgeMs };
}
