// Channels: a topic with its subscribers of this process.

import type { HistoryLimits } from '../../streaming/channel-broker.js';
import { reportError } from '../../tracing/error-channel.js';
import type { ChannelMember } from '../channel-member.js';
import { Frame, type FrameBatch } from '../frame.js';
import type { Audience } from '../turn.js';
import type { HeldMessages } from './held-messages.js';
import type { Message } from './message.js';
import type { TopicLink } from './topic-link.js';

/** What publishing needs to know, also where nobody is subscribed. */
export interface TopicAddress {
  readonly name: string;
  /** The name that brokers know it by. */
  readonly channel: string;
  /** Undefined if nothing is kept. */
  readonly history: HistoryLimits | undefined;
}

/** A topic and its subscribers. */
export class Topic implements TopicAddress, Audience {
  readonly name: string;
  readonly channel: string;
  readonly history: HistoryLimits | undefined;
  readonly members: Set<ChannelMember> = new Set();
  /** Subscribers who first get what they missed, which is being fetched. */
  held: Map<ChannelMember, HeldMessages> | undefined;
  /** What other processes publish; undefined without a broker. */
  link: TopicLink | undefined;

  constructor({ name, channel, history }: TopicAddress) {
    this.name = name;
    this.channel = channel;
    this.history = history;
  }

  get count(): number {
    return this.members.size + (this.held?.size ?? 0);
  }

  has(member: ChannelMember): boolean {
    return this.members.has(member) || this.held?.has(member) === true;
  }

  remove(member: ChannelMember): void {
    if (this.members.delete(member)) return;
    this.held?.get(member)?.leave();
    this.held?.delete(member);
  }

  write(messages: Frame | FrameBatch): void {
    for (const member of this.members) writeTo(member, messages);
    if (this.held === undefined) return;
    const frames = messages instanceof Frame ? [messages] : messages.frames;
    for (const held of this.held.values()) held.push(frames);
  }
}

/** A connection that fails keeps nothing from the others. */
export function writeTo(member: ChannelMember, messages: Frame | FrameBatch): void {
  try {
    if (messages instanceof Frame) member.sendFrame(messages);
    else if (member.sendFrames !== undefined) member.sendFrames(messages);
    else for (const frame of messages.frames) member.sendFrame(frame);
  } catch (error) {
    reportError({ error, status: 500, method: 'websocket', path: '' });
  }
}

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
