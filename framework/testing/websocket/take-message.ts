// Testing: finds what a test waits for among the messages of a WebSocket.
import type { Arrived } from './arrivals.js';

/** A message as a JSON object. */
export interface Frame {
  readonly [member: string]: unknown;
}

export function isText(message: Arrived): message is string {
  return typeof message === 'string';
}

export function isBytes(message: Arrived): message is Uint8Array {
  return typeof message !== 'string';
}

/** Takes the first message. Throws if it is of the other kind. */
export function first<T extends Arrived>(
  isWanted: (message: Arrived) => message is T,
): (messages: Arrived[]) => { value: T } | undefined {
  return (messages: Arrived[]): { value: T } | undefined => {
    const [message] = messages;
    if (message === undefined) return undefined;
    if (!isWanted(message)) throw new Error('the message is of the other kind');
    messages.shift();
    return { value: message };
  };
}

/** Takes the first frame that fits. */
export function frameThat(
  isWanted: (frame: Frame) => boolean,
): (messages: Arrived[]) => { value: Frame } | undefined {
  return (messages: Arrived[]): { value: Frame } | undefined => {
    for (const [at, message] of messages.entries()) {
      const value = frameOf(message);
      if (value === undefined || !isWanted(value)) continue;
      messages.splice(at, 1);
      return { value };
    }
    return undefined;
  };
}

/** The JSON object of a message; undefined if it is none. */
export function frameOf(message: Arrived): Frame | undefined {
  try {
    const value: unknown = JSON.parse(message as string);
    return isFrame(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isFrame(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null;
}
