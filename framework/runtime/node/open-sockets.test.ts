import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { OpenSockets } from './open-sockets.js';

class TestSocket extends EventEmitter {
  closed = false;
}

function socket(): Socket & { closed: boolean } {
  return new TestSocket() as unknown as Socket & { closed: boolean };
}

describe('the open sockets of a server', () => {
  it('are those that were added and not closed', () => {
    const sockets = new OpenSockets();
    const [first, second, third] = [socket(), socket(), socket()];
    for (const one of [first, second, third]) sockets.add(one);
    second.closed = true;
    expect(sockets.open()).toEqual([first, third]);
  });

  it('are watched without a listener', () => {
    const one = socket();
    new OpenSockets().add(one);
    expect(one.eventNames()).toEqual([]);
  });

  it('are not outnumbered by those that were closed', () => {
    const sockets = new OpenSockets();
    const kept = Array.from({ length: 200 }, socket);
    for (const one of kept) sockets.add(one);
    for (let i = 0; i < 10_000; i++) {
      const short = socket();
      sockets.add(short);
      short.closed = true;
      expect(sockets.size).toBeLessThanOrEqual(2 * kept.length + 1);
    }
    expect(sockets.open()).toEqual(kept);
    for (const one of kept) one.closed = true;
    for (let i = 0; i < 400; i++) sockets.add(Object.assign(socket(), { closed: true }));
    expect(sockets.size).toBeLessThanOrEqual(64);
  });
});
