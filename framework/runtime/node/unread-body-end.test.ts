// The rest of a body after its response, with fake timers and messages.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleBodies } from './idle-bodies.js';
import { endUnread } from './unread-body.js';

const IDLE_MS = 5_000;
const MEBIBYTE = 1024 * 1024;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const turn = () => new Promise(setImmediate);

/** A request with a finished response, and how much of its body was read. */
function answered(headers: Record<string, string> = { 'content-length': '5000000' }, isBodyBegun = false) {
  const incoming = Object.assign(new IncomingMessage(new Socket()), { headers });
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = true;
  const before = outgoing.listenerCount('finish');
  const body = { isBodyBegun, bodyChunks: 0 };
  const give = () => endUnread(incoming, outgoing, body, new IdleBodies(IDLE_MS));
  return {
    incoming,
    outgoing,
    body,
    give,
    isCut: () => incoming.socket.destroyed,
    listens: () => outgoing.listenerCount('finish') - before,
  };
}

describe('after its response, a request', () => {
  it.each([
    ['whose body is there', { 'content-length': '5' }, true],
    ['without a body', {}, false],
    ['with a body of nothing', { 'content-length': '0' }, false],
  ])('%s is not waited for', (_what, headers, isComplete) => {
    const { incoming, give, listens } = answered(headers as Record<string, string>);
    incoming.complete = isComplete;
    give();
    expect(listens()).toBe(0);
  });

  it.each([[{ 'content-length': '5' }], [{ 'transfer-encoding': 'chunked' }]])(
    'with %j is waited for',
    (headers) => {
      const { give, listens } = answered(headers as Record<string, string>);
      give();
      expect(listens()).toBe(1);
    },
  );

  it.each(['whose body is there by then', 'whose connection ends'])('%s is not changed', (what) => {
    const { incoming, outgoing, give, isCut } = answered();
    give();
    if (what === 'whose connection ends') outgoing.shouldKeepAlive = false;
    else incoming.complete = true;
    outgoing.emit('finish');
    expect(incoming.listenerCount('data')).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(isCut()).toBe(false);
  });
});

describe('the rest of a body that is not read', () => {
  it('is read up to 1 MiB', async () => {
    const { incoming, outgoing, give, isCut } = answered();
    give();
    outgoing.emit('finish');
    for (let size = 0; size < MEBIBYTE; size += 65_536) incoming.push(Buffer.alloc(65_536));
    await turn();
    expect(isCut()).toBe(false);
    incoming.push('x');
    await turn();
    expect(isCut()).toBe(true);
  });

  it('has the idle timeout in total, even if it arrives slowly', async () => {
    const { incoming, outgoing, give, isCut } = answered();
    give();
    outgoing.emit('finish');
    for (let second = 1; second < IDLE_MS / 1_000; second += 1) {
      incoming.push('x');
      await turn();
      vi.advanceTimersByTime(1_000);
    }
    expect(isCut()).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(isCut()).toBe(true);
  });

  it.each(['comes to its end', 'breaks off'])('leaves no timer behind if it %s', async (how) => {
    const { incoming, outgoing, give } = answered();
    give();
    outgoing.emit('finish');
    expect(vi.getTimerCount()).toBe(1);
    if (how === 'breaks off') incoming.destroy();
    else {
      incoming.complete = true;
      incoming.push(null);
    }
    await turn();
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a rest that the handler may read', () => {
  const begun = () => {
    const request = answered({ 'transfer-encoding': 'chunked' }, true);
    request.give();
    request.outgoing.emit('finish');
    return request;
  };

  it('is left to the handler as long as the handler reads it', () => {
    const { incoming, body, isCut } = begun();
    expect(incoming.listenerCount('data')).toBe(0);
    for (let read = 0; read < 3; read += 1) {
      body.bodyChunks += 1;
      vi.advanceTimersByTime(IDLE_MS);
      expect(isCut()).toBe(false);
    }
    vi.advanceTimersByTime(IDLE_MS);
    expect(isCut()).toBe(true);
  });

  it('does not close a connection that is used by the next request', () => {
    const { incoming, isCut } = begun();
    incoming.complete = true;
    vi.advanceTimersByTime(IDLE_MS);
    expect(isCut()).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer behind if the request is closed', async () => {
    const { incoming } = begun();
    expect(vi.getTimerCount()).toBe(1);
    incoming.complete = true;
    incoming.destroy();
    await turn();
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
