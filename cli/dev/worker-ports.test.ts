// Which server of the app gets the connections of `fw dev`, and what becomes of its other ports.
import { once } from 'node:events';
import http from 'node:http';
import { createRequire } from 'node:module';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../framework/conformance/free-port.js';
import { readAll, startTrialApp, type TrialApp } from './trial-app.js';

let app: TrialApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

/** What a server of the app says at its own port; undefined if nobody listens there. */
function at(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    http
      .get({ host: '127.0.0.1', port, agent: false }, (response) => {
        response.setEncoding('utf8').once('data', resolve);
      })
      .on('error', () => resolve(undefined));
  });
}

const answering = (text: string): string => `http.createServer((_, response) => response.end('${text}'))`;
const main = (code: string): string => `
  import http from 'node:http';
  import net from 'node:net';
  import { once } from 'node:events';
  import { setTimeout as sleep } from 'node:timers/promises';
  const PORT = Number(process.env.PORT);
  ${code}`;

const esbuild = createRequire(import.meta.url).resolve('esbuild');

async function start(code: string): Promise<TrialApp> {
  app = await startTrialApp({
    'src/main.ts': main(code),
    // Compiles what the app forks.
    'node_modules/esbuild/index.js': `module.exports = require(${JSON.stringify(esbuild)});`,
  });
  return app;
}

describe('the server on PORT is the app', () => {
  it.each([
    ['at once', ''],
    ['some turns later', 'await sleep(30);'],
    ['after a connection that takes longer than the others are waited for', 'await sleep(1500);'],
    ['when the other one listens', "await once(side, 'listening');"],
  ])('if another one has listened before, and it comes %s', async (_when, between) => {
    const port = await freePort();
    const { get } = await start(`
      const side = ${answering('side')}.listen(${port}, '127.0.0.1');
      ${between}
      ${answering('app')}.listen(PORT, '127.0.0.1');`);
    await expect.poll(async () => (await get('/')).text).toBe('app');
    await expect.poll(() => at(port)).toBe('side');
    expect(app?.printed()).not.toMatch(/failed|crashed/);
  });

  it('and gives the other one its own address, without a second event', async () => {
    const port = await freePort();
    const { get } = await start(`
      let heard = 0;
      const side = ${answering('side')}.on('listening', () => heard++).listen(${port}, '127.0.0.1');
      await once(side, 'listening');
      http.createServer((_, response) => response.end(JSON.stringify([heard, side.address()]))).listen(PORT);`);
    await expect.poll(() => at(port)).toBe('side');
    expect(JSON.parse((await get('/')).text)).toEqual([1, { address: '127.0.0.1', family: 'IPv4', port }]);
  });

  it('after each save, while the other ports pass to the new code', async () => {
    const port = await freePort();
    const code = (word: string): string => `
      const side = ${answering(`side ${word}`)}.listen(${port}, '127.0.0.1');
      await once(side, 'listening');
      ${answering(word)}.listen(PORT, '127.0.0.1');`;
    const { get, save, printed } = await start(code('0'));
    for (const word of ['1', '2', '3']) {
      await save('src/main.ts', main(code(word)));
      expect((await get('/')).text).toBe(word);
      await expect.poll(() => at(port)).toBe(`side ${word}`);
    }
    expect(printed()).not.toMatch(/failed|crashed/);
  });

  it('and not one on another port, of which the error is heard if it is in use', async () => {
    const taken = net.createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { get } = await start(`
      let heard = '';
      ${answering('side')}.on('error', (error) => { heard = error.code; }).listen(${port}, '127.0.0.1');
      http.createServer((_, response) => response.end(heard)).listen(PORT);`);
    await expect.poll(async () => (await get('/')).text).toBe('EADDRINUSE');
    taken.close();
  });
});

describe('without a server on PORT', () => {
  it('the first one is the app, and the second one has its port', async () => {
    const [first, second] = [await freePort(), await freePort()];
    const { get } = await start(`
      ${answering('first')}.listen(${first}, '127.0.0.1');
      ${answering('second')}.listen(${second}, '127.0.0.1');`);
    expect((await get('/')).text).toBe('first');
    await expect.poll(() => at(second)).toBe('second');
    expect(await at(first)).toBeUndefined();
  });

  it('the first one is the app also if something else goes on, and sooner after a save', async () => {
    const port = await freePort();
    const code = (word: string): string => `setInterval(() => {}, 1000); ${answering(word)}.listen(${port});`;
    const { get, save } = await start(code('one'));
    expect((await get('/')).text).toBe('one');
    await save('src/main.ts', main(code('two')));
    expect((await get('/')).text).toBe('two');
  });
});

describe('a look for a free port', () => {
  it('is not the app', async () => {
    const { get } = await start(`
      const probe = net.createServer();
      probe.listen({ port: PORT, host: '127.0.0.1' });
      await once(probe, 'listening');
      probe.close();
      await once(probe, 'close');
      await sleep(300);
      ${answering('app')}.listen(PORT, '127.0.0.1');`);
    expect((await get('/')).text).toBe('app');
  });

  it('that takes long leaves its connections to the next server', async () => {
    const { get } = await start(`
      const probe = net.createServer().listen(PORT, '127.0.0.1');
      await sleep(100);
      probe.close();
      await sleep(500);
      ${answering('app')}.listen(PORT, '127.0.0.1');`);
    await delay(200);
    expect((await get('/')).text).toBe('app');
  });
});

