// Conformance tests: group 7 of the suite, about closing.
import type { Case, Got } from './case.js';
import { CLOSE, CONTINUATION, closePayload, PING, type SentFrame, TEXT } from './raw-peer.js';

const BROKEN = 1002;
const INVALID = 1007;

const HELLO: SentFrame = { opcode: TEXT, payload: 'Hello World!' };
const HEARD: Got = [TEXT, 'Hello World!'];
const close = (payload: string | Uint8Array = closePayload(1000)): SentFrame => ({ opcode: CLOSE, payload });

function sends(
  id: string,
  what: string,
  frames: readonly SentFrame[],
  closes: number,
  gets: Got[] = [],
): Case {
  return { id, what, run: (peer) => peer.send(...frames), gets, closes };
}

const LARGE = '*'.repeat(256 * 1024);

const order: Case[] = [
  sends('7.1.1', 'text, then close', [HELLO, close()], 1000, [HEARD]),
  sends('7.1.2', 'two close frames', [close(), close()], 1000),
  sends('7.1.3', 'ping after close', [close(), { opcode: PING }], 1000),
  sends('7.1.4', 'text after close', [close(), HELLO], 1000),
  sends(
    '7.1.5',
    'close between two fragments',
    [{ ...HELLO, fin: false }, close(), { opcode: CONTINUATION, payload: 'rest' }],
    1000,
  ),
  sends(
    '7.1.6',
    'text of 256 KB, close, ping',
    [{ opcode: TEXT, payload: LARGE }, close(), { opcode: PING }],
    1000,
    [[TEXT, LARGE]],
  ),
];

const payloads: Case[] = [
  sends('7.3.1', 'close without payload', [close('')], 1005),
  sends('7.3.2', 'close with one octet', [close('a')], BROKEN),
  sends('7.3.3', 'close with a code', [close()], 1000),
  sends('7.3.4', 'close with a reason', [close(closePayload(1000, 'Hello World!'))], 1000),
  sends('7.3.5', 'close with a reason of 123 octets', [close(closePayload(1000, '*'.repeat(123)))], 1000),
  sends('7.3.6', 'close with a reason of 124 octets', [close(closePayload(1000, '*'.repeat(124)))], BROKEN),
  sends(
    '7.5.1',
    'close with a reason that is not UTF-8',
    [close(closePayload(1000, Buffer.from('cebae1bdb9cf83cebcceb5eda080656469746564', 'hex')))],
    INVALID,
  ),
];

const VALID = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999];
const WRONG = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999];

export const closeCases: readonly Case[] = [
  ...order,
  ...payloads,
  ...VALID.map((code, i) => sends(`7.7.${i + 1}`, `close with ${code}`, [close(closePayload(code))], code)),
  ...WRONG.map((code, i) => sends(`7.9.${i + 1}`, `close with ${code}`, [close(closePayload(code))], BROKEN)),
  ...[5000, 65_535].map((code, i) =>
    sends(`7.13.${i + 1}`, `close with ${code}`, [close(closePayload(code))], BROKEN),
  ),
];
