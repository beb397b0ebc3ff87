// Channels: the interface of brokers that count who is in a channel, over all processes.

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
