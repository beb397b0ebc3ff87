// Apps that hold what only one process can hold: their old process ends before the new one starts.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readAll, startTrialApp, type TrialApp } from './trial-app.js';

let app: TrialApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const server = (word: string, before: string): string => `
  import http from 'node:http';
  import dgram from 'node:dgram';
  import { existsSync, rmSync, writeFileSync } from 'node:fs';
  import { once } from 'node:events';
  ${before}
  http.createServer((request, response) => {
    setTimeout(() => response.end('${word}'), Number(request.url.split('/slow')[1] ?? 0));
  }).listen(Number(process.env.PORT), '127.0.0.1');`;

async function udpPort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

const lockFile = `
  if (existsSync('app.lock')) throw Object.assign(new Error('Lock file is already being held'), { code: 'ELOCKED' });
  writeFileSync('app.lock', '');
  process.on('exit', () => rmSync('app.lock'));`;
/** As a program does that handles its errors itself. */
const quietLockFile = `
  if (existsSync('app.lock')) { console.error('another instance is running'); process.exit(1); }
  writeFileSync('app.lock', '');
  process.on('exit', () => { if (globalThis.isOwner) rmSync('app.lock'); });
  globalThis.isOwner = true;`;
const notice = 'the new version could start only after the old one had ended';
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('new code that the old process keeps from starting', () => {
  it.each([
    [
      'a UDP port',
      async () =>
        `const udp = dgram.createSocket('udp4'); udp.bind(${await udpPort()}, '127.0.0.1'); await once(udp, 'listening');`,
    ],
    [
      'a Unix socket',
      async () =>
        `const unix = http.createServer(() => {}).listen('app.sock'); await once(unix, 'listening');`,
    ],
    ['a lock file', async () => lockFile],
    ['a lock file, of which it only prints', async () => quietLockFile],
  ])('by %s starts after the old one has ended, which fw dev remembers', async (_what, hold) => {
    const holding = await hold();
    app = await startTrialApp({ 'src/main.ts': server('0', holding) });
    expect((await app.get('/')).text).toBe('0');
    for (const word of ['1', '2', '3']) {
      const saved = app.save('src/main.ts', server(word, holding));
      expect((await app.get('/')).text).toBe(word);
      await saved;
    }
    expect(app.printed()).not.toMatch(/failed|crashed/);
    expect(count(app.printed(), notice)).toBe(1);
  });

  it('by what it holds later starts again, while a slow request to the old one is in flight', async () => {
    const port = await udpPort();
    const later = `setTimeout(() => dgram.createSocket('udp4').bind(${port}, '127.0.0.1'), 50);`;
    app = await startTrialApp({ 'src/main.ts': server('0', later) });
    const socket = await app.connect();
    const slow = readAll(socket);
    socket.write('GET /slow3000 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await app.get('/');
    await app.save('src/main.ts', server('1', later));
    expect(await slow).toMatch(/0$/);
    expect((await app.get('/')).text).toBe('1');
    await expect.poll(app.printed).toContain(notice);
    expect(app.printed()).not.toMatch(/failed|crashed/);
  });

  it('gives way to the last good version if it does not start then either', async () => {
    app = await startTrialApp({ 'src/main.ts': server('good', lockFile) });
    await app.save('src/main.ts', server('bad', `${lockFile} throw new Error('no database');`));
    expect(app.printed()).toContain('Error: no database');
    expect(app.printed()).toContain('starting the last good version again');
    expect((await app.get('/')).text).toBe('good');
    expect(app.printed()).not.toContain(notice);
    await app.save('src/main.ts', server('fixed', lockFile));
    expect((await app.get('/')).text).toBe('fixed');
  });

  it('by nothing of the old process leaves that alive', async () => {
    app = await startTrialApp({ 'src/main.ts': server('good', '') });
    const worker = app.supervisor.live;
    await app.save('src/main.ts', server('bad', "throw new Error('no database');"));
    expect(app.supervisor.live).toBe(worker);
    expect((await app.get('/')).text).toBe('good');
  });
});

describe('exclusive', () => {
  it('ends the old process first from the first save on, after its requests, and loses none', async () => {
    const hold = `${lockFile} console.error('started');`;
    app = await startTrialApp({ 'src/main.ts': server('0', hold) }, undefined, { exclusive: () => true });
    const socket = await app.connect();
    const slow = readAll(socket);
    socket.write('GET /slow300 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await app.get('/');
    const saved = app.save('src/main.ts', server('1', hold));
    const answers = await Promise.all([app.get('/'), app.get('/'), app.get('/')]);
    expect(answers.map(({ text }) => text)).toEqual(['1', '1', '1']);
    await saved;
    expect(await slow).toMatch(/0$/);
    expect(app.printed()).not.toContain(notice);
    expect(existsSync(join(app.root, 'app.lock'))).toBe(true);
  });

  it('does not end the old process for a build that fails', async () => {
    app = await startTrialApp({ 'src/main.ts': server('good', '') }, undefined, { exclusive: () => true });
    await app.save('src/main.ts', 'const x = ;');
    expect((await app.get('/')).text).toBe('good');
  });

  it('starts the last good version again if the new one fails', async () => {
    app = await startTrialApp({ 'src/main.ts': server('good', '') }, undefined, { exclusive: () => true });
    await app.save('src/main.ts', server('bad', "throw new Error('no database');"));
    expect((await app.get('/')).text).toBe('good');
    expect(app.printed()).toContain('Error: no database');
  });
});
