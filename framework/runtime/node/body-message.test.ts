// Messages that nothing collects: streams, unread bodies, clients that leave; with Node's internals and without.
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { gate } from '../../conformance/gate.js';
import {
  chunked,
  client,
  closeAll,
  laterTick,
  post,
  serveMessages,
} from '../../conformance/message-server.js';
import { exchange, statuses } from '../../conformance/raw-client.js';
import { BodyMessage } from './body-message.js';

afterEach(closeAll);

/** The class as it is if Node lacks a member that it needs. */
async function withoutInternals(): Promise<typeof BodyMessage> {
  const prototype = IncomingMessage.prototype as unknown as { _dump: unknown };
  const { _dump } = prototype;
  prototype._dump = undefined;
  vi.resetModules();
  const loaded = await import('./body-message.js');
  prototype._dump = _dump;
  return loaded.BodyMessage;
}

const Fallback = await withoutInternals();
const kinds = [
  ['with Node’s internals', BodyMessage],
  ['without them', Fallback],
] as const;

describe.each(kinds)('a message %s', (_kind, Message) => {
  it('is collectable only with them', async () => {
    let isCollectable: boolean | undefined;
    const port = await serveMessages(Message, (incoming, outgoing) => {
      isCollectable = incoming.isCollectable;
      outgoing.end();
    });
    await exchange(port, post('body'), 50);
    expect(isCollectable).toBe(Message === BodyMessage);
  });

  it.each([
    ['at once', false],
    ['after it has arrived', true],
  ])('is an ordinary stream for what reads it as one %s', async (_when, isLate) => {
    const bodies: string[] = [];
    const port = await serveMessages(Message, async (incoming, outgoing) => {
      if (isLate) while (!incoming.complete) await laterTick();
      bodies.push(await text(incoming));
      outgoing.end();
    });
    const answer = await exchange(port, [post('first'), chunked('sec', 'ond'), post('')], 100);
    expect(statuses(answer)).toEqual([200, 200, 200]);
    expect(bodies.sort()).toEqual(['', 'first', 'second']);
  });

  it('gives a body by events, and its end once', async () => {
    const events: string[] = [];
    const over = gate();
    const port = await serveMessages(Message, (incoming, outgoing) => {
      incoming.on('data', (chunk: Buffer) => events.push(chunk.toString()));
      incoming.on('end', () => {
        events.push('(end)');
        outgoing.end();
      });
      incoming.on('close', over.open);
    });
    await exchange(port, post('body'), 50);
    await over.opened;
    expect(events).toEqual(['body', '(end)']);
  });

  it('answers pipelined requests whose bodies nothing reads', async () => {
    const port = await serveMessages(Message, (_incoming, outgoing) => void outgoing.end());
    const answer = await exchange(port, post('one') + chunked('two', 'x') + post('three'), 100);
    expect(statuses(answer)).toEqual([200, 200, 200]);
  });

  it('reads the rest of a body that nothing reads after the response', async () => {
    const port = await serveMessages(Message, (_incoming, outgoing) => void outgoing.end());
    const socket = client(port);
    socket.write(post('half', 8));
    await once(socket, 'data');
    socket.write(`half${post('next')}`);
    expect((await once(socket, 'data')).toString()).toContain('200 OK');
  });

  it('starts a socket again that a large unread body stopped, for the next request', async () => {
    const size = 512 * 1024;
    const port = await serveMessages(Message, async (incoming, outgoing) => {
      while (incoming.url === '/' && !incoming.socket.isPaused() && incoming.readableLength === 0) {
        if (Message === BodyMessage && incoming.keptBytes >= incoming.readableHighWaterMark) break;
        await laterTick();
      }
      outgoing.end();
    });
    const socket = client(port);
    socket.write(post('', size));
    socket.write(Buffer.alloc(size));
    expect((await once(socket, 'data')).toString()).toContain('200 OK');
    socket.write('GET /next HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await once(socket, 'data')).toString()).toContain('200 OK');
  });

  it('is left to the code of Node after the response only without them', async () => {
    const dump = vi.spyOn(IncomingMessage.prototype as unknown as { _dump(): void }, '_dump');
    const port = await serveMessages(Message, (_incoming, outgoing) => void outgoing.end());
    await exchange(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 50);
    expect(dump).toHaveBeenCalledTimes(Message === BodyMessage ? 0 : 1);
    dump.mockRestore();
  });

  it('emits `end` and `close` without a reader if somebody waits for them', async () => {
    const events: string[] = [];
    const over = gate();
    const port = await serveMessages(Message, (incoming, outgoing) => {
      incoming.on('end', () => events.push('end'));
      incoming.on('close', () => {
        events.push('close');
        over.open();
      });
      outgoing.end();
    });
    await exchange(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 50);
    await over.opened;
    expect(events).toEqual(['end', 'close']);
  });

  it('is destroyed if the client leaves before the response', async () => {
    const begun = gate();
    const over = gate();
    let isAborted: boolean | undefined;
    const port = await serveMessages(Message, (incoming) => {
      incoming.once('close', () => {
        isAborted = incoming.aborted;
        over.open();
      });
      begun.open();
    });
    const socket = client(port);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await begun.opened;
    socket.destroy();
    await over.opened;
    expect(isAborted).toBe(true);
  });
});
