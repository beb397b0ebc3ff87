// Bodies of both messages, the plain one of node:http and that of fw's own server, read whole and as streams.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BodyMessage } from './body-message.js';
import { IdleBodies } from './idle-bodies.js';
import { NodeRequestSource } from './incoming.js';

const messages = [IncomingMessage, BodyMessage] as const;

function received({ Message, idleBodies }: { Message: typeof IncomingMessage; idleBodies?: IdleBodies }) {
  const incoming = new Message(new Socket());
  Object.assign(incoming, { method: 'POST', url: '/', headers: { host: 'x' }, httpVersion: '1.1' });
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = true;
  return { incoming, outgoing, source: new NodeRequestSource(incoming, outgoing, idleBodies) };
}

afterEach(() => void vi.useRealTimers());

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
const gone = expect.objectContaining({
  status: 400,
  message: 'the client closed the connection before the body was complete',
});
const stopped = expect.objectContaining({
  status: 408,
  message: 'no byte of the request body arrived for 500 ms',
});

/** Both ways of reading a body. */
const readers: Record<string, (source: NodeRequestSource) => Promise<string>> = {
  whole: async (source) => text(await source.readBody()),
  'as a stream': async (source) => {
    let all = '';
    for await (const chunk of source.openBody()) all += text(chunk);
    return all;
  },
};

/** The parser of node:http gives Buffers, and sets `complete` before the end. */
function arrive(incoming: IncomingMessage, chunk: string): void {
  incoming.push(Buffer.from(chunk));
}

function complete(incoming: IncomingMessage): void {
  incoming.complete = true;
  incoming.push(null);
}

const ways = messages.flatMap((Message) =>
  Object.entries(readers).map(([how, read]) => [Message.name, how, Message, read] as const),
);

describe.each(ways)('the body of an %s that is read %s', (_name, _how, Message, read) => {
  it.each([[[]], [['one']], [['one', 'two', 'three']]])('consists of all its chunks: %j', async (chunks) => {
    const { incoming, outgoing, source } = received({ Message });
    expect([source.isBodyBegun, source.bodyChunks]).toEqual([false, 0]);
    const body = read(source);
    for (const chunk of chunks) {
      arrive(incoming, chunk);
      await new Promise(setImmediate);
    }
    complete(incoming);
    expect(await body).toBe(chunks.join(''));
    expect([source.isBodyBegun, source.bodyChunks]).toEqual([true, chunks.length]);
    expect(outgoing.shouldKeepAlive).toBe(true);
  });

  it('that is cut off is an error of the client', async () => {
    const { incoming, source } = received({ Message });
    const body = read(source);
    const cause = new Error('aborted');
    arrive(incoming, 'half');
    incoming.destroy(cause);
    await expect(body).rejects.toEqual(gone);
    await expect(body).rejects.toMatchObject({ cause });
  });

  it('that was read outside of fw before is an error of the application', async () => {
    const { incoming, source } = received({ Message });
    incoming.resume();
    complete(incoming);
    await new Promise((resolve) => incoming.once('end', resolve));
    await expect((async () => read(source))()).rejects.toThrow(
      new Error(
        'the request body was already read by middleware outside of fw; mount fw before that middleware',
      ),
    );
  });

  it('after the client left is an error of the client', async () => {
    const { incoming, source } = received({ Message });
    incoming.destroy();
    await expect(read(source)).rejects.toEqual(gone);
  });

  it.each([
    ['and stops coming is given up', true],
    ['has no time in a server of somebody else', false],
  ])('%s', async (_what, isOwn) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const { incoming, outgoing, source } = received({
      Message,
      ...(isOwn && { idleBodies: new IdleBodies(500) }),
    });
    const ended = read(source).catch((error: unknown) => error);
    arrive(incoming, 'half');
    await new Promise(setImmediate);
    vi.advanceTimersByTime(400);
    arrive(incoming, 'half');
    await new Promise(setImmediate);
    vi.advanceTimersByTime(400);
    await new Promise(setImmediate);
    expect(outgoing.shouldKeepAlive).toBe(true);
    vi.advanceTimersByTime(1_000);
    await new Promise(setImmediate);
    expect(outgoing.shouldKeepAlive).toBe(!isOwn);
    complete(incoming);
    expect(await ended).toEqual(isOwn ? stopped : 'halfhalf');
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(['whole', 'broken off', 'over the limit'])('leaves no timer behind if it is %s', async (how) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const { incoming, source } = received({ Message, idleBodies: new IdleBodies(60_000) });
    const body = (how === 'over the limit' ? source.readBody(1) : read(source)).catch(() => {});
    if (how === 'over the limit') arrive(incoming, 'two');
    else if (how === 'whole') complete(incoming);
    else incoming.destroy(new Error('aborted'));
    await body;
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe.each(messages)('the body of an %o over the limit', (Message) => {
  it('is not read further after the chunk that exceeds it', async () => {
    const { incoming, outgoing, source } = received({ Message });
    const body = source.readBody(5);
    arrive(incoming, '12345');
    await new Promise(setImmediate);
    expect(outgoing.shouldKeepAlive).toBe(true);
    arrive(incoming, '6');
    await expect(body).rejects.toMatchObject({ status: 413 });
    expect(outgoing.shouldKeepAlive).toBe(false);
    if (Message === IncomingMessage) expect(incoming.isPaused()).toBe(true);
    expect(incoming.listenerCount('data')).toBe(0);
    arrive(incoming, '7');
    expect(source.bodyChunks).toBe(2);
  });
});

describe.each(messages)('a stream of an %o that is cancelled by its reader', (Message) => {
  it.each([
    ['before its end takes the connection along', false],
    ['at its end keeps the connection', true],
  ])('%s', async (_when, isWhole) => {
    const { incoming, outgoing, source } = received({ Message });
    const reader = source.openBody().getReader();
    arrive(incoming, 'one');
    expect(text((await reader.read()).value)).toBe('one');
    if (isWhole) {
      complete(incoming);
      expect((await reader.read()).done).toBe(true);
    }
    await reader.cancel();
    expect(outgoing.shouldKeepAlive).toBe(isWhole);
    expect(incoming.socket.destroyed).toBe(false);
  });
});
