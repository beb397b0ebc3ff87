// The timeout of idle bodies, with fake timers.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleBodies } from './idle-bodies.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Waits for a body of that name; `idle` receives the names of those that timed out. */
function waiting(bodies: IdleBodies, idle: string[]) {
  return (name: string) => bodies.wait(() => void idle.push(name));
}

describe('IdleBodies', () => {
  it('ends each body that was idle for the timeout, once', () => {
    const idle: string[] = [];
    const wait = waiting(new IdleBodies(3_000), idle);
    wait('a');
    vi.advanceTimersByTime(1_500);
    wait('b');
    vi.advanceTimersByTime(1_499);
    expect(idle).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(idle).toEqual(['a']);
    vi.advanceTimersByTime(60_000);
    expect(idle).toEqual(['a', 'b']);
  });

  it('restarts the timeout of a body at every byte', () => {
    const idle: string[] = [];
    const body = waiting(new IdleBodies(3_000), idle)('a');
    for (let n = 0; n < 5; n += 1) {
      vi.advanceTimersByTime(2_000);
      body.touch();
    }
    expect(idle).toEqual([]);
    vi.advanceTimersByTime(3_000);
    expect(idle).toEqual(['a']);
  });

  it.each([
    ['the first', 0],
    ['one between', 1],
    ['the last', 2],
  ])('forgets %s of three bodies when it is complete, and only that one', (_which, index) => {
    const idle: string[] = [];
    const bodies = ['a', 'b', 'c'].map(waiting(new IdleBodies(1_000), idle));
    bodies[index]?.end();
    bodies[index]?.end();
    vi.advanceTimersByTime(1_000);
    expect(idle.sort()).toEqual(['a', 'b', 'c'].toSpliced(index, 1));
    for (const body of bodies) body.end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('continues if bodies are removed in any order', () => {
    const idle: string[] = [];
    const wait = waiting(new IdleBodies(1_000), idle);
    const [a, b, c] = [wait('a'), wait('b'), wait('c')];
    a.end();
    c.end();
    wait('d');
    b.end();
    vi.advanceTimersByTime(2_000);
    expect(idle).toEqual(['d']);
  });

  it('continues if the end of one body also ends others', () => {
    const idle: string[] = [];
    const bodies = new IdleBodies(1_000);
    const wait = waiting(bodies, idle);
    const others = [wait('a'), wait('b')];
    bodies.wait(() => {
      idle.push('c');
      for (const other of others) other.end();
    });
    vi.advanceTimersByTime(2_000);
    expect(idle).toEqual(['c']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has one timer while it waits, none without bodies, and a new one for the next body', () => {
    const idle: string[] = [];
    const wait = waiting(new IdleBodies(5_000), idle);
    expect(vi.getTimerCount()).toBe(0);
    const bodies = [wait('a'), wait('b')];
    vi.advanceTimersByTime(2_000);
    expect(vi.getTimerCount()).toBe(1);
    for (const body of bodies) body.end();
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
    wait('c');
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(5_000);
    expect(idle).toEqual(['c']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('checks more often if the timeout is shorter than a second', () => {
    const idle: string[] = [];
    waiting(new IdleBodies(200), idle)('a');
    vi.advanceTimersByTime(200);
    expect(idle).toEqual(['a']);
  });
});
