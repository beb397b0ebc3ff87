// Hostile dialogues: makes what a client does on one connection, from ordinary requests to nonsense.
import { frameBytes, hostileFrames } from './frames.js';
import type { Random } from './random.js';
import { type Asked, type AskedSocket, handshakeBytes, REQUESTS, requestBytes, SOCKETS } from './requests.js';

/** How a client leaves. */
const ENDS = ['reset', 'destroy', 'half-close', 'leave unread'] as const;

/** The servers, the likelier ones more often. */
const SERVERS = ['own', 'own', 'timed', 'mounting', 'foreign', 'foreign'] as const;

export type Ports = Readonly<Record<(typeof SERVERS)[number], number>>;

/** What a client does on one connection. */
export interface Dialogue {
  readonly server: (typeof SERVERS)[number];
  /** Written one after the other. */
  readonly pieces: readonly Buffer[];
  /** Whether it waits between two pieces: for nothing, for a turn, for an answer. */
  readonly pause: 'none' | 'turn' | 'answer';
  readonly end: (typeof ENDS)[number];
  /** How long the client stays after its last piece, at most, in milliseconds. */
  readonly stayMs: number;
}

type Changes = Record<string, string | undefined>;

/** Changes of header fields that a server must see through. */
function hostileFields(random: Random): Changes {
  return random.pick<() => Changes>([
    () => ({}),
    () => ({}),
    () => ({ 'Content-Length': String(random.below(5_000)) }),
    () => ({ 'Content-Length': random.pick(['-1', '1e3', '9'.repeat(30), '5, 5', '']) }),
    () => ({ 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }),
    () => ({ 'Transfer-Encoding': random.pick(['chunked', 'gzip', 'chunked, chunked']) }),
    () => ({ Expect: random.pick(['100-continue', 'something']) }),
    () => ({ Connection: random.pick(['close', 'keep-alive', 'upgrade', 'close, upgrade']) }),
    () => ({ Upgrade: random.pick(['h2c', 'websocket', 'WebSocket, h2c']), Connection: 'Upgrade' }),
    () => ({ Host: random.pick([undefined, '', 'a b', 'a/b?', '[::1]:x']) }),
    () => ({
      'Content-Type': random.pick(['text/plain', 'multipart/form-data', 'application/json; charset="']),
    }),
    () => ({ Cookie: 'sid=x; sid=y', Authorization: 'Bearer', Origin: 'null' }),
    () => ({ 'X-Long': 'x'.repeat(random.pick([100, 20_000])) }),
  ])();
}

function hostileHandshake(random: Random): Changes {
  return random.pick<Changes>([
    {},
    {},
    {},
    {},
    { 'Sec-WebSocket-Key': random.pick([undefined, 'short', '']) },
    { 'Sec-WebSocket-Version': random.pick([undefined, '12', '13, 8']) },
    { Upgrade: random.pick([undefined, 'h2c', 'websocket, h2c']) },
    { Connection: random.pick([undefined, 'keep-alive', 'close, Upgrade']) },
    { 'Content-Length': '5' },
    { 'Transfer-Encoding': 'chunked' },
    {
      'Sec-WebSocket-Extensions': random.pick([
        'permessage-deflate; x=1',
        ',',
        'permessage-deflate; server_max_window_bits=99',
      ]),
    },
    { 'Sec-WebSocket-Protocol': random.pick(['', 'a, a', 'fw.bearer.eA', 'fw, fw.bearer.!']) },
    { Origin: 'http://other.example' },
  ]);
}

function requestOf(random: Random, asked: Asked): Buffer {
  if (random.maybe(0.6)) return requestBytes(asked);
  const method = random.maybe(0.85)
    ? asked.method
    : random.pick(['HEAD', 'OPTIONS', 'DELETE', 'CONNECT', 'TRACE', 'PUT', 'get']);
  const target = random.maybe(0.85)
    ? asked.target
    : random.pick(['*', '/%', '/%00', '//', '/../x', `http://x${asked.target}`, `${asked.target}?q=%ff&q=%`]);
  return requestBytes({ ...asked, method, target }, hostileFields(random));
}

function socketOf(random: Random, asked: AskedSocket): Buffer[] {
  const count = random.below(4);
  const frames = Array.from({ length: count + asked.messages.length }, (_, index) => {
    const message = asked.messages[index];
    return message !== undefined && random.maybe(0.8) ? frameBytes(random, message) : hostileFrames(random);
  });
  return [handshakeBytes(random, asked, hostileHandshake(random)), ...frames];
}

/** Joins some, cuts others in two, leaves out an end, and turns a byte. */
function inPieces(random: Random, parts: readonly Buffer[]): Buffer[] {
  let bytes = Buffer.concat(parts);
  if (random.maybe(0.3)) bytes = bytes.subarray(0, random.below(bytes.length + 1));
  if (random.maybe(0.15) && bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
  if (random.maybe(0.3)) return [bytes];
  if (random.maybe(0.4)) return parts.length === 0 ? [bytes] : [...parts];
  const cuts = Array.from({ length: random.below(5) }, () => random.below(bytes.length + 1)).sort(
    (a, b) => a - b,
  );
  return [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index]));
}

/** @param wanted the paths that reach the callback that misbehaves */
export function makeDialogue(random: Random, wanted: (target: string) => boolean): Dialogue {
  const server = random.pick(SERVERS);
  const prefix = server === 'mounting' ? random.pick(['/in', '/fetch']) : '';
  const below = <One extends { readonly target: string }>(asked: One): One => ({
    ...asked,
    target: prefix + asked.target,
  });
  const requests = REQUESTS.filter(({ target }) => wanted(target));
  const sockets = SOCKETS.filter(({ target }) => wanted(target));
  const chosen = random.maybe(0.85);
  const ask = () => below(random.pick(chosen && requests.length > 0 ? requests : REQUESTS));
  const askSocket = () => below(random.pick(chosen && sockets.length > 0 ? sockets : SOCKETS));
  const socketChance = !chosen ? 0.4 : sockets.length === 0 ? 0.05 : requests.length === 0 ? 0.95 : 0.5;
  const parts: Buffer[] = [];
  for (let count = random.pick([0, 0, 0, 1, 2]); count > 0; count -= 1) parts.push(requestOf(random, ask()));
  if (random.maybe(socketChance)) parts.push(...socketOf(random, askSocket()));
  else parts.push(requestOf(random, ask()));
  if (random.maybe(0.1)) parts.push(requestOf(random, ask()));
  return {
    server,
    pieces: inPieces(random, parts),
    pause: random.pick(['none', 'turn', 'turn', 'answer', 'answer']),
    end: random.pick(ENDS),
    stayMs: random.pick([0, 2, 8, 25]),
  };
}
