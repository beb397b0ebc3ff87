// Conformance tests: the groups 1 to 5 of the suite, about frames.
import type { Case, Got } from './case.js';
import { BINARY, CONTINUATION, maskedFrame, PING, PONG, type SentFrame, TEXT } from './raw-peer.js';

/** Close code of a frame that breaks the protocol (RFC 6455, section 7.4.1). */
const BROKEN = 1002;

const chopped =
  (size: number, ...frames: SentFrame[]): Case['run'] =>
  (peer) =>
    peer.sendChopped(Buffer.concat(frames.map(maskedFrame)), size);
const whole =
  (...frames: SentFrame[]): Case['run'] =>
  (peer) =>
    peer.send(...frames);
/** All frames in one write, each in a write of its own, and each octet in a write of its own. */
const together =
  (...frames: SentFrame[]): Case['run'] =>
  (peer) =>
    peer.socket.write(Buffer.concat(frames.map(maskedFrame)));

function echoes(group: string, opcode: number, fill: string | Uint8Array): Case[] {
  const sizes = [0, 125, 126, 127, 128, 65_535, 65_536];
  const payload = (size: number) => Buffer.alloc(size, fill);
  const kind = opcode === TEXT ? 'text' : 'binary';
  return [
    ...sizes.map(
      (size, i): Case => ({
        id: `${group}.${i + 1}`,
        what: `${kind} message of ${size} bytes`,
        run: whole({ opcode, payload: payload(size) }),
        gets: [[opcode, payload(size)]],
      }),
    ),
    {
      id: `${group}.8`,
      what: `${kind} message of 65,536 bytes in pieces of 997 octets`,
      run: chopped(997, { opcode, payload: payload(65_536) }),
      gets: [[opcode, payload(65_536)]],
    },
  ];
}

const HELLO: SentFrame = { opcode: TEXT, payload: 'Hello, world!' };
const HEARD: Got = [TEXT, 'Hello, world!'];
const ping = (payload: string | Uint8Array = ''): SentFrame => ({ opcode: PING, payload });
const pong = (payload: string | Uint8Array = ''): SentFrame => ({ opcode: PONG, payload });
const ODD = new Uint8Array([0, 255, 254, 253, 252, 251, 0, 255]);
const FULL = Buffer.alloc(125, 0xfe);
const TEN = Array.from({ length: 10 }, (_, i) => `payload-${i}`);
const PONGS = TEN.map((payload): Got => [PONG, payload]);

const pings: Case[] = [
  { id: '2.1', what: 'ping without payload', run: whole(ping()), gets: [[PONG, '']] },
  { id: '2.2', what: 'ping with text', run: whole(ping('Hello, world!')), gets: [[PONG, 'Hello, world!']] },
  { id: '2.3', what: 'ping with octets', run: whole(ping(ODD)), gets: [[PONG, ODD]] },
  { id: '2.4', what: 'ping with 125 octets', run: whole(ping(FULL)), gets: [[PONG, FULL]] },
  {
    id: '2.5',
    what: 'ping with 126 octets',
    run: whole(ping(Buffer.alloc(126, 0xfe))),
    gets: [],
    closes: BROKEN,
  },
  {
    id: '2.6',
    what: 'ping with 125 octets, octet by octet',
    run: chopped(1, ping(FULL)),
    gets: [[PONG, FULL]],
  },
  { id: '2.7', what: 'pong that nobody asked for', run: whole(pong()), gets: [] },
  { id: '2.8', what: 'the same with a payload', run: whole(pong('unsolicited')), gets: [] },
  { id: '2.9', what: 'pong, then ping', run: whole(pong('unsolicited'), ping('x')), gets: [[PONG, 'x']] },
  { id: '2.10', what: '10 pings', run: together(...TEN.map(ping)), gets: PONGS },
  { id: '2.11', what: '10 pings, octet by octet', run: chopped(1, ...TEN.map(ping)), gets: PONGS },
];

const reserved: Case[] = [
  { id: '3.1', what: 'text with RSV 1', run: whole({ ...HELLO, rsv: 1 }), gets: [], closes: BROKEN },
  ...[2, 3, 4].map((rsv): Case => {
    const frames = [HELLO, { ...HELLO, rsv }, ping()];
    const how = ['together', 'frame by frame', 'octet by octet'][rsv - 2];
    const run = [together(...frames), whole(...frames), chopped(1, ...frames)][rsv - 2] as Case['run'];
    return {
      id: `3.${rsv}`,
      what: `text, text with RSV ${rsv}, ping; ${how}`,
      run,
      gets: [HEARD],
      closes: BROKEN,
    };
  }),
  {
    id: '3.5',
    what: 'binary with RSV 5',
    run: whole({ opcode: BINARY, payload: ODD, rsv: 5 }),
    gets: [],
    closes: BROKEN,
  },
  { id: '3.6', what: 'ping with RSV 6', run: whole({ ...ping('x'), rsv: 6 }), gets: [], closes: BROKEN },
  { id: '3.7', what: 'close with RSV 7', run: whole({ opcode: 8, rsv: 7 }), gets: [], closes: BROKEN },
];

