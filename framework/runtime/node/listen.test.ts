import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer as createHttpServer, request } from 'node:http';
import { get as httpsGet } from 'node:https';
import { type AddressInfo, connect, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { App } from '../../app/app.js';
import { gate } from '../../conformance/gate.js';
import { selfSigned } from '../../conformance/self-signed.js';

function ask(
  port: number,
  path: string,
  agent: Agent | false = false,
): Promise<{ body: string; connection: string }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, agent }, async (incoming) => {
      let body = '';
      for await (const chunk of incoming) body += chunk;
      resolve({ body, connection: incoming.headers.connection ?? '' });
    })
      .on('error', reject)
      .end();
  });
}

describe('listen', () => {
  it('accepts a port, host:port and [::1]:port, and returns its address', async () => {
    for (const address of [0, '127.0.0.1:0', 'localhost:0'] as const) {
      const server = await new App().listen(address);
      expect(server.port).toBeGreaterThan(0);
      expect(server.url).toBe(
        `http://${typeof address === 'number' ? '127.0.0.1' : address.split(':')[0]}:${server.port}`,
      );
      await server.close();
    }
    const v6 = await new App().listen('[::1]:0');
    expect(v6.url).toBe(`http://[::1]:${v6.port}`);
    await v6.close();
  });

  it.each([
    [70_000, 'cannot listen on 70000: a port is 0 to 65535'],
    [-1, 'a port is 0 to 65535'],
    [3.5, 'a port is 0 to 65535'],
    ['3000x', "cannot listen on '3000x': give a port, 'host:port' or '[::1]:port'"],
    ['3000', "cannot listen on '3000': give the port as a number, or write ':3000'"],
    ['::1:3000', 'give a port'],
    ['http://x:1', 'give a port'],
    [65_536, 'cannot listen on 65536: a port is 0 to 65535'],
    ['x:65536', "cannot listen on 'x:65536': a port is 0 to 65535"],
    ['[1.2.3.4]:3000', "cannot listen on '[1.2.3.4]:3000': give a port, 'host:port' or '[::1]:port'"],
    ['[localhost]:3000', 'give a port'],
    ['x:99999', "cannot listen on 'x:99999': a port is 0 to 65535"],
  ])('refuses %s', async (address, message) => {
    await expect(new App().listen(address)).rejects.toThrow(message);
  });

  it('reports that a port is in use, and by whom if it is this process', async () => {
    const first = await new App().listen(0);
    const message = `cannot listen on 127.0.0.1:${first.port}: the port is already in use; `;
    await expect(new App().listen(first.port)).rejects.toThrow(
      `${message}this process listens on it: call listen once`,
    );
    await first.close();
    const other = createNetServer();
    await new Promise<void>((resolve) => other.listen(first.port, '127.0.0.1', resolve));
    await expect(new App().listen(first.port)).rejects.toThrow(`${message}stop the process that uses it`);
    await new Promise((resolve) => other.close(resolve));
  });
});

describe('a Unix socket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fw-unix-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const app = () =>
    new App().trustProxy(true).get('/', (ctx) => ctx.json([ctx.clientIp() ?? null, ctx.req.uri.href]));

  function askAt(socketPath: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { Host: 'app.example', 'X-Forwarded-For': '192.0.2.1', 'X-Forwarded-Proto': 'https' };
      request({ socketPath, path: '/', headers, agent: false }, async (incoming) => {
        let body = '';
        for await (const chunk of incoming) body += chunk;
        resolve(body);
      })
        .on('error', reject)
        .end();
    });
  }

  it('is listened on, behind a proxy that is trusted, and removed at the end', async () => {
    const path = join(folder, 'app.sock');
    const server = await app().listen({ path });
    expect(server).toMatchObject({ host: '', port: 0, path, url: `unix:${path}` });
    expect(JSON.parse(await askAt(path))).toEqual(['192.0.2.1', 'https://app.example/']);
    await server.close();
    expect(existsSync(path)).toBe(false);
  });

  it('replaces the file of a process that was killed, and no other', async () => {
    const path = join(folder, 'stale.sock');
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script]);
    expect(existsSync(path)).toBe(true);
    const server = await app().listen({ path });
    expect(JSON.parse(await askAt(path))).toHaveLength(2);
    await expect(app().listen({ path })).rejects.toThrow(
      `cannot listen on ${path}: the path is already in use; stop the process that listens there`,
    );
    await server.close();
    writeFileSync(path, 'a file');
    await expect(app().listen({ path })).rejects.toThrow('the path is already in use');
    expect(readFileSync(path, 'utf8')).toBe('a file');
  });

  it.each([
    [{ path: '' }, "listen: path is ''; give that of a Unix socket, such as '/run/app.sock'"],
    [{ path: 'a\0b' }, 'listen: path is'],
    [{}, "listen: path is missing; give that of a Unix socket, such as '/run/app.sock'"],
    [{ path: join(folder, 'x'), port: 1 }, "listen has no option 'port'; there is path"],
    [{ path: `/${'x'.repeat(107)}` }, 'Unix sockets have paths of at most 107 bytes; choose a shorter one'],
    [{ path: join(folder, 'none/app.sock') }, 'the folder does not exist, or this user may not write to it'],
  ])('is refused at %j', async (address, message) => {
    await expect(app().listen(address as { path: string })).rejects.toThrow(message);
  });
});

