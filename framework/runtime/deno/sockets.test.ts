// WebSockets of Deno, whose connections the test makes: what they do not tell, and what they do in another order.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ServedEvents } from '../../http/upgrade.js';
import { DenoUpgrade, type WebSocketOfDeno } from './sockets.js';

class FakeSocket extends EventTarget implements WebSocketOfDeno {
  binaryType = 'blob';
  readyState = 0;
  bufferedAmount = 0;
  readonly calls: string[] = [];

  send(message: string | Uint8Array): void {
    if (this.readyState !== 1) throw new Error("'readyState' not OPEN");
    this.calls.push(`send ${typeof message === 'string' ? message : [...message]}`);
  }

  close(code?: number, reason?: string): void {
    this.calls.push(`close ${code} ${reason}`);
  }

  happens(name: string, about: object = {}): void {
    if (name === 'open') this.readyState = 1;
    if (name === 'close') this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event(name), about));
  }
}

function upgraded(protocol = '', fields: readonly (readonly [string, string])[] = []) {
  const told: string[] = [];
  const events: ServedEvents = {
    message: (message) => told.push(`${typeof message} ${message}`),
    control: () => told.push('control'),
    drained: () => told.push('drained'),
    closed: (code, reason) => told.push(`closed ${code} ${reason}`),
  };
  const socket = new FakeSocket();
  const response = new Response(null);
  const upgrade = new DenoUpgrade(new Request('http://x/'), () => ({ socket, response }));
  const served = upgrade.serve(events, protocol, fields);
  return { told, socket, served, upgrade };
}

function opened() {
  const connection = upgraded();
  connection.socket.happens('open');
  return connection;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('has the fields of the App and the protocol on its response', () => {
  const { upgrade } = upgraded('chat', [
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
    ['X-Powered-By', 'fw'],
  ]);
  expect(upgrade.response?.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(upgrade.response?.headers.get('sec-websocket-protocol')).toBe('chat');
  expect(upgraded().upgrade.response?.headers.has('sec-websocket-protocol')).toBe(false);
});

it('keeps what is sent before it is open, as it was then, and closes behind it', () => {
  const { told, socket, served } = upgraded();
  const bytes = Buffer.from([1, 2]);
  served.send('first', false);
  served.send(bytes, false);
  bytes[0] = 9;
  served.close(4001, 'bye');
  expect([socket.calls, told]).toEqual([[], ['closed 4001 bye']]);
  socket.happens('open');
  expect(socket.calls).toEqual(['send first', 'send 1,2', 'close 4001 bye']);
  served.send('late', false);
  socket.happens('close', { code: 4001, reason: 'bye', wasClean: true });
  expect([socket.calls.length, told]).toEqual([3, ['closed 4001 bye']]);
});

it('passes on texts and bytes, until it is closed', () => {
  const { told, socket, served } = opened();
  socket.happens('message', { data: 'č' });
  socket.happens('message', { data: new Uint8Array([104, 105]).buffer });
  served.close(1000, '');
  socket.happens('message', { data: 'late' });
  expect(socket.binaryType).toBe('arraybuffer');
  expect(told).toEqual(['string č', 'object hi', 'closed 1000 ']);
});

it('sends nothing to a client that is leaving', () => {
  const { socket, served, told } = opened();
  socket.readyState = 2;
  served.send('late', false);
  socket.happens('close', { code: 3001, reason: 'bye', wasClean: true });
  expect([socket.calls, told]).toEqual([[], ['closed 3001 bye']]);
});

it('tells a fault of the client from a client that was lost', () => {
  const endOf = (message: string): string | undefined => {
    const { socket, told } = opened();
    socket.happens('error', { message });
    socket.happens('close', { code: 0, reason: '', wasClean: false });
    socket.happens('close', { code: 1005, reason: '', wasClean: true });
    expect(told).toHaveLength(1);
    return told[0];
  };
  for (const fault of ['Reserved bits are not zero', 'Invalid UTF-8', 'Frame too large'])
    expect(endOf(fault)).toBe(`closed 1006 ${fault}`);
  const lost = ['Unexpected EOF', 'Connection reset by peer (os error 104)', 'No response from ping frame.'];
  for (const message of lost) expect(endOf(message)).toBe('closed 1006 ');
});

it('ends a connection by a close frame, because Deno cannot cut it', () => {
  const { socket, served, told } = opened();
  served.terminate();
  expect([socket.calls, told]).toEqual([['close undefined undefined'], ['closed 1006 ']]);
  expect(served.ping).toBeUndefined();
});

it('gives up a client that has left before the response was written, and no other', () => {
  const { told } = upgraded();
  const open = opened();
  vi.advanceTimersByTime(9_999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(['closed 1006 ']);
  expect(open.told).toEqual([]);
});

it('leaves no timer behind a connection that never was open', () => {
  const { socket, told } = upgraded();
  socket.happens('close', { code: 1006, reason: '', wasClean: false });
  expect([told, vi.getTimerCount()]).toEqual([['closed 1006 '], 0]);
});

it('looks at what waits beyond what a system takes at once, and at nothing else', () => {
  const { told, socket, served } = opened();
  socket.bufferedAmount = 65_536;
  served.send('a', false);
  expect([served.bufferedBytes, vi.getTimerCount()]).toEqual([0, 0]);
  socket.bufferedAmount = 65_537;
  served.send('b', false);
  served.send('c', false);
  expect([served.bufferedBytes, vi.getTimerCount()]).toEqual([1, 1]);
  vi.advanceTimersByTime(100);
  expect(told.length).toBeGreaterThan(3);
  expect(vi.getTimerCount()).toBe(1);
  socket.bufferedAmount = 0;
  vi.advanceTimersByTime(16);
  expect([told.at(-1), vi.getTimerCount()]).toEqual(['drained', 0]);
});

it('looks no more once it is closed', () => {
  const { told, socket, served } = opened();
  socket.bufferedAmount = 100_000;
  served.send('a', false);
  served.close(1000, '');
  vi.advanceTimersByTime(100);
  expect([told, vi.getTimerCount()]).toEqual([['closed 1000 '], 0]);
});