describe('a second server on PORT', () => {
  it('on the same address fails as under Node', async () => {
    const { get, port } = await start(`
      let heard = '';
      http.createServer((_, response) => response.end(heard)).listen(PORT, '127.0.0.1', () => {
        ${answering('again')}.on('error', ({ message }) => { heard = message; }).listen(PORT, '127.0.0.1');
      });`);
    const { text } = await get('/');
    expect(text).toBe(`listen EADDRINUSE: address already in use 127.0.0.1:${port}`);
  });

  it('takes over from one that is closed', async () => {
    const { get } = await start(`
      const first = http.createServer((_, response) => response.end('first', () => first.close()));
      first.listen(PORT, '127.0.0.1', () => ${answering('second')}.listen(PORT, '::1'));`);
    expect((await get('/')).text).toBe('first');
    await expect.poll(async () => (await get('/')).text).toBe('second');
  });
});

describe('another port, with a slow request in flight', () => {
  it('passes to the new code at the save, which loses no request', async () => {
    const port = await freePort();
    const code = (word: string): string => `
      http.createServer((request, response) => {
        setTimeout(() => response.end('${word}'), request.url === '/slow' ? 4000 : 0);
      }).listen(PORT, '127.0.0.1', () => setTimeout(() => {
        ${answering(`side ${word}`)}.listen(${port}, '127.0.0.1');
      }, 100));`;
    const { get, save, connect, printed } = await start(code('old'));
    await expect.poll(() => at(port)).toBe('side old');
    const socket = await connect();
    const slow = readAll(socket);
    socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await get('/');
    await save('src/main.ts', main(code('new')));
    await expect.poll(() => at(port)).toBe('side new');
    expect((await get('/')).text).toBe('new');
    expect(await slow).toMatch(/old$/);
    expect((await get('/')).text).toBe('new');
    expect(printed()).not.toMatch(/crashed|failed/);
  });
});

describe('node:cluster', () => {
  it.each([
    ['on PORT', 'PORT'],
    ['on another port alone', '0 + 45677'],
  ])('is refused with a sentence if its workers listen %s', async (_where, port) => {
    const code = `
      import cluster from 'node:cluster';
      if (cluster.isPrimary) cluster.fork();
      else ${answering('worker')}.listen(${port}, '127.0.0.1');`;
    const { get } = await start(code);
    const { status, text } = await get('/');
    expect(status).toBe(503);
    expect(text).toContain(
      'fw dev serves one process, and cannot pass connections to the workers of node:cluster',
    );
    expect(text).toContain("without cluster.fork() while NODE_ENV is 'development'");
  });

  it('works beside the app', async () => {
    const port = await freePort();
    const { get } = await start(`
      import cluster from 'node:cluster';
      if (cluster.isPrimary) {
        ${answering('app')}.listen(PORT, '127.0.0.1');
        cluster.fork();
      } else ${answering('worker')}.listen(${port}, '127.0.0.1');`);
    expect((await get('/')).text).toBe('app');
    await expect.poll(() => at(port)).toBe('worker');
  });
});

describe('a server on PORT outside of the main thread', () => {
  const sentence = (port: number): string =>
    `fw dev listens on port ${port} itself, and passes its connections to the server that the app opens in the main thread of its own process`;

  it('of a worker thread fails, and says why', async () => {
    const { get, port } = await start(`
      import { Worker } from 'node:worker_threads';
      new Worker("require('node:net').createServer().listen(Number(process.env.PORT), '127.0.0.1')", { eval: true });`);
    const { status, text } = await get('/');
    expect(status).toBe(503);
    expect(text).toContain(`${sentence(port)}: a worker thread cannot listen there`);
  });

  it('of a child process fails, and says why', async () => {
    const { get, port } = await start(`
      import { fork } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      writeFileSync('child.mjs', "import net from 'node:net'; net.createServer().listen(Number(process.env.PORT), '127.0.0.1');");
      const child = fork('child.mjs', { silent: true });
      let said = '';
      child.stderr.on('data', (chunk) => { said += chunk; });
      await once(child, 'close');
      http.createServer((_, response) => response.end(said)).listen(PORT, '127.0.0.1');`);
    const { text } = await get('/');
    expect(text).toContain(`${sentence(port)}: a child process cannot listen there`);
    expect(text).toContain('EADDRINUSE');
  });

  it('leaves other ports to them', async () => {
    const port = await freePort();
    await start(`
      import { Worker } from 'node:worker_threads';
      new Worker("require('node:http').createServer((_, r) => r.end('thread')).listen(${port}, '127.0.0.1')", { eval: true });
      ${answering('app')}.listen(PORT, '127.0.0.1');`);
    await expect.poll(() => at(port)).toBe('thread');
  });
});
