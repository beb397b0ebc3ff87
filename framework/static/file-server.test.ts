import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import type { FwResponse } from '../http/response.js';
import { TestClient } from '../testing/index.js';

let outer: string;
let dir: string;

beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'fw-files-'));
  dir = join(outer, 'public');
  mkdirSync(dir);
  // Files are cached once they are two seconds old; the clock is set so that they are.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(outer, { recursive: true, force: true });
});

let seconds = 1_600_000_000;

/** Gives each write a different time, because those of the file system may be milliseconds apart. */
function write(name: string, content: string | Uint8Array): void {
  writeFileSync(join(dir, name), content);
  seconds++;
  utimesSync(join(dir, name), seconds, seconds);
}

/** A write that only changes the ctime. */
function writeSecretly(name: string, content: string): void {
  const path = join(dir, name);
  const before = statSync(path, { bigint: true });
  do {
    writeFileSync(path, content);
    utimesSync(path, seconds, seconds);
  } while (statSync(path, { bigint: true }).ctimeNs === before.ctimeNs);
  expect(statSync(path, { bigint: true })).toMatchObject({ size: before.size, mtimeNs: before.mtimeNs });
}

const makePipe = (name: string) => execFileSync('sh', ['-c', 'mkfifo "$0"', join(dir, name)]);

/** A client, and the responses of the App before they are sent. */
function serve(served: string = dir): { client: TestClient; answers: FwResponse[] } {
  const answers: FwResponse[] = [];
  const app = new App()
    .use(async (_ctx, next) => {
      answers.push(await next());
    })
    .serveStatic('/f', served);
  return { client: new TestClient(app), answers };
}

describe('a small file', () => {
  it('is sent from memory while it is unchanged', async () => {
    write('a.txt', 'one');
    const { client, answers } = serve();
    await client.get('/f/a.txt');
    (await client.get('/f/a.txt')).assertText('one');
    expect(answers[1]?.content).toBe(answers[0]?.content);
  });

  it('is read again while a write might not change its timestamps', async () => {
    vi.setSystemTime(Date.now() - 60_000);
    write('a.txt', 'one');
    const { client, answers } = serve();
    await client.get('/f/a.txt');
    await client.get('/f/a.txt');
    expect(answers[1]?.content).not.toBe(answers[0]?.content);
  });

  it('is never stale', async () => {
    write('a.txt', 'one');
    const { client } = serve();
    const expectText = async (text: string) => {
      // The second response may be sent from memory.
      for (let i = 0; i < 2; i++) (await client.get('/f/a.txt')).assertStatus(200).assertText(text);
    };
    await expectText('one');
    write('a.txt', 'two');
    await expectText('two');
    writeSecretly('a.txt', 'elf');
    await expectText('elf');
    writeFileSync(join(dir, 'new'), 'six');
    renameSync(join(dir, 'new'), join(dir, 'a.txt'));
    await expectText('six');
    // The same size and the same mtime.
    utimesSync(join(dir, 'a.txt'), 1_700_000_000, 1_700_000_000);
    await expectText('six');
    writeFileSync(join(dir, 'new'), 'ten');
    utimesSync(join(dir, 'new'), 1_700_000_000, 1_700_000_000);
    renameSync(join(dir, 'new'), join(dir, 'a.txt'));
    await expectText('ten');
    unlinkSync(join(dir, 'a.txt'));
    (await client.get('/f/a.txt')).assertStatus(404);
    write('a.txt', 'back again');
    await expectText('back again');
  });

  it('is not served after its name became a link out of the directory', async () => {
    write('a.txt', 'inside');
    writeFileSync(join(outer, 'secret.txt'), 'secret');
    const { client } = serve();
    (await client.get('/f/a.txt')).assertText('inside');
    unlinkSync(join(dir, 'a.txt'));
    symlinkSync(join(outer, 'secret.txt'), join(dir, 'a.txt'));
    (await client.get('/f/a.txt')).assertStatus(404);
  });

  it('is not served after a parent directory became a link out of the directory', async () => {
    for (const folder of [join(dir, 'sub'), join(outer, 'other')]) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'a.txt'), folder);
    }
    const { client } = serve();
    (await client.get('/f/sub/a.txt')).assertStatus(200);
    renameSync(join(dir, 'sub'), join(outer, 'moved'));
    symlinkSync(join(outer, 'other'), join(dir, 'sub'));
    (await client.get('/f/sub/a.txt')).assertStatus(404);
  });

  it('is read from the new directory if the directory is a link that was replaced', async () => {
    for (const release of ['1', '2']) {
      mkdirSync(join(outer, release));
      writeFileSync(join(outer, release, 'a.txt'), `release ${release}`);
    }
    const current = join(outer, 'current');
    symlinkSync('1', current);
    const { client } = serve(current);
    (await client.get('/f/a.txt')).assertText('release 1');
    symlinkSync('2', `${current}.next`);
    renameSync(`${current}.next`, current);
    (await client.get('/f/a.txt')).assertText('release 2');
  });

  it('is complete while another process keeps replacing it', async () => {
    const versions = { a: 'a'.repeat(50_000), b: 'b'.repeat(40_000) };
    write('x.txt', versions.a);
    const script = `
      const { renameSync, writeFileSync } = require('node:fs');
      process.chdir(${JSON.stringify(dir)});
      for (let i = 0; ; i++) {
        writeFileSync('next', i % 2 ? ${JSON.stringify(versions.a)} : ${JSON.stringify(versions.b)});
        renameSync('next', 'x.txt');
        if (i === 10) process.stdout.write('started');
      }`;
    const writer = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(writer.stdout, 'data');
      const { client } = serve();
      for (let i = 0; i < 300; i++) {
        const answer = (await client.get('/f/x.txt')).assertStatus(200);
        const text = answer.text();
        expect(Object.values(versions)).toContain(text);
        expect(answer.header('etag')).toMatch(`"${text.length}-`);
      }
    } finally {
      writer.kill('SIGKILL');
      await once(writer, 'exit');
    }
  });

  it('with a time in the future has no Last-Modified', async () => {
    write('a.txt', 'one');
    const future = Date.now() / 1000 + 86_400;
    utimesSync(join(dir, 'a.txt'), future, future);
    const { client } = serve();
    for (let i = 0; i < 2; i++) {
      const answer = await client.get('/f/a.txt');
      expect([answer.status, answer.header('last-modified')]).toEqual([200, undefined]);
    }
    const present = Date.now() / 1000;
    utimesSync(join(dir, 'a.txt'), present, present);
    (await client.get('/f/a.txt')).assertHeader(
      'last-modified',
      new Date(Math.floor(present) * 1000).toUTCString(),
    );
  });

  it('does not share its header fields between responses', async () => {
    write('a.txt', 'one');
    const app = new App()
      .use(async (ctx, next) => {
        const response = await next();
        response.headers.delete('ETag');
        response.headers.append('X-Once', ctx.req.query('n') ?? '');
      })
      .serveStatic('/f', dir);
    const client = new TestClient(app);
    for (const n of ['1', '2']) (await client.get(`/f/a.txt?n=${n}`)).assertHeader('x-once', n);
    (await serve().client.get('/f/a.txt')).assertHeader('etag');
  });
});

