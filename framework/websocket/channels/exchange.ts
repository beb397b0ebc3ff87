// Channels: the interface of what carries messages from those who publish to the topics.
import type { ChannelMember } from '../channel-member.js';
import type { Message } from './message.js';
import type { Topic, TopicAddress } from './topic.js';

/** Within this process, or through a broker. */
export interface Exchange {
  /** Adds a subscriber, who first gets what it missed. Resolves when all that is published will reach it. */
  join(topic: Topic, member: ChannelMember): Promise<void>;
  /** Adds a subscriber to a topic without a history. */
  admit(topic: Topic, member: ChannelMember): Promise<void>;
  /** To be called after a subscriber was removed. */
  left(topic: Topic): void;
  /** `topic` if there is one in this process. Rejects if the message was not taken. */
  publish(address: TopicAddress, topic: Topic | undefined, message: Message): Promise<void>;
}

/** For what is done at once. */
export const DONE: Promise<void> = Promise.resolve();
