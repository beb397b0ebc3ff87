// Channels: messages, their frames, and what clients are told about their place in a topic.
import { Frame } from '../frame.js';

/** A message as it was published. */
export interface Message {
  /** The JSON of an event, or any text, or bytes. */
  readonly payload: string | Uint8Array;
  /** Events of topics with a history get the topic and an id into their JSON. */
  readonly isEvent: boolean;
}

/** A message that can be sent again to those who miss it. */
export class KeptFrame extends Frame {
  readonly id: string;

  constructor(payload: string | Uint8Array, id: string) {
    super(payload);
    this.id = id;
  }
}

/** The frame of a message of a topic with a history. */
export function keptFrame({ payload, isEvent }: Message, topic: string, id: string): KeptFrame {
  if (!isEvent || typeof payload !== 'string') return new KeptFrame(payload, id);
  const place = `,"topic":${JSON.stringify(topic)},"id":${JSON.stringify(id)}}`;
  return new KeptFrame(payload.slice(0, -1) + place, id);
}

/** Tells that messages are lost: the next one is that after `id`. */
export function missedFrame(topic: string, id: string | undefined): Frame {
  return new Frame(JSON.stringify({ missed: { topic, id } }));
}

/** Tells a new subscriber the place in the topic, so that it can resume before it has got a message. */
export function positionFrame(topic: string, id: string): Frame {
  return new Frame(JSON.stringify({ position: { topic, id } }));
}
