// Channels: the interface of brokers, which carry messages between processes.

/** Carries messages from those who publish on a channel to those who have subscribed to it, in every process. */
export interface ChannelBroker {
  /**
   * Sends a message to all current subscribers, those of this process included. Nothing is kept for later ones.
   *
   * @throws Error if the broker cannot be reached.
   */
  publish(channel: string, message: string): Promise<void>;
  /**
   * Calls `listener` for every message from now on, in the order in which they were published, until the returned
   * function is called. Subscriptions outlive interruptions, in which messages are lost.
   *
   * @throws Error if the broker cannot be reached.
   */
  subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>>;
  /** Ends all subscriptions. */
  close(): Promise<void>;
}

/** Knows how many members the channels have in all processes. */
export interface PresenceBroker {
  /**
   * Tells how many members channels have in this process, from now until it is told otherwise. The members of a
   * process that ends without telling are counted for half a minute at most.
   *
   * @throws Error if the broker cannot be reached; it is told as soon as it is back.
   */
  setCounts(counts: ReadonlyMap<string, number>): Promise<void>;
  /**
   * The members of a channel in all processes.
   *
   * @throws Error if the broker cannot be reached.
   */
  total(channel: string): Promise<number>;
}

/** A message that is kept, with its place in the channel. */
export interface HistoryMessage {
  readonly id: string;
  readonly message: string;
}

/** What of a channel is kept. */
export interface HistoryLimits {
  /** How many of the last messages. */
  readonly messages: number;
  /** How long after the last message the channel is kept, in milliseconds. */
  readonly maxAgeMs: number;
}

/** What someone who follows a channel is told. */
export interface HistoryListener {
  /** Called for every message, in order. None is left out, and none comes twice. */
  onMessage(kept: HistoryMessage): void;
  /** Called if messages were lost because they were no longer kept; the next one is that after the id. */
  onLost(id: string): void;
}

/** A channel that is followed. */
export interface HistorySubscription {
  /** The id of the last message that the follower was told, or of the place from which it follows. */
  readonly id: string;
  stop(): Promise<void>;
}

/** A broker that keeps the last messages of channels. */
export interface HistoryBroker extends ChannelBroker {
  /**
   * Appends a message, which reaches all who follow the channel.
   *
   * @throws Error if the broker cannot be reached. The message may have been appended nevertheless.
   */
  append(channel: string, message: string, limits: HistoryLimits): Promise<void>;
  /**
   * All messages after an id, in order; undefined if not all of them are kept, or the id is unknown.
   *
   * @throws Error if the broker cannot be reached.
   */
  since(channel: string, id: string): Promise<readonly HistoryMessage[] | undefined>;
  /**
   * Follows a channel from now on, also over interruptions.
   *
   * @throws Error if the broker cannot be reached.
   */
  follow(channel: string, follower: HistoryListener): Promise<HistorySubscription>;
}
