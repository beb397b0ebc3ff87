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
