// The readers of bodies: what they are told as a body arrives, is refused, or breaks off.
import { once } from 'node:events';
import { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
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
import { BodyMessage, type BodyReader } from './body-message.js';

afterEach(closeAll);

/** What a reader was told. */
class Recorder implements BodyReader {
  readonly calls: string[] = [];
  readonly over = gate();
  bodyChunk(chunk: Buffer): void {
    this.calls.push(chunk.toString());
  }
  bodyEnded(): void {
    this.calls.push('(end)');
    this.over.open();
  }
  bodyFailed(cause: unknown): void {
    this.calls.push(`(${cause instanceof Error ? cause.message : cause})`);
    this.over.open();
  }
}

describe('a body', () => {
  it.each([
    ['in the packet of the head', [post('whole')], ['whole', '(end)']],
    ['in two packets', [post('ha', 4), 'lf'], ['ha', 'lf', '(end)']],
    ['in the chunked coding', [chunked('one', 'two')], ['one', 'two', '(end)']],
    ['of no bytes', [post('')], ['(end)']],
  ])('passes on a body %s as it arrives', async (_how, packets, expected) => {
    const recorder = new Recorder();
    const begun = gate();
    const port = await serveMessages(BodyMessage, async (incoming, outgoing) => {
      incoming.collect(recorder);
      begun.open();
      await recorder.over.opened;
      outgoing.end(String(incoming.readableEnded));
    });
    const socket = client(port);
    socket.write(packets[0] as string);
    await begun.opened;
    for (const packet of packets.slice(1)) {
      while (recorder.calls.length === 0) await laterTick();
      socket.write(packet);
    }
    expect((await once(socket, 'data')).toString()).toContain('true');
    expect(recorder.calls).toEqual(expected);
  });

  it('gives what arrived before somebody reads, at once', async () => {
    const recorder = new Recorder();
    const port = await serveMessages(BodyMessage, async (incoming, outgoing) => {
      while (!incoming.complete) await laterTick();
      expect(incoming.isCollectable).toBe(true);
      incoming.collect(recorder);
      expect(recorder.calls).toEqual(['one', 'two', '(end)']);
      expect(incoming.isCollectable).toBe(true);
      outgoing.end();
    });
    expect(statuses(await exchange(port, chunked('one', 'two'), 50))).toEqual([200]);
  });

  it('stops the socket while nothing reads a large body, and starts it again', async () => {
    const size = 8 * 1024 * 1024;
    const begun = gate();
    const goOn = gate();
    let collected = 0;
    const port = await serveMessages(BodyMessage, async (incoming, outgoing) => {
      begun.open();
      await goOn.opened;
      expect(incoming.complete).toBe(false);
      expect(incoming.keptBytes).toBeLessThan(size / 8);
      incoming.collect({
        bodyChunk: (chunk) => {
          collected += chunk.length;
        },
        bodyEnded: () => void outgoing.end('done'),
        bodyFailed: () => expect.unreachable(),
      });
    });
    const socket = client(port);
    socket.write(post('', size));
    await begun.opened;
    socket.write(Buffer.alloc(size));
    // The socket's buffers are full: nothing is taken from the client any more.
    let before = -1;
    while (before !== socket.writableLength) {
      before = socket.writableLength;
      for (let ticks = 0; ticks < 200; ticks++) await laterTick();
    }
    expect(before).toBeGreaterThan(0);
    goOn.open();
    expect((await once(socket, 'data')).toString()).toContain('done');
    expect(collected).toBe(size);
  });

  it('tells its reader once if the client leaves, and nothing after the end', async () => {
    const left = new Recorder();
    const begun = gate();
    const port = await serveMessages(BodyMessage, (incoming) => {
      incoming.collect(left);
      begun.open();
    });
    const socket = client(port);
    socket.write(post('half', 9));
    await begun.opened;
    while (left.calls.length === 0) await laterTick();
    socket.destroy();
    await left.over.opened;
    await laterTick();
    expect(left.calls).toEqual(['half', '(aborted)']);
    const whole = new Recorder();
    const gone = gate();
    const other = await serveMessages(BodyMessage, (incoming, outgoing) => {
      incoming.collect(whole);
      outgoing.once('close', gone.open);
    });
    const leaving = client(other);
    leaving.write(post('whole'));
    await whole.over.opened;
    leaving.destroy();
    await gone.opened;
    await laterTick();
    expect(whole.calls).toEqual(['whole', '(end)']);
  });

  it('tells a reader that was taken away nothing more', async () => {
    const recorder = new Recorder();
    const port = await serveMessages(BodyMessage, async (incoming, outgoing) => {
      incoming.collect(recorder);
      while (recorder.calls.length === 0) await laterTick();
      expect(incoming.isCollectable).toBe(false);
      incoming.stopCollecting();
      while (!incoming.complete) await laterTick();
      outgoing.end();
    });
    const socket = client(port);
    socket.write(post('one', 6));
    while (recorder.calls.length === 0) await laterTick();
    socket.write('two');
    await once(socket, 'data');
    expect(recorder.calls).toEqual(['one']);
  });

  it('goes on to its reader after the response', async () => {
    const recorder = new Recorder();
    const port = await serveMessages(BodyMessage, (incoming, outgoing) => {
      incoming.collect(recorder);
      outgoing.end();
    });
    const socket = client(port);
    socket.write(post('one', 6));
    await once(socket, 'data');
    socket.write('two');
    await recorder.over.opened;
    expect(recorder.calls).toEqual(['one', 'two', '(end)']);
    socket.write(post('next'));
    expect((await once(socket, 'data')).toString()).toContain('200 OK');
  });

  it.each([
    ['before it is collected', true],
    ['while it is collected', false],
  ])('is also announced by `end` and `close` to those who began to listen %s', async (_when, isBefore) => {
    const events: string[] = [];
    const recorder = new Recorder();
    const begun = gate();
    const over = gate();
    const port = await serveMessages(BodyMessage, (incoming, outgoing) => {
      const listen = () => {
        incoming.on('end', () => events.push('end'));
        incoming.on('close', () => {
          events.push('close');
          over.open();
        });
      };
      if (isBefore) listen();
      incoming.collect(recorder);
      if (!isBefore) listen();
      begun.open();
      void recorder.over.opened.then(() => outgoing.end());
    });
    const socket = client(port);
    socket.write(post('one', 6));
    await begun.opened;
    socket.write('two');
    await over.opened;
    expect(events).toEqual(['end', 'close']);
    expect(recorder.calls.at(-1)).toBe('(end)');
  });

  it('does not end after it failed', () => {
    const incoming = new BodyMessage(new Socket());
    const recorder = new Recorder();
    incoming.collect(recorder);
    incoming.destroy(new Error('reset'));
    incoming.push(null);
    expect(recorder.calls).toEqual(['(reset)']);
  });

  it('gives no chunk after the one that its reader refuses', async () => {
    const calls: string[] = [];
    const port = await serveMessages(BodyMessage, async (incoming, outgoing) => {
      while (!incoming.complete) await laterTick();
      incoming.collect({
        bodyChunk: (chunk) => {
          calls.push(chunk.toString());
          incoming.stopCollecting();
        },
        bodyEnded: () => calls.push('(end)'),
        bodyFailed: () => calls.push('(failed)'),
      });
      outgoing.end();
    });
    await exchange(port, chunked('one', 'two'), 50);
    expect(calls).toEqual(['one']);
  });

  it('is released by its connection after the response', async () => {
    const incomings: WeakRef<BodyMessage>[] = [];
    let released: unknown = 'not looked';
    const port = await serveMessages(BodyMessage, (incoming, outgoing) => {
      incomings.push(new WeakRef(incoming));
      const { socket } = incoming;
      outgoing.once('close', () => {
        released = (socket as Socket & { parser?: { incoming: unknown } }).parser?.incoming;
      });
      outgoing.end();
    });
    await exchange(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 50);
    expect(released).toBeNull();
  });
});
