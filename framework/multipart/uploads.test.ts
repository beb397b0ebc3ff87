// Uploads over sockets: back-pressure, files that are not read, clients that leave half-way.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import type { Context } from '../context/context.js';
import type { HandlerResult } from '../context/handlers.js';
import { FwError } from '../http/errors.js';
import type { RunningServer } from '../runtime/node/listen.js';
import type { FwErrorEvent } from '../tracing/error-channel.js';

const running: RunningServer[] = [];
const errors: FwErrorEvent[] = [];
const collect = (event: unknown) => errors.push(event as FwErrorEvent);

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
  unsubscribe('fw:error', collect);
  errors.length = 0;
});

async function serve(
  handler: (ctx: Context) => HandlerResult | Promise<HandlerResult>,
): Promise<RunningServer> {
  const server = await new App()
    .get('/', () => 'alive')
    .post('/', handler)
    .listen(0);
  running.push(server);
  return server;
}

const FILE_HEAD = '--B\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n';
const END = '\r\n--B--\r\n';

/** Sends the head of a request with one file of `size` bytes, but no bytes of the file. */
function startUpload({ port }: RunningServer, size: number, close = 'close'): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const length = FILE_HEAD.length + size + END.length;
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: ${close}\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: ${length}\r\n\r\n${FILE_HEAD}`,
  );
  return socket;
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

/** Waits until a number does not change for many turns of the event loop. */
async function settled(read: () => number): Promise<number> {
  for (let last = -1; last !== read(); ) {
    last = read();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return read();
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const MEBIBYTE = new Uint8Array(1024 * 1024);

async function writeFile(socket: Socket, mebibytes: number, onWritten: () => void): Promise<void> {
  for (let i = 0; i < mebibytes; i++) {
    await new Promise((written) => socket.write(MEBIBYTE, written));
    onWritten();
  }
  socket.write(END);
}

describe('an upload', () => {
  it('waits in the socket while the handler does not read it', async () => {
    const gate = deferred();
    const server = await serve(async (ctx) => {
      let length = 0;
      for await (const part of ctx.req.multipart()) {
        if (part.kind !== 'file') continue;
        for await (const chunk of part.stream) {
          if (length === 0) await gate.promise;
          length += chunk.length;
        }
      }
      return length;
    });
    const socket = startUpload(server, 64 * MEBIBYTE.length);
    let written = 0;
    const writing = writeFile(socket, 64, () => {
      written += 1;
    });
    // The kernel's buffers of both ends; the rest of the 64 MiB stays with the client.
    expect(await settled(() => written)).toBeLessThan(32);
    gate.resolve();
    await writing;
    expect(await readAll(socket)).toMatch(/ 200 OK\r\n[\s\S]*67108864$/);
  });

  it('is not kept in memory if the handler does not read its file', async () => {
    const server = await serve(async (ctx) => {
      const names: string[] = [];
      for await (const part of ctx.req.multipart()) names.push(part.name);
      return { names, heap: process.memoryUsage().arrayBuffers };
    });
    const before = process.memoryUsage().arrayBuffers;
    const socket = startUpload(server, 128 * MEBIBYTE.length);
    const [answer] = await Promise.all([readAll(socket), writeFile(socket, 128, () => {})]);
    const { names, heap } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    expect(names).toEqual(['f']);
    expect(heap - before).toBeLessThan(64 * MEBIBYTE.length);
  });

  it('leaves the connection usable when it was read', async () => {
    const server = await serve(async (ctx) => {
      for await (const _ of ctx.req.multipart());
      return 'done';
    });
    const socket = startUpload(server, 5, 'keep-alive');
    socket.write(`12345${END}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect((await readAll(socket)).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  const count = async (ctx: Context) => {
    let parts = 0;
    for await (const _ of ctx.req.multipart()) parts += 1;
    return `${parts} parts`;
  };

  it('leaves the connection usable after an epilogue', async () => {
    const socket = startUpload(await serve(count), 5 + 50_000, 'keep-alive');
    socket.write(`12345${END}${'e'.repeat(50_000)}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect((await readAll(socket)).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  it('is answered without waiting for the end of an endless epilogue, and the connection is closed', async () => {
    const socket = startUpload(await serve(count), 1024 * MEBIBYTE.length, 'keep-alive');
    socket.write(`12345${END}`);
    socket.write('e'.repeat(300_000));
    const answer = await readAll(socket);
    expect(answer).toMatch(/1 parts$/);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  });

  it('is answered and cut off if the handler leaves the loop', async () => {
    const server = await serve(async (ctx) => {
      for await (const part of ctx.req.multipart()) return part.name;
      return undefined;
    });
    const socket = startUpload(server, 1024 * MEBIBYTE.length, 'keep-alive');
    socket.write(MEBIBYTE);
    const answer = await readAll(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  });
});

describe('a client that leaves half-way', () => {
  it.each<[string, (ctx: Context) => Promise<HandlerResult>]>([
    [
      'a streamed file',
      async (ctx) => {
        for await (const part of ctx.req.multipart()) await part.bytes();
        return 'complete';
      },
    ],
    [
      'a file that is passed over',
      async (ctx) => {
        for await (const _ of ctx.req.multipart());
        return 'complete';
      },
    ],
    ['a buffered form', async (ctx) => [...(await ctx.req.formData()).keys()]],
  ])('is reported once as an error of the client: %s', async (_kind, read) => {
    const entered = deferred();
    const reported = deferred();
    subscribe('fw:error', collect);
    const onError = () => reported.resolve();
    subscribe('fw:error', onError);
    const server = await serve((ctx) => {
      entered.resolve();
      return read(ctx);
    });
    const socket = startUpload(server, 10 * MEBIBYTE.length);
    socket.write(MEBIBYTE);
    await entered.promise;
    socket.destroy();
    await reported.promise;
    unsubscribe('fw:error', onError);
    expect(await (await fetch(server.url)).text()).toBe('alive');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.error).toBeInstanceOf(FwError);
    expect(errors[0]).toMatchObject({ status: 400, method: 'POST', path: '/' });
    expect(String(errors[0]?.error)).toContain('closed the connection before the body was complete');
  });

  it('leaves no socket and no handler behind, even if many leave', async () => {
    const uploads = 200;
    let entered = 0;
    let left = 0;
    const allEntered = deferred();
    const allLeft = deferred();
    const server = await serve(async (ctx) => {
      try {
        for await (const part of ctx.req.multipart()) {
          if (part.kind !== 'file') continue;
          for await (const _ of part.stream) {
            entered += 1;
            if (entered === uploads) allEntered.resolve();
            break;
          }
        }
      } finally {
        left += 1;
        if (left === uploads) allLeft.resolve();
      }
    });
    const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
    const before = sockets();
    const clients = Array.from({ length: uploads }, () => startUpload(server, 10 * MEBIBYTE.length));
    for (const client of clients) client.write('some bytes, and never more');
    await allEntered.promise;
    for (const client of clients) client.destroy();
    await Promise.all(clients.map((client) => client.closed || once(client, 'close')));
    await allLeft.promise;
    expect(await (await fetch(server.url, { headers: { Connection: 'close' } })).text()).toBe('alive');
    await server.close();
    expect(await settled(sockets)).toBeLessThanOrEqual(before);
  });
});
