// Channels: messages as the texts that brokers carry.
import type { Message } from './message.js';

/**
 * A text goes as it is, so that other programs can publish too. A mark before it tells events of topics with a
 * history, bytes as base64, and texts that begin with NUL themselves.
 */
const MARK = '\0';
const EVENT = `${MARK}e`;
const BYTES = `${MARK}b`;
const TEXT = `${MARK}t`;

export function toBrokerText({ payload, isEvent }: Message): string {
  if (typeof payload !== 'string') return BYTES + asBuffer(payload).toString('base64');
  if (isEvent) return EVENT + payload;
  return payload.startsWith(MARK) ? TEXT + payload : payload;
}

/** @throws Error if the mark is unknown, as in a message of another version. */
export function fromBrokerText(text: string): Message {
  if (!text.startsWith(MARK)) return { payload: text, isEvent: false };
  const [mark, rest] = [text.slice(0, 2), text.slice(2)];
  if (mark === TEXT) return { payload: rest, isEvent: false };
  if (mark === BYTES) return { payload: Buffer.from(rest, 'base64'), isEvent: false };
  // It is put together with the id of the message, so it must be an object.
  if (mark === EVENT && rest.startsWith('{"') && rest.endsWith('}')) return { payload: rest, isEvent: true };
  throw new Error(
    'a message of the broker has an unknown form; do all processes run the same version of fw?',
  );
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