describe('drain', () => {
  it('finishes requests in flight and sends Connection: close', async () => {
    const held = gate();
    const started = gate();
    const app = new App().get('/slow', async () => {
      started.open();
      await held.opened;
      return 'done';
    });
    const server = await app.listen(0);
    const answer = ask(server.port, '/slow');
    await started.opened;
    const closed = server.close();
    await expect(ask(server.port, '/slow')).rejects.toThrow('ECONNREFUSED');
    held.open();
    expect(await answer).toEqual({ body: 'done', connection: 'close' });
    await closed;
  });

  it('answers one more request on a kept-alive connection, with Connection: close', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const server = await new App().get('/', () => 'x').listen(0);
    expect((await ask(server.port, '/', agent)).connection).toBe('keep-alive');
    const closed = server.close();
    expect((await ask(server.port, '/', agent)).connection).toBe('close');
    await closed;
    agent.destroy();
  });

  it('does not wait for connections that never sent a request', async () => {
    const server = await new App().listen(0);
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    const ended = once(socket, 'close');
    await server.close();
    await ended;
  });

  it('does not cut off a response that the client reads slowly', async () => {
    const size = 30_000_000;
    const server = await new App().get('/', () => Buffer.alloc(size)).listen(0);
    const socket = connect(server.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    await once(socket, 'data');
    socket.pause();
    const closed = server.close();
    // Longer than the time for which connections without a request are kept.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    socket.resume();
    await Promise.all([closed, once(socket, 'close')]);
    expect(received).toBeGreaterThan(size);
  });

  it('closes connections after the grace period and aborts their signals', async () => {
    const started = gate();
    const aborted = gate();
    const app = new App().shutdownGracePeriod(20).get('/stuck', async (ctx) => {
      ctx.signal.addEventListener('abort', aborted.open);
      started.open();
      await new Promise(() => {});
    });
    const server = await app.listen(0);
    const answer = ask(server.port, '/stuck');
    answer.catch(() => {});
    await started.opened;
    await server.close();
    await expect(answer).rejects.toThrow('socket hang up');
    await aborted.opened;
  });

  it('serveWithShutdown serves on a server that is already listening, until the signal', async () => {
    const listener = createNetServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const shutdown = new AbortController();
    const ended = new App().get('/', () => 'x').serveWithShutdown(listener, shutdown.signal);
    expect((await ask(port, '/')).body).toBe('x');
    shutdown.abort();
    await ended;
    expect(listener.listening).toBe(false);
  });

  it('serveWithShutdown refuses a server that is not listening', async () => {
    await expect(new App().serveWithShutdown(createNetServer(), Promise.resolve())).rejects.toThrow(
      'serveWithShutdown needs a server that listens',
    );
  });

  it('a shutdown promise that rejects also ends the server', async () => {
    const listener = createNetServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const broken = Promise.reject(new Error('no signal'));
    await expect(new App().serveWithShutdown(listener, broken)).rejects.toThrow('no signal');
    expect(listener.listening).toBe(false);
  });

  it('serveWithShutdown refuses an HTTP server, which would answer requests itself', async () => {
    const own = createHttpServer(() => {}).listen(0, '127.0.0.1');
    await once(own, 'listening');
    await expect(new App().serveWithShutdown(own, Promise.resolve())).rejects.toThrow('toNodeHandler(app)');
    own.close();
  });

  it('serveWithShutdown serves on a TLS server', async () => {
    const listener = createTlsServer(selfSigned).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const shutdown = new AbortController();
    const ended = new App()
      .get('/', (ctx) => ctx.req.uri.protocol)
      .serveWithShutdown(listener, shutdown.signal);
    const body = await new Promise<string>((resolve, reject) => {
      httpsGet({ host: '127.0.0.1', port, rejectUnauthorized: false, agent: false }, async (answer) => {
        let text = '';
        for await (const chunk of answer) text += chunk;
        resolve(text);
      }).on('error', reject);
    });
    expect(body).toBe('https:');
    shutdown.abort();
    await ended;
  });

  it('listenWithShutdown resolves after the drain', async () => {
    const signal = gate();
    const ended = new App().listenWithShutdown(0, signal.opened);
    signal.open();
    await ended;
  });
});
