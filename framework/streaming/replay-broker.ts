// Channels: the interface of brokers that keep messages, so that they can be had again.
import type { ChannelBroker } from './channel-broker.js';

/** A message that is kept, with its place in the channel. */
export interface KeptMessage {
  readonly id: string;
  readonly message: string;
}

/** What of a channel is kept. */
export interface KeptLimits {
  /** How many of the last messages. */
  readonly messages: number;
  /** How long after the last message the channel is kept, in milliseconds. */
  readonly maxAgeMs: number;
}

/** What someone who follows a channel is told. */
export interface ChannelFollower {
  /** Called for every message, in order. None is left out, and none comes twice. */
  onMessage(kept: KeptMessage): void;
  /** Called if messages were lost because they were no longer kept; the next one is that after the id. */
  onLost(id: string): void;
}

/** A channel that is followed. */
export interface Following {
  /** The id of the last message that the follower was told, or of the place from which it follows. */
  readonly id: string;
  stop(): Promise<void>;
}

/** A broker that keeps the last messages of channels. */
export interface ReplayBroker extends ChannelBroker {
  /**
   * Appends a message, which reaches all who follow the channel.
   *
   * @throws Error if the broker cannot be reached. The message may have been appended nevertheless.
   */
  append(channel: string, message: string, limits: KeptLimits): Promise<void>;
  /**
   * All messages after an id, in order; undefined if not all of them are kept, or the id is unknown.
   *
   * @throws Error if the broker cannot be reached.
   */
  since(channel: string, id: string): Promise<readonly KeptMessage[] | undefined>;
  /**
   * Follows a channel from now on, also over interruptions.
   *
   * @throws Error if the broker cannot be reached.
   */
  follow(channel: string, follower: ChannelFollower): Promise<Following>;
}
