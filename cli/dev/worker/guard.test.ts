// What runs in front of every server of the app; in a separate process, because it changes Node's server for good.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAll } from '../trial-app.js';

let folder: string;
let child: ChildProcess;
let port: number;
/** The server listens for all that a client may begin with, and answers it at once. */
let eager: number;
/** The server talks HTTP/2. */
let newer: number;
let pipe: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fw-guard-'));
  pipe = process.platform === 'win32' ? `\\\\.\\pipe\\fw-guard-${process.pid}` : join(folder, 'private.sock');
  await esbuild.build({
    stdin: {
      contents: `
        import http from 'node:http';
        import http2 from 'node:http2';
        import { guardServers } from './guard.ts';
        const exchanges = new Set();
        const connections = { began: (one) => exchanges.add(one), upgraded: () => {} };
        const ended = (url, status, ms) => process.send({ url, status, isTimed: ms !== undefined });
        guardServers(connections, { address: '127.0.0.1', family: 'IPv4', port: 1 }, ['allowed.test'], {
          workbench: { order: {}, recorder: { isOn: false, meter: { ended } } },
        });
        const answers = {
          '/set': (response) => { response.setHeader('Connection', 'keep-alive'); response.end('x'); },
          '/head': (response) => response.writeHead(200, { Connection: 'keep-alive', 'X-Own': '1' }).end('x'),
          '/pairs': (response) => response.writeHead(200, 'Fine', ['connection', 'keep-alive', 'X-Own', '1']).end('x'),
          '/events': (response) => {
            response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\\n\\n');
            for (const one of exchanges) one.endEventStream();
          },
          '/stream': (response) => {
            const one = [...exchanges].at(-1);
            const before = one.isEventStream();
            response.writeHead(200, { 'content-type': 'text/event-stream' });
            response.end('data: ' + before + ' ' + one.isEventStream() + '\\n\\n');
          },
          '/later': (response) => {
            response.setHeader('content-type', 'text/event-stream');
            response.end('data: 1\\n\\n');
          },
          '/text': (response) => {
            response.writeHead(200, { 'content-type': 'text/plain' }).write('begun');
            for (const one of exchanges) one.endEventStream();
            response.end(' and ended');
          },
        };
        const listener = (request, response) => (answers[request.url] ?? ((it) => it.end('secret')))(response);
        http.createServer(listener).listen(${JSON.stringify(pipe)});
        const server = http.createServer(listener).on('upgrade', (request, socket) => socket.end('secret'));
        const eager = http.createServer(listener);
        for (const event of ['checkContinue', 'checkExpectation']) eager.on(event, listener);
        for (const event of ['upgrade', 'connect']) eager.on(event, (request, socket) => socket.end('secret'));
        const newer = http2.createServer(listener);
        server.listen(0, '127.0.0.1', () =>
          eager.listen(0, '127.0.0.1', () =>
            newer.listen(0, '127.0.0.1', () =>
              process.send([server, eager, newer].map((one) => one.address().port)))));`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    outfile: join(folder, 'server.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  child = spawn(process.execPath, [join(folder, 'server.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  [[port, eager, newer]] = (await once(child, 'message')) as [[number, number, number]];
});
afterAll(() => {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function exchange(path: string, head = 'Host: localhost', to: string | number = port): Promise<string> {
  const socket = typeof to === 'string' ? net.connect(to) : net.connect(to, '127.0.0.1');
  const answer = readAll(socket);
  socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`);
  return answer;
}

describe('the guard', () => {
  it.each([
    ['a Host field', '/', 'Host: evil.test'],
    ['a second Host field', '/', 'Host: localhost\r\nHost: evil.test'],
    ['an absolute target', 'http://evil.test/', 'Host: localhost'],
    ['an upgrade', '/', 'Host: evil.test\r\nUpgrade: websocket\r\nConnection: Upgrade'],
    ['an expectation', '/', 'Host: evil.test\r\nExpect: 100-continue'],
  ])('refuses a foreign host name before the app sees the request, in %s', async (_what, path, head) => {
    const answer = await exchange(path, head);
    expect(answer).toMatch(/^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 (403|400) /);
    expect(answer).not.toContain('secret');
  });

  it.each([
    ['a request', 'GET /', ''],
    ['CONNECT', 'CONNECT evil.test:80', ''],
    ['an upgrade', 'GET /', '\r\nUpgrade: websocket\r\nConnection: Upgrade'],
    ['an expectation', 'GET /', '\r\nExpect: 100-continue'],
    ['an unknown expectation', 'GET /', '\r\nExpect: more'],
  ])('refuses a foreign host name also where an app listens for %s itself', async (_, line, fields) => {
    const ask = (host: string): Promise<string> => {
      const socket = net.connect(eager, '127.0.0.1');
      const answer = readAll(socket);
      socket.write(`${line} HTTP/1.1\r\nHost: ${host}${fields}\r\n\r\n`);
      return answer;
    };
    expect(await ask('evil.test')).toMatch(/^HTTP\/1\.1 403 (?![\s\S]*secret)/);
    if (line.startsWith('GET')) expect(await ask('localhost')).toContain('secret');
  });

  it('allows the configured host names', async () => {
    expect(await exchange('/', 'Host: allowed.test:80')).toContain('secret');
    expect(await exchange('/', 'Host: LOCALHOST')).toContain('secret');
  });

  it.each([1, 2])(
    'counts what is answered in HTTP/%i, with its time unless it is a stream',
    async (version) => {
      const heard: { url?: string }[] = [];
      child.on('message', (message: { url?: string }) => heard.push(message));
      const ask = async (path: string): Promise<unknown> => {
        if (version === 1) return exchange(path);
        const client = http2.connect(`http://127.0.0.1:${newer}`);
        await once(client.request({ ':path': path, ':authority': 'localhost' }).resume(), 'end');
        return client.close();
      };
      const url = `/counted/${version}`;
      await ask(url);
      await ask('/later');
      await expect.poll(() => heard.find((one) => one.url === '/later')).toMatchObject({ isTimed: false });
      expect(heard.find((one) => one.url === url)).toEqual({ url, status: 200, isTimed: true });
    },
  );

  it('tells an event stream once its head was made', async () => {
    expect(await exchange('/stream')).toContain('data: false true');
  });

  it('does not check the host name on a pipe, which has none', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const asked = http.get({ socketPath: pipe, path: '/', headers: { host: 'evil.test' } }, (response) => {
        response.setEncoding('utf8').once('data', resolve);
      });
      asked.on('error', reject);
    });
    expect(answer).toBe('secret');
  });

  it.each(['/set', '/head', '/pairs'])(
    'closes the connection after every response, regardless of the app: %s',
    async (path) => {
      const answer = await exchange(path);
      expect(answer.match(/^connection: .*$/gim)).toEqual(['Connection: close']);
      if (path !== '/set') expect(answer).toContain('X-Own: 1');
    },
  );

  it('ends an event stream so that the client reconnects immediately, and does not change other streams', async () => {
    expect(await exchange('/events')).toMatch(/data: 1[\s\S]*retry: 100\n\n/);
    const text = await exchange('/text');
    expect(text).toContain('and ended');
    expect(text).not.toContain('retry');
  });
});
