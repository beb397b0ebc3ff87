// WebSocket: one message as the bytes of its frame, which is built once and can be written to many connections.

/** Opcodes of data frames (RFC 6455, section 5.2). */
const TEXT = 0x81;
const BINARY = 0x82;

/** The heads of short text frames by the length of their payload, as latin1. */
const SHORT_HEADS: readonly string[] = Array.from({ length: 126 }, (_, length) =>
  String.fromCharCode(TEXT, length),
);

/** A whole message in one unmasked frame, as servers send it (RFC 6455, section 5.1). */
export class Frame {
  readonly payload: string | Uint8Array;
  /** Head and payload. */
  readonly bytes: Buffer;

  constructor(payload: string | Uint8Array) {
    this.payload = payload;
    this.bytes = typeof payload === 'string' ? textFrame(payload) : binaryFrame(payload);
  }
}

/** The frame of a text message; a short one of ASCII is a string to be written as latin1, which needs no Buffer. */
export function textWire(text: string): Buffer | string {
  // As many bytes as UTF-16 units means ASCII only.
  const isShort = text.length < SHORT_HEADS.length && Buffer.byteLength(text) === text.length;
  return isShort ? SHORT_HEADS[text.length] + text : textFrame(text);
}

/** The frame of a text message. A lone surrogate becomes U+FFFD, because the payload must be UTF-8. */
function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const start = headLength(length);
  const bytes = Buffer.allocUnsafe(start + length);
  writeHead(bytes, TEXT, length);
  // As many bytes as UTF-16 units means ASCII only, which is written fastest as latin1.
  bytes.write(text, start, length, length === text.length ? 'latin1' : 'utf8');
  return bytes;
}

/** The frame of a binary message. */
export function binaryFrame(payload: Uint8Array): Buffer {
  const start = headLength(payload.byteLength);
  const bytes = Buffer.allocUnsafe(start + payload.byteLength);
  writeHead(bytes, BINARY, payload.byteLength);
  bytes.set(payload, start);
  return bytes;
}

function headLength(length: number): number {
  if (length < 126) return 2;
  return length < 65_536 ? 4 : 10;
}

/** RFC 6455, section 5.2: the shortest of the three forms of the length. */
function writeHead(bytes: Buffer, opcode: number, length: number): void {
  bytes[0] = opcode;
  if (length < 126) bytes[1] = length;
  else if (length < 65_536) {
    bytes[1] = 126;
    bytes.writeUInt16BE(length, 2);
  } else {
    bytes[1] = 127;
    bytes.writeUIntBE(0, 2, 2);
    bytes.writeUIntBE(length, 4, 6);
  }
}

/** The messages of one write, in order. */
export class FrameBatch {
  readonly frames: readonly Frame[];
  /** The size of the largest frame. */
  readonly largest: number;
  #bytes: Buffer | undefined;

  constructor(frames: readonly Frame[]) {
    this.frames = frames;
    this.largest = frames.reduce((most, { bytes }) => Math.max(most, bytes.byteLength), 0);
  }

  /** All frames, one after the other. They are joined when this is read for the first time. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.concat(this.frames.map(({ bytes }) => bytes));
    return this.#bytes;
  }
}
