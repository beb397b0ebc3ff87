// Hostile dialogues: frames of WebSockets (RFC 6455, section 5.2), right ones and wrong ones.
import { deflateRawSync } from 'node:zlib';
import type { Random } from './random.js';

interface Frame {
  readonly first: number;
  readonly payload: Buffer;
  /** The length that it declares; that of the payload if absent. */
  readonly declared?: number;
  readonly isMasked?: boolean;
}

const FINAL = 0x80;
const MASKED = 0x80;

function bytesOf(
  random: Random,
  { first, payload, declared = payload.length, isMasked = true }: Frame,
): Buffer {
  const mask = random.bytes(4);
  const head: number[] = [first];
  const flag = isMasked ? MASKED : 0;
  if (declared < 126) head.push(flag | declared);
  else if (declared < 65_536) head.push(flag | 126, declared >> 8, declared & 255);
  else head.push(flag | 127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((shift) => (declared >>> shift) & 255));
  const masked = isMasked ? payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)) : payload;
  return Buffer.concat([Buffer.from(head), isMasked ? mask : Buffer.alloc(0), masked]);
}

/** A message of text, in one frame or in several. */
export function frameBytes(random: Random, text: string): Buffer {
  const payload = Buffer.from(text);
  if (random.maybe(0.8)) return bytesOf(random, { first: FINAL | 1, payload });
  const cut = random.below(payload.length + 1);
  return Buffer.concat([
    bytesOf(random, { first: 1, payload: payload.subarray(0, cut) }),
    ...(random.maybe(0.5) ? [bytesOf(random, { first: FINAL | 9, payload: Buffer.from('ping') })] : []),
    bytesOf(random, { first: FINAL, payload: payload.subarray(cut) }),
  ]);
}

function closeOf(code: number): Buffer {
  return Buffer.from([code >> 8, code & 255]);
}

/** A frame that breaks the protocol, or that a server rarely gets. */
export function hostileFrames(random: Random): Buffer {
  const payload = random.bytes(random.pick([0, 1, 2, 30, 130]));
  const one = random.pick<() => Frame>([
    () => ({ first: FINAL | random.below(16), payload }),
    () => ({ first: random.below(256), payload }),
    () => ({ first: FINAL | 1, payload, isMasked: false }),
    () => ({
      first: FINAL | 2,
      payload,
      declared: random.pick([payload.length + 9, 70_000, 0x7fff_ffff, 0xffff_ffff]),
    }),
    () => ({
      first: FINAL | 8,
      payload: closeOf(random.pick([1000, 1001, 1005, 1006, 1015, 0, 4999, 65_535])),
    }),
    () => ({ first: FINAL | 8, payload: Buffer.concat([closeOf(1000), payload]) }),
    () => ({ first: FINAL | 9, payload: random.bytes(200) }),
    () => ({ first: FINAL | 10, payload }),
    () => ({ first: FINAL | 0x40 | 1, payload: deflateRawSync('x'.repeat(100_000)) }),
    () => ({ first: FINAL | 0x40 | 1, payload }),
    () => ({ first: FINAL, payload }),
    () => ({
      first: FINAL | 1,
      payload: Buffer.from(
        random.pick(['{', 'null', '[]', '{"event":1}', '{"subscribe":1}', '{"resume":1}']),
      ),
    }),
  ])();
  return bytesOf(random, one);
}
