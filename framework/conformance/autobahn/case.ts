// Conformance tests: one case of the suite, and how it is run and judged.
import { createHash } from 'node:crypto';
import { CLOSE, CONTINUATION, RawPeer, TEXT } from './raw-peer.js';

/** `OK` and `NON-STRICT` as the suite has them; `LIMIT` where a limit of fw ends the connection before. */
export type Result = 'OK' | 'NON-STRICT' | 'LIMIT';

/** A message or a control frame that the server sends. */
export type Got = readonly [opcode: number, payload: string | Uint8Array];

export interface Case {
  readonly id: string;
  readonly what: string;
  /** Sends the frames of the case. */
  readonly run: (peer: RawPeer, url: string) => unknown;
  /** What the server must send, up to its close frame. */
  readonly gets: readonly Got[];
  /**
   * The code that the server must close with after it has received the frames. Without it, the case then closes the
   * connection with 1000, which the server must echo.
   */
  readonly closes?: number;
  /** `OK` by default. */
  readonly result?: Result;
  /** The value of Sec-WebSocket-Extensions. */
  readonly extensions?: string;
}

/** What a case is judged by. */
export interface Outcome {
  readonly gets: readonly (readonly [opcode: number, payload: string])[];
  readonly closes: number | undefined;
}

/** Runs a case until the server has closed the connection. */
export async function runCase(one: Case, url: string): Promise<Outcome> {
  const peer = await RawPeer.connect(url, one.extensions);
  try {
    await one.run(peer, url);
    if (one.closes === undefined) {
      // Compressed messages are answered later than control frames.
      await peer.until(() => peer.received.filter(({ fin }) => fin).length >= one.gets.length);
      peer.sendClose();
    }
    await peer.ended;
    return { gets: messagesOf(peer), closes: peer.closeCode };
  } finally {
    peer.socket.destroy();
  }
}

/** What `runCase` must return. */
export function expectedOf({ gets, closes = 1000 }: Case): Outcome {
  return { gets: gets.map(([opcode, payload]) => [opcode, shown(payload)]), closes };
}

/** Joins fragments; the close frame and what follows it is left out. */
function messagesOf({ received }: RawPeer): [number, string][] {
  const messages: [number, string][] = [];
  let parts: Buffer[] = [];
  let opcode = TEXT;
  for (const frame of received) {
    if (frame.opcode === CLOSE) break;
    if (frame.opcode > CLOSE) {
      messages.push([frame.opcode, shown(frame.payload)]);
      continue;
    }
    if (frame.opcode !== CONTINUATION) opcode = frame.opcode;
    parts.push(frame.payload);
    if (!frame.fin) continue;
    messages.push([opcode, shown(Buffer.concat(parts))]);
    parts = [];
  }
  return messages;
}

/** Large payloads by their length and their ends, so that a failure can be read. */
function shown(payload: string | Uint8Array): string {
  const bytes = Buffer.from(payload);
  if (bytes.length <= 256) return bytes.toString('latin1');
  return `${bytes.length} bytes, ${createHash('sha1').update(bytes).digest('hex')}`;
}