describe('a precompressed sibling', () => {
  const get = (client: TestClient) => client.get('/f/a.js', { headers: { 'Accept-Encoding': 'br' } });

  it('is used from its creation until the file is newer, or it is deleted', async () => {
    const writeAt = (name: string, content: string, seconds: number) => {
      write(name, content);
      utimesSync(join(dir, name), seconds, seconds);
    };
    writeAt('a.js', 'plain', 1_000);
    const { client } = serve();
    expect((await get(client)).header('content-encoding')).toBeUndefined();
    // `gzip --keep` and similar tools copy the time of the file.
    writeAt('a.js.br', 'coded', 1_000);
    (await get(client)).assertHeader('content-encoding', 'br').assertText('coded');
    writeAt('a.js', 'newer', 1_001);
    const newer = await get(client);
    expect([newer.header('content-encoding'), newer.text()]).toEqual([undefined, 'newer']);
    writeAt('a.js.br', 'coded again', 1_002);
    (await get(client)).assertText('coded again');
    unlinkSync(join(dir, 'a.js.br'));
    (await get(client)).assertText('newer');
  });

  it('is not served if it is a link out of the directory', async () => {
    write('a.js', 'plain');
    writeFileSync(join(outer, 'secret'), 'secret');
    symlinkSync(join(outer, 'secret'), join(dir, 'a.js.br'));
    (await get(serve().client)).assertText('plain');
  });
});

describe('a path that is not a regular file', () => {
  it('is answered with 404, without waiting for its content', async () => {
    makePipe('pipe');
    const listener = createServer().listen(join(dir, 'socket'));
    await once(listener, 'listening');
    symlinkSync('/dev/zero', join(dir, 'zero'));
    const { client } = serve();
    for (const name of ['pipe', 'socket', 'zero']) (await client.get(`/f/${name}`)).assertStatus(404);
    listener.close();
  });

  it('is answered with 404 if it replaced a served file', async () => {
    write('a.txt', 'one');
    const { client } = serve();
    (await client.get('/f/a.txt')).assertText('one');
    unlinkSync(join(dir, 'a.txt'));
    makePipe('a.txt');
    (await client.get('/f/a.txt')).assertStatus(404);
  });
});

describe('cacheControl', () => {
  it('is called once for each version of a file', async () => {
    write('a.txt', 'one');
    const asked: string[] = [];
    const app = new App().serveStatic('/f', dir, {
      cacheControl: (path) => {
        asked.push(path);
        return `max-age=${asked.length}`;
      },
    });
    const client = new TestClient(app);
    await client.get('/f/a.txt');
    (await client.get('/f/a.txt')).assertHeader('cache-control', 'max-age=1');
    write('a.txt', 'two');
    (await client.get('/f/a.txt')).assertHeader('cache-control', 'max-age=2');
    expect(asked).toEqual(['a.txt', 'a.txt']);
  });

  it('that is asynchronous is a 500, and its rejection does not end the process', async () => {
    write('a.txt', 'one');
    write('index.html', 'page');
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    const options = { cacheControl: (() => Promise.reject(new Error('late'))) as never };
    const app = new App().serveStatic('/f', dir, options).serveSpa(dir, 'index.html', options);
    for (const path of ['/f/a.txt', '/page']) {
      const headers = { Accept: 'text/html' };
      expect((await app.fetch(new Request(`http://x${path}`, { headers }))).status).toBe(500);
      expect(String(error.mock.calls.at(-1))).toContain('cacheControl of static files returned a promise');
    }
    const none = new App().serveStatic('/f', dir, { cacheControl: () => null as never });
    const response = await none.fetch(new Request('http://x/f/a.txt'));
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, null]);
  });

  it('that throws or returns an invalid value is a 500', async () => {
    write('a.txt', 'one');
    write('large.bin', new Uint8Array(400_000));
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = new App().serveStatic('/f', dir, { cacheControl: () => 'a\nb' });
    const client = new TestClient(app);
    for (const name of ['a.txt', 'large.bin']) (await client.get(`/f/${name}`)).assertStatus(500);
  });
});
