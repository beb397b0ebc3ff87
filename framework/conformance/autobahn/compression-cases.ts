// Conformance tests: the groups 12 and 13 of the suite, about compression (permessage-deflate, RFC 7692).
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Case, Got } from './case.js';
import { BINARY, CONTINUATION, type RawPeer, type ReceivedFrame, TEXT } from './raw-peer.js';

/** What each compressed message ends with, and what is not sent (RFC 7692, section 7.2.1). */
const TAIL = Buffer.from([0, 0, 255, 255]);
/** RSV1 says that a message is compressed. */
const COMPRESSED = 4;
/** The suite sends 1,000 messages in each case. */
const COUNT = 20;

function deflate(message: Buffer): Buffer {
  return deflateRawSync(message, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -TAIL.length);
}

/** Both sides start anew with each message, which the server asks for. */
function inflated(frames: readonly ReceivedFrame[]): Buffer {
  const payload = Buffer.concat(frames.map((frame) => frame.payload));
  if (frames[0]?.rsv !== COMPRESSED) return payload;
  return inflateRawSync(Buffer.concat([payload, TAIL]), { finishFlush: constants.Z_SYNC_FLUSH });
}

/** Sends messages compressed, in fragments of `size`, and replaces the answers by what they decompress to. */
async function exchange(peer: RawPeer, opcode: number, message: Buffer, size: number): Promise<void> {
  if (
    !/\r\nSec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_/i.test(
      order(peer.head),
    )
  )
    throw new Error(`not negotiated: ${peer.head}`);
  const payload = deflate(message);
  for (let count = 0; count < COUNT; count++) {
    for (let at = 0; at < payload.length; at += size) {
      const fin = at + size >= payload.length;
      const rsv = at === 0 ? COMPRESSED : 0;
      peer.send({
        opcode: at === 0 ? opcode : CONTINUATION,
        payload: payload.subarray(at, at + size),
        fin,
        rsv,
      });
    }
    await peer.until(() => peer.received.length > count && peer.received.at(-1)?.fin === true);
    const answer = peer.received.splice(count);
    const first = answer[0] as ReceivedFrame;
    const isCompressed = first.rsv === COMPRESSED;
    if (message.length > 0 && !isCompressed) throw new Error('the answer is not compressed');
    peer.received.push({ opcode: first.opcode, fin: true, rsv: 0, payload: inflated(answer) });
  }
}

/** The parameters of the response in one order. */
function order(head: string): string {
  const parameters = ['server_no_context_takeover', 'client_no_context_takeover'];
  return parameters.every((one) => head.includes(one))
    ? head.replace(/permessage-deflate;.*/, `permessage-deflate; ${parameters.join('; ')}`)
    : head;
}

const SIZES = [16, 64, 256, 1024, 4096, 8192, 16_384, 32_768, 65_536, 131_072];
const SENTENCE = '{"name":"Größe","values":[1,2,3,4.5],"text":"Lorem ipsum dolor sit amet"}, ';

function textOf(size: number): Buffer {
  return Buffer.from(
    SENTENCE.repeat(Math.ceil(size / SENTENCE.length))
      .replaceAll('ö', 'o')
      .replaceAll('ß', 's')
      .slice(0, size),
  );
}

/** Octets that hardly compress, always the same ones. */
function noise(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let state = 1;
  for (let i = 0; i < size; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
    bytes[i] = state >>> 16;
  }
  return bytes;
}

function exchanges(
  group: string,
  what: string,
  opcode: number,
  extensions: string,
  make: (size: number) => Buffer,
  fragments: readonly number[] = [],
): Case[] {
  const one = (size: number, fragment: number, index: number): Case => ({
    id: `${group}.${index + 1}`,
    what: `${what} of ${size} bytes${fragment === Number.POSITIVE_INFINITY ? '' : `, in fragments of ${fragment}`}`,
    extensions,
    run: (peer) => exchange(peer, opcode, make(size), fragment),
    gets: Array.from({ length: COUNT }, (): Got => [opcode, make(size)]),
  });
  return [
    ...SIZES.map((size, i) => one(size, Number.POSITIVE_INFINITY, i)),
    ...fragments.map((fragment, i) => one(131_072, fragment, SIZES.length + i)),
  ];
}

const PLAIN = 'permessage-deflate';
const OFFERS: readonly string[] = [
  PLAIN,
  `${PLAIN}; server_no_context_takeover`,
  `${PLAIN}; server_max_window_bits=9`,
  `${PLAIN}; server_max_window_bits=15`,
  `${PLAIN}; server_no_context_takeover; server_max_window_bits=9`,
  `${PLAIN}; server_no_context_takeover; server_max_window_bits=15`,
  `${PLAIN}; server_no_context_takeover; server_max_window_bits=9, ${PLAIN}; server_no_context_takeover, ${PLAIN}`,
];

export const compressionCases: readonly Case[] = [
  ...exchanges('12.1', 'JSON', TEXT, PLAIN, textOf, [256, 1024, 4096, 32_768]),
  ...exchanges('12.2', 'incompressible bytes', BINARY, PLAIN, noise),
  ...OFFERS.flatMap((offer, i) => exchanges(`13.${i + 1}`, `text, offer ${i + 1},`, TEXT, offer, textOf)),
];
