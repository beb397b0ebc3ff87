// Conformance tests: group 6 of the suite, about UTF-8.
import type { Case } from './case.js';
import { CONTINUATION, maskedFrame, PING, RawPeer, type SentFrame, TEXT } from './raw-peer.js';

/** RFC 6455, section 8.1. */
const INVALID = 1007;

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** The payloads as fragments of one text message. */
function fragmentsOf(payloads: readonly Uint8Array[]): SentFrame[] {
  return payloads.map((payload, i) => ({
    opcode: i === 0 ? TEXT : CONTINUATION,
    payload,
    fin: i === payloads.length - 1,
  }));
}

const octets = (bytes: Buffer): Buffer[] => Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));

function text(id: string, what: string, payloads: readonly Uint8Array[], isValid = true): Case {
  return {
    id,
    what,
    run: (peer) => peer.send(...fragmentsOf(payloads)),
    ...(isValid ? { gets: [[TEXT, Buffer.concat(payloads)]] } : { gets: [], closes: INVALID }),
  };
}

const EMPTY = Buffer.alloc(0);
const MIXED = Buffer.from('Hello-µ@ßöäüàá-UTF-8!!');
/** The text of the suite, whose accent is that of ancient Greek: 11 octets. */
const KOSME = hex('ce ba e1 bd b9 cf 83 ce bc ce b5');
const SURROGATE = Buffer.concat([KOSME, hex('ed a0 80'), Buffer.from('edited')]);
/** A character behind the last one of Unicode. */
const BEYOND = hex('f4 90 80 80');
const EDITED = Buffer.from('edited');

const basics: Case[] = [
  text('6.1.1', 'empty text', [EMPTY]),
  text('6.1.2', 'three empty fragments', [EMPTY, EMPTY, EMPTY]),
  text('6.1.3', 'three fragments, of which the first and the last are empty', [
    EMPTY,
    Buffer.from('middle'),
    EMPTY,
  ]),
  text('6.2.1', 'valid text', [MIXED]),
  text('6.2.2', 'valid text, cut between characters', [MIXED.subarray(0, 12), MIXED.subarray(12)]),
  text('6.2.3', 'valid text in fragments of one octet', octets(MIXED)),
  text('6.2.4', 'Greek text in fragments of one octet', octets(KOSME)),
  text('6.3.1', 'a surrogate', [SURROGATE], false),
  text('6.3.2', 'a surrogate, in fragments of one octet', octets(SURROGATE), false),
];

/**
 * Whether a server fails as soon as it has received the wrong octet; it is not strict otherwise (RFC 6455, section
 * 8.1 demands only that it fails).
 */
function early(id: string, what: string, pieces: readonly Uint8Array[], isOneFrame: boolean): Case {
  const writes = isOneFrame ? inOneFrame(pieces) : fragmentsOf(pieces).map(maskedFrame);
  return {
    id,
    what: `${what}; fails before the rest is sent`,
    run: async (peer, url) => {
      for (const bytes of writes.slice(0, -1)) await peer.sendChopped(bytes, bytes.length);
      // The answer to another connection shows that the server has read this one.
      const other = await RawPeer.connect(url);
      for (const count of [1, 2]) {
        other.send({ opcode: PING });
        await other.until(() => other.received.length === count);
      }
      other.socket.destroy();
      const failedEarly = peer.closeCode !== undefined;
      if (failedEarly) throw new Error(`the server fails early now: ${id} is OK`);
      await peer.sendChopped(writes.at(-1) as Buffer, 65_536);
    },
    gets: [],
    closes: INVALID,
    result: 'NON-STRICT',
  };
}

function inOneFrame(pieces: readonly Uint8Array[]): Buffer[] {
  const frame = maskedFrame({ opcode: TEXT, payload: Buffer.concat(pieces) });
  const head = frame.length - pieces.reduce((sum, { length }) => sum + length, 0);
  let at = head;
  return [
    frame.subarray(0, head),
    ...pieces.map((piece) => {
      at += piece.length;
      return frame.subarray(at - piece.length, at);
    }),
  ];
}

const HALF = [Buffer.concat([KOSME, hex('f4')]), hex('90'), Buffer.concat([hex('80 80'), EDITED])];
const failFast: Case[] = [
  early('6.4.1', 'a wrong character in the second of three fragments', [KOSME, BEYOND, EDITED], false),
  early('6.4.2', 'the same, cut within the character', HALF, false),
  early('6.4.3', 'the same in one frame of three pieces', [KOSME, BEYOND, EDITED], true),
  early('6.4.4', 'the same, cut within the character', HALF, true),
];

const range = (from: number, to: number): Buffer =>
  Buffer.from(Array.from({ length: to - from + 1 }, (_, i) => from + i));
