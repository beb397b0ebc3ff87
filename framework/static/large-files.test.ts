import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import type { RunningServer } from '../runtime/node/listen.js';
import { TestClient } from '../testing/index.js';

const SIZE = 8_000_000;

let dir: string;
let file: string;
let server: RunningServer | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fw-large-'));
  file = join(dir, 'large.bin');
  writeFileSync(file, Buffer.alloc(SIZE, 'a'));
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(dir, { recursive: true, force: true });
});

/** The head of a response whose body is not read yet, so that all buffers on the way fill up. */
async function begin(app: App = new App().serveStatic('/', dir)): Promise<IncomingMessage> {
  server = await app.listen(0);
  const [answer] = (await once(
    get({ host: '127.0.0.1', port: server.port, path: '/large.bin', agent: false }),
    'response',
  )) as [IncomingMessage];
  answer.pause();
  return answer;
}

async function readAll(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The descriptors of this process for the file, even if it was renamed. */
function openDescriptors(): number {
  const open = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // The descriptor of the listing itself, which is already closed.
      return '';
    }
  });
  return open.filter((path) => path.startsWith(dir)).length;
}

const allClosed = () => vi.waitFor(() => expect(openDescriptors()).toBe(0));

describe('a large file', () => {
  it('is sent as it was at the request, even if it is replaced meanwhile', async () => {
    const answer = await begin();
    writeFileSync(join(dir, 'next'), 'other');
    renameSync(join(dir, 'next'), file);
    expect((await readAll(answer)).equals(Buffer.alloc(SIZE, 'a'))).toBe(true);
    await allClosed();
  });

  it('that grows meanwhile is sent up to its Content-Length', async () => {
    const answer = await begin();
    appendFileSync(file, Buffer.alloc(1_000_000, 'b'));
    expect(answer.headers['content-length']).toBe(String(SIZE));
    expect((await readAll(answer)).equals(Buffer.alloc(SIZE, 'a'))).toBe(true);
  });

  it('that shrinks meanwhile closes the connection', async () => {
    const failure = vi.spyOn(console, 'error').mockImplementation(() => {});
    const answer = await begin();
    truncateSync(file, 1_000);
    await expect(readAll(answer)).rejects.toThrow('aborted');
    await allClosed();
    failure.mockRestore();
  });

  it('is closed when the client leaves', async () => {
    const answer = await begin();
    expect(openDescriptors()).toBe(1);
    answer.destroy();
    await allClosed();
  });

  it('is not kept open by responses without its content', async () => {
    const client = new TestClient(new App().serveStatic('/', dir));
    const { headers } = await client.head('/large.bin');
    const sent: Record<string, string>[] = [
      { 'If-None-Match': headers.get('etag') ?? '' },
      { 'If-Match': '"x"' },
      { Range: `bytes=${SIZE}-` },
    ];
    const statuses = [];
    for (const one of sent) statuses.push((await client.get('/large.bin', { headers: one })).status);
    expect(statuses).toEqual([304, 412, 416]);
    await allClosed();
  });

  it('is closed if a precompressed sibling is sent instead', async () => {
    writeFileSync(`${file}.br`, 'coded');
    const client = new TestClient(new App().serveStatic('/', dir));
    const answer = await client.get('/large.bin', { headers: { 'Accept-Encoding': 'br' } });
    answer.assertText('coded');
    await allClosed();
  });

  it.each(['br', 'gzip'])('is closed if its %s sibling is large and older', async (coding) => {
    const sibling = `${file}.${coding === 'gzip' ? 'gz' : coding}`;
    writeFileSync(sibling, Buffer.alloc(300_000, 'c'));
    utimesSync(sibling, 1_000, 1_000);
    const client = new TestClient(new App().serveStatic('/', dir));
    for (let count = 0; count < 3; count += 1) {
      const answer = await client.get('/large.bin', { headers: { 'Accept-Encoding': coding } });
      expect([answer.header('content-encoding'), answer.bytes.length]).toEqual([undefined, SIZE]);
    }
    await allClosed();
  });

  it('is closed if it is outside of the directory', async () => {
    const served = join(dir, 'public');
    mkdirSync(served);
    symlinkSync(file, join(served, 'link.bin'));
    symlinkSync(dir, join(served, 'folder'));
    const client = new TestClient(new App().serveStatic('/', served));
    for (const path of ['/link.bin', '/folder/large.bin']) (await client.get(path)).assertStatus(404);
    await allClosed();
  });

  it('is closed if cacheControl throws', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
    const cacheControl = () => {
      throw new Error('no such policy');
    };
    const client = new TestClient(new App().serveStatic('/', dir, { cacheControl }));
    (await client.get('/large.bin')).assertStatus(500);
    (await client.get('/large.bin', { headers: { 'Accept-Encoding': 'br' } })).assertStatus(500);
    reported.mockRestore();
    await allClosed();
  });

  it('that is replaced between stat and open is opened again, and no descriptor stays open', async () => {
    const look = realpathSync.native;
    const swapped = vi.spyOn(realpathSync, 'native').mockImplementation(((path: string) => {
      if (path === file && swapped.mock.calls.length <= 4) {
        writeFileSync(join(dir, 'next'), Buffer.alloc(SIZE, String(swapped.mock.calls.length)));
        renameSync(join(dir, 'next'), file);
      }
      return look(path);
    }) as typeof look);
    try {
      const answer = await new TestClient(new App().serveStatic('/', dir)).get('/large.bin');
      const bytes = answer.assertStatus(200).bytes;
      // The file that the path named at stat, which is not the file that was opened first.
      expect(String.fromCharCode(bytes[0] as number)).toBe('4');
    } finally {
      swapped.mockRestore();
    }
    await allClosed();
  });

  it('that is replaced at every attempt is answered with 404', async () => {
    const look = realpathSync.native;
    const swapped = vi.spyOn(realpathSync, 'native').mockImplementation(((path: string) => {
      if (path === file) {
        writeFileSync(join(dir, 'next'), Buffer.alloc(SIZE));
        renameSync(join(dir, 'next'), file);
      }
      return look(path);
    }) as typeof look);
    try {
      (await new TestClient(new App().serveStatic('/', dir)).get('/large.bin')).assertStatus(404);
    } finally {
      swapped.mockRestore();
    }
    await allClosed();
  });

  it('is closed when a fetch client cancels, even before it read a chunk', async () => {
    const app = new App().serveStatic('/', dir);
    const ask = async () => (await app.fetch(new Request('http://x/large.bin'))).body?.getReader();
    const unread = await ask();
    await unread?.cancel();
    const begun = await ask();
    expect((await begun?.read())?.value?.[0]).toBe(97);
    await begun?.cancel();
    await allClosed();
  });

  it('is closed after the last byte of its range', async () => {
    const client = new TestClient(new App().serveStatic('/', dir));
    const answer = await client.get('/large.bin', { headers: { Range: 'bytes=-300000' } });
    answer.assertStatus(206).assertHeader('content-range', `bytes ${SIZE - 300_000}-${SIZE - 1}/${SIZE}`);
    expect(answer.bytes.length).toBe(300_000);
    await allClosed();
  });

  it('is closed if middleware returns another response', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const app = new App()
      .use(async (ctx, next) => {
        await next();
        return ctx.text('other');
      })
      .serveStatic('/', dir);
    (await new TestClient(app).get('/large.bin')).assertText('other');
    await vi.waitFor(() => {
      collectGarbage();
      expect(openDescriptors()).toBe(0);
    });
  });
});
