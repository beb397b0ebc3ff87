// On Bun, which matches the paths of routes without parameters itself: every target is answered like without that.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleCases } from './fetch-runtimes/bundle.js';
import { runtimes } from './fetch-runtimes/runtimes.js';
import { checkout, temporaryDirectory } from './packed.js';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'PROPFIND', 'get'].map(
  (method) => `${method} /json`,
);
const targets = [
  '/ /? // /json? /json?q=1 /json?q=a%20b&q=2 /json/ /json// //json /json/?q /json;a /JSON /%6Ason /json%20 /json%00',
  '/json% /json%2F /a /a/ /a// /a//b /a/b /a/b/ /a/./b /a/../json /a/%2e%2e/json /a%2Fb /a.b-c_d~e /a%2Eb-c_d~e',
  '/url /url?q=1 /*x /:x /json?q=1#x http://y/json http://y/url http://y ?q=1 json * /json\xe9 /\xe9',
].flatMap((line) => line.split(' ').map((target) => `GET ${target}`));

/** Everything that the server sends, without what differs from one answer to the next. */
async function answerOf(port: number, line: string, host: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const length = line.startsWith('POST') ? 'Content-Length: 2\r\n' : '';
  const head = `${line} HTTP/1.1\r\nHost: ${host}\r\n${length}Connection: close\r\n\r\n`;
  socket.write(Buffer.from(`${head}${length && 'hi'}`, 'latin1'));
  await once(socket, 'close');
  return Buffer.concat(chunks)
    .toString('latin1')
    .replace(/^Date: .*\r\n/im, '')
    .replaceAll(String(port), 'port');
}

const { program } = runtimes.Bun as { program: string | undefined };

describe.skipIf(program === undefined)('Bun', () => {
  let ports: readonly number[];
  let stop: () => Promise<unknown>;

  beforeAll(async () => {
    const file = join(temporaryDirectory(), 'serve-targets.mjs');
    await bundleCases(checkout, join(import.meta.dirname, 'fetch-runtimes/serve-targets.ts'), file, false);
    const child = spawn(program as string, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
    stop = () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      return exited;
    };
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    ports = JSON.parse(line).ports;
  });

  afterAll(() => stop());

  it.each([...methods, ...targets])('%s', async (line) => {
    const [matched, plain] = await Promise.all(ports.map((port) => answerOf(port, line, 'x')));
    expect(matched).toBe(plain);
  });

  it.each(['', 'a/b', 'x:99999', '[::1]', 'x@y', 'x?y', 'x#y', '\xe9'])('Host: %s', async (host) => {
    for (const line of ['GET /json?q=1', 'GET /a/b', 'GET /url', 'GET /other']) {
      const [matched, plain] = await Promise.all(ports.map((port) => answerOf(port, line, host)));
      expect(matched).toBe(plain);
    }
  });
});