/** Each octet followed by a space. */
const lonely = (from: number, to: number): Buffer =>
  Buffer.concat([...range(from, to)].map((octet) => Buffer.from([octet, 0x20])));
const INCOMPLETE =
  'c0|e0 80|f0 80 80|f8 80 80 80|fc 80 80 80 80|df|ef bf|f7 bf bf|fb bf bf bf|fd bf bf bf bf'.split('|');

/** The characters U+xxFFFE and U+xxFFFF of every plane. */
const NON_CHARACTERS = Array.from({ length: 17 }, (_, plane) =>
  [0xfffe, 0xffff].map((low) => plane * 65_536 + low),
)
  .flat()
  .map((code) => Buffer.from(String.fromCodePoint(code)));

/** Sequences by their group: a name, whether they are valid, and the octets in hexadecimal. */
const SEQUENCES: readonly [
  group: number,
  what: string,
  isValid: boolean,
  sequences: readonly (string | Buffer)[],
][] = [
  [
    5,
    'valid characters',
    true,
    [
      '68656c6c6f24776f726c64',
      '68656c6c6fc2a2776f726c64',
      '68656c6c6fe282ac776f726c64',
      '68656c6c6ff0a4ada2776f726c64',
      KOSME,
    ],
  ],
  [7, 'first character of each length', true, ['00', 'c2 80', 'e0 a0 80', 'f0 90 80 80']],
  [8, 'first sequences of 5 and 6 octets', false, ['f8 88 80 80 80', 'fc 84 80 80 80 80']],
  [9, 'last character of each length', true, ['7f', 'df bf', 'ef bf bf', 'f4 8f bf bf']],
  [10, 'last sequences of 4 to 6 octets', false, ['f7 bf bf bf', 'fb bf bf bf bf', 'fd bf bf bf bf bf']],
  [
    12,
    'continuation octets alone',
    false,
    ['80', 'bf', '80bf', '80bf80', '80bf80bf', '80bf80bf80', '80bf80bf80bf', range(0x80, 0xbf)],
  ],
  [
    13,
    'lonely first octets',
    false,
    [lonely(0xc0, 0xdf), lonely(0xe0, 0xef), lonely(0xf0, 0xf7), lonely(0xf8, 0xfb), lonely(0xfc, 0xfd)],
  ],
  [14, 'last octet is missing', false, INCOMPLETE],
  [15, 'all incomplete sequences', false, [INCOMPLETE.join('')]],
  [16, 'impossible octets', false, ['fe', 'ff', 'fe fe ff ff']],
  [17, 'overlong slash', false, ['c0 af', 'e0 80 af', 'f0 80 80 af', 'f8 80 80 80 af', 'fc 80 80 80 80 af']],
  [
    18,
    'longest overlong sequences',
    false,
    ['c1 bf', 'e0 9f bf', 'f0 8f bf bf', 'f8 87 bf bf bf', 'fc 83 bf bf bf bf'],
  ],
  [19, 'overlong NUL', false, ['c0 80', 'e0 80 80', 'f0 80 80 80', 'f8 80 80 80 80', 'fc 80 80 80 80 80']],
  [20, 'single surrogates', false, ['eda080', 'edadbf', 'edae80', 'edafbf', 'edb080', 'edbe80', 'edbfbf']],
  [
    21,
    'paired surrogates',
    false,
    ['eda080', 'edadbf', 'edae80', 'edafbf'].flatMap((high) => [`${high}edb080`, `${high}edbfbf`]),
  ],
  [22, 'non-characters', true, NON_CHARACTERS],
  [23, 'specials', true, ['b9', 'ba', 'bb', 'bc', 'bd', 'be', 'bf'].map((last) => `efbf${last}`)],
];

const bytesOf = (sequence: string | Buffer): Buffer =>
  typeof sequence === 'string' ? hex(sequence) : sequence;
const BOUNDARIES = ['ed 9f bf', 'ee 80 80', 'ef bf bd', 'f4 8f bf bf', 'f4 90 80 80'];
/** The lengths at which the text is cut between two characters. */
const WHOLE_LENGTHS = [2, 5, 7, 9, 11];

export const utf8Cases: readonly Case[] = [
  ...basics,
  ...failFast,
  ...SEQUENCES.flatMap(([group, what, isValid, sequences]) =>
    sequences.map((one, i) => text(`6.${group}.${i + 1}`, what, [bytesOf(one)], isValid)),
  ),
  ...octets(KOSME).map((_, i) =>
    text(
      `6.6.${i + 1}`,
      `the first ${i + 1} octets of a text`,
      [KOSME.subarray(0, i + 1)],
      WHOLE_LENGTHS.includes(i + 1),
    ),
  ),
  ...BOUNDARIES.map((one, i) => text(`6.11.${i + 1}`, 'other boundaries', [hex(one)], i < 4)),
];
