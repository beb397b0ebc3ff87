// Channels: carries messages within this process.
import type { ChannelMember } from '../channel-member.js';
import { Frame, FrameBatch } from '../frame.js';
import { publishInTurn } from '../turn.js';
import type { MemoryHistory } from './memory-history.js';
import { type Message, missedFrame, positionFrame } from './message.js';
import { DONE, type Exchange, type Topic, type TopicAddress, writeTo } from './topic.js';

/** Everything is done at once, so that nothing can come between what a subscriber missed and what follows. */
export class LocalExchange implements Exchange {
  readonly #history: MemoryHistory;

  constructor(history: MemoryHistory) {
    this.#history = history;
  }

  join(topic: Topic, member: ChannelMember): Promise<void> {
    const resumeAt = member.takeResumePoint(topic.name);
    if (topic.history !== undefined) this.#resume(topic, member, resumeAt);
    else if (resumeAt !== undefined) writeTo(member, missedFrame(topic.name, undefined));
    return this.admit(topic, member);
  }

  admit(topic: Topic, member: ChannelMember): Promise<void> {
    topic.members.add(member);
    return DONE;
  }

  left(): void {
    // Nothing is held outside of the topic.
  }

  publish(address: TopicAddress, topic: Topic | undefined, message: Message): Promise<void> {
    const { name, history } = address;
    if (history !== undefined) {
      const frame = this.#history.append(name, message, history);
      if (topic !== undefined) publishInTurn(topic, frame);
    } else if (topic !== undefined) {
      publishInTurn(topic, new Frame(message.payload));
    }
    return DONE;
  }

  #resume({ name }: Topic, member: ChannelMember, resumeAt: string | undefined): void {
    const position = this.#history.position();
    if (resumeAt === undefined) {
      if (member.isResumable === true) writeTo(member, positionFrame(name, position));
      return;
    }
    const missed = this.#history.since(name, resumeAt);
    if (missed === undefined) writeTo(member, missedFrame(name, position));
    else if (missed.length > 0) writeTo(member, new FrameBatch(missed));
  }
}
