// Event streams of pages that do not read.
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStreams, RecordingSwitch } from './event-streams.js';

it('cuts off a page that does not read, and goes on with the others', async () => {
  const counts: number[] = [];
  const streams = new EventStreams((count) => counts.push(count));
  const opened: http.ServerResponse[] = [];
  const server = http.createServer((_, response) => {
    opened.push(response);
    streams.add(response, 'hello', {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const slow = net.connect(port, '127.0.0.1').pause();
  slow.on('error', () => {});
  slow.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  let read = 0;
  const [reader] = (await once(http.get({ port, agent: false }), 'response')) as [http.IncomingMessage];
  reader.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  await expect.poll(() => counts.at(-1)).toBe(2);
  // More than the buffers of the system take.
  for (let sent = 0; sent < 200 && counts.at(-1) === 2; sent += 1) {
    streams.send('requests', 'x'.repeat(100_000));
    await new Promise((done) => setImmediate(done));
  }
  await expect.poll(() => counts.at(-1)).toBe(1);
  const before = read;
  streams.send('last', 'x');
  await expect.poll(() => read).toBeGreaterThan(before);
  expect(opened.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  streams.close();
  await once(reader, 'end');
  slow.destroy();
  server.close();
});

describe('the recording', () => {
  const GRACE = 1000;
  let changes: boolean[];
  let recording: RecordingSwitch;
  beforeEach(() => {
    vi.useFakeTimers({ now: 50_000 });
    changes = [];
    recording = new RecordingSwitch((isOn) => changes.push(isOn), GRACE);
  });
  afterEach(() => vi.useRealTimers());

  it('begins with the first page, and ends some time after the last one', () => {
    expect(recording.isOn).toBe(false);
    recording.pages(1);
    recording.pages(2);
    recording.pages(1);
    vi.advanceTimersByTime(10 * GRACE);
    recording.pages(0);
    vi.advanceTimersByTime(GRACE - 1);
    expect([recording.isOn, changes]).toEqual([true, [true]]);
    vi.advanceTimersByTime(1);
    expect([recording.isOn, changes]).toEqual([false, [true, false]]);
    recording.pages(1);
    expect([recording.since, changes]).toEqual([50_000 + 11 * GRACE, [true, false, true]]);
  });

  it('goes on if a page is loaded again', () => {
    recording.pages(1);
    recording.pages(0);
    vi.advanceTimersByTime(GRACE - 1);
    recording.pages(1);
    vi.advanceTimersByTime(10 * GRACE);
    expect([recording.since, changes]).toEqual([50_000, [true]]);
  });

  it('goes on while a page is open, whatever is sent meanwhile', () => {
    recording.pages(1);
    recording.touch();
    vi.advanceTimersByTime(10 * GRACE);
    expect(changes).toEqual([true]);
  });

  it('goes on for as long as somebody looks without a page, and no shorter for a shorter look', () => {
    recording.touch(5 * GRACE);
    recording.touch();
    recording.pages(1);
    recording.pages(0);
    vi.advanceTimersByTime(5 * GRACE - 1);
    expect(changes).toEqual([true]);
    vi.advanceTimersByTime(1);
    expect(changes).toEqual([true, false]);
  });

  it('leaves no timer at the end', () => {
    recording.touch();
    recording.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('writes to no more pages than there may be, and only while one is open', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const streams = new EventStreams();
  const responses = Array.from({ length: 100 }, () => {
    const response = new http.ServerResponse(new http.IncomingMessage(new net.Socket()));
    expect(streams.isFull).toBe(false);
    streams.add(response, 'hello', {});
    return response;
  });
  expect(streams.isFull).toBe(true);
  expect(vi.getTimerCount()).toBe(1);
  for (const response of responses.slice(1)) response.emit('close');
  expect([streams.isFull, vi.getTimerCount()]).toEqual([false, 1]);
  responses[0]?.emit('close');
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