/** 4.1 with opcodes from 3, 4.2 with those from 11. */
function opcodes(group: string, first: number): Case[] {
  return [0, 1, 2, 3, 4].map((i): Case => {
    const odd: SentFrame = { opcode: first + i, ...(i % 2 === 1 || i === 4 ? { payload: 'reserved' } : {}) };
    const frames = i < 2 ? [odd] : [HELLO, odd, ping()];
    return {
      id: `${group}.${i + 1}`,
      what: `${i < 2 ? '' : 'text, '}frame with the opcode ${first + i}${i === 4 ? ', octet by octet' : ''}`,
      run: i === 4 ? chopped(1, ...frames) : whole(...frames),
      gets: i < 2 ? [] : [HEARD],
      closes: BROKEN,
    };
  });
}

const PARTS: SentFrame[] = [
  { opcode: TEXT, payload: 'fragment1', fin: false },
  { opcode: CONTINUATION, payload: 'fragment2' },
];
const JOINED: Got = [TEXT, 'fragment1fragment2'];
const [START, END] = PARTS as [SentFrame, SentFrame];
const lost = (fin: boolean): SentFrame => ({ opcode: CONTINUATION, payload: 'non-continuation', fin });
const middle = (payload: string): SentFrame => ({ opcode: CONTINUATION, payload, fin: false });

/** The same frames in one write, frame by frame and octet by octet. */
function threeWays(
  ids: readonly string[],
  what: string,
  frames: SentFrame[],
  rest: Pick<Case, 'gets' | 'closes'>,
): Case[] {
  const ways = [whole(...frames), together(...frames), chopped(1, ...frames)];
  const names = ['frame by frame', 'in one write', 'octet by octet'];
  return ids.map((id, i) => ({ id, what: `${what}, ${names[i]}`, run: ways[i] as Case['run'], ...rest }));
}

const ENDLESS = [
  START,
  middle('fragment2'),
  ping('1'),
  middle('fragment3'),
  middle('fragment4'),
  ping('2'),
  END,
];
const MIXED: Pick<Case, 'gets'> = {
  gets: [
    [PONG, '1'],
    [PONG, '2'],
    [TEXT, 'fragment1fragment2fragment3fragment4fragment2'],
  ],
};

const fragments: Case[] = [
  ...[PING, PONG].map(
    (opcode, i): Case => ({
      id: `5.${i + 1}`,
      what: `${i === 0 ? 'ping' : 'pong'} in two fragments`,
      run: whole({ ...START, opcode }, END),
      gets: [],
      closes: BROKEN,
    }),
  ),
  ...threeWays(['5.3', '5.4', '5.5'], 'text in two fragments', PARTS, { gets: [JOINED] }),
  ...threeWays(['5.6', '5.7', '5.8'], 'a ping between two fragments', [START, ping('ping'), END], {
    gets: [[PONG, 'ping'], JOINED],
  }),
  ...threeWays(['5.9', '5.10', '5.11'], 'continuation of nothing, then text', [lost(true), HELLO], {
    gets: [],
    closes: BROKEN,
  }),
  ...threeWays(
    ['5.12', '5.13', '5.14'],
    'continuation of nothing without FIN, then text',
    [lost(false), HELLO],
    {
      gets: [],
      closes: BROKEN,
    },
  ),
  {
    id: '5.15',
    what: 'text in two fragments, continuation of nothing, text',
    run: whole(...PARTS, lost(false), HELLO),
    gets: [JOINED],
    closes: BROKEN,
  },
  ...[false, true].map(
    (fin, i): Case => ({
      id: `5.${16 + i}`,
      what: `twice: continuation of nothing (FIN ${fin}), then text in two fragments`,
      run: whole(lost(fin), ...PARTS, lost(fin), ...PARTS),
      gets: [],
      closes: BROKEN,
    }),
  ),
  {
    id: '5.18',
    what: 'both fragments are text frames',
    run: whole(START, { ...END, opcode: TEXT }),
    gets: [],
    closes: BROKEN,
  },
  {
    id: '5.19',
    what: 'text in five fragments with pings between, frame by frame',
    run: whole(...ENDLESS),
    ...MIXED,
  },
  { id: '5.20', what: 'the same in one write', run: together(...ENDLESS), ...MIXED },
];

export const framingCases: readonly Case[] = [
  ...echoes('1.1', TEXT, '*'),
  ...echoes('1.2', BINARY, new Uint8Array([0xfe])),
  ...pings,
  ...reserved,
  ...opcodes('4.1', 3),
  ...opcodes('4.2', 11),
  ...fragments,
];
