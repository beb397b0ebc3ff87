import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { OpenSockets } from './listen.js';

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

  it('are looked through seldom, however many there are', () => {
    let looks = 0;
    const sockets = new OpenSockets();
    const watched = Object.defineProperty(new EventEmitter(), 'closed', {
      get() {
        looks += 1;
        return false;
      },
    }) as unknown as Socket;
    for (let i = 0; i < 10_000; i++) sockets.add(watched);
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(20_000);
  });

  it('are held by nothing here', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const sockets = new OpenSockets();
    const add = (): WeakRef<Socket> => {
      const one = socket();
      sockets.add(one);
      return new WeakRef(one);
    };
    const forgotten = add();
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(forgotten.deref()).toBeUndefined();
    expect(sockets.open()).toEqual([]);
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
