// Conformance tests: the groups 9 and 10 of the suite, about large and many messages.
import type { Case, Got } from './case.js';
import { BINARY, CONTINUATION, maskedFrame, type RawPeer, TEXT } from './raw-peer.js';

const KB = 1024;
const MB = 1024 * KB;

/** Close code of messages with more fragments than ws accepts, 16,384. */
const TOO_MANY_FRAGMENTS = 1008;
const MOST_FRAGMENTS = 16_384;

function sizeOf(bytes: number): string {
  if (bytes >= MB) return `${bytes / MB} MB`;
  return bytes >= KB ? `${bytes / KB} KB` : `${bytes} bytes`;
}

const filled = (opcode: number, size: number): Buffer => Buffer.alloc(size, opcode === TEXT ? '*' : 0xfe);
const kindOf = (opcode: number): string => (opcode === TEXT ? 'text' : 'binary');

function sendFragments(peer: RawPeer, opcode: number, payload: Buffer, size: number): void {
  for (let at = 0; at < payload.length; at += size) {
    const fin = at + size >= payload.length;
    peer.send({ opcode: at === 0 ? opcode : CONTINUATION, payload: payload.subarray(at, at + size), fin });
  }
}

function large(group: string, opcode: number): Case[] {
  return [64 * KB, 256 * KB, MB, 4 * MB, 8 * MB, 16 * MB].map((size, i) => ({
    id: `${group}.${i + 1}`,
    what: `${kindOf(opcode)} of ${sizeOf(size)}`,
    run: (peer) => peer.send({ opcode, payload: filled(opcode, size) }),
    gets: [[opcode, filled(opcode, size)]],
  }));
}

function fragmented(group: string, opcode: number): Case[] {
  const payload = filled(opcode, 4 * MB);
  return [64, 256, KB, 4 * KB, 16 * KB, 64 * KB, 256 * KB, MB, 4 * MB].map((size, i): Case => {
    const isOver = payload.length / size > MOST_FRAGMENTS;
    return {
      id: `${group}.${i + 1}`,
      what: `${kindOf(opcode)} of 4 MB in fragments of ${sizeOf(size)}`,
      run: (peer) => sendFragments(peer, opcode, payload, size),
      ...(isOver ? { gets: [], closes: TOO_MANY_FRAGMENTS, result: 'LIMIT' } : { gets: [[opcode, payload]] }),
    };
  });
}

function inPieces(group: string, opcode: number): Case[] {
  return [64, 128, 256, 512, KB, 2 * KB].map((size, i) => ({
    id: `${group}.${i + 1}`,
    what: `${kindOf(opcode)} of 1 MB in pieces of ${sizeOf(size)}`,
    run: (peer) => peer.sendChopped(maskedFrame({ opcode, payload: filled(opcode, MB) }), size),
    gets: [[opcode, filled(opcode, MB)]],
  }));
}

/** Each message is sent when the one before was answered, as in the suite. */
function roundTrips(group: string, opcode: number): Case[] {
  const count = 1_000;
  return [0, 16, 64, 256, KB, 4 * KB].map((size, i) => ({
    id: `${group}.${i + 1}`,
    what: `${count} × ${kindOf(opcode)} of ${sizeOf(size)}`,
    async run(peer) {
      for (let sent = 1; sent <= count; sent++) {
        peer.send({ opcode, payload: filled(opcode, size) });
        await peer.until(() => peer.received.length >= sent);
      }
    },
    gets: Array.from({ length: count }, (): Got => [opcode, filled(opcode, size)]),
  }));
}

export const sizeCases: readonly Case[] = [
  ...large('9.1', TEXT),
  ...large('9.2', BINARY),
  ...fragmented('9.3', TEXT),
  ...fragmented('9.4', BINARY),
  ...inPieces('9.5', TEXT),
  ...inPieces('9.6', BINARY),
  ...roundTrips('9.7', TEXT),
  ...roundTrips('9.8', BINARY),
  {
    id: '10.1.1',
    what: 'text of 64 KB in fragments of 1,300 octets',
    run: (peer) => sendFragments(peer, TEXT, filled(TEXT, 65_536), 1_300),
    gets: [[TEXT, filled(TEXT, 65_536)]],
  },
];
