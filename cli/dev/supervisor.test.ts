// The cycle from a client's point of view: no request is lost, no old code answers, and a failure keeps the last server.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pathIn } from '../../framework/files/absolute-path.js';
import { Bundler } from '../bundle/bundler.js';
import { WorkerProcess } from '../process/worker-process.js';
import { readAll, startTrialApp, type TrialApp } from './trial-app.js';

let app: TrialApp | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await app?.close();
  app = undefined;
});

const server = (answer: string, more = ''): string => `
import http from 'node:http';
${more}
http.createServer((request, response) => { ${answer} }).listen(4567);
`;

describe('a cycle', () => {
  it('starts new code, closes every connection, and reports the port that is really open', async () => {
    const main = (word: string) => `
      import http from 'node:http';
      const server = http.createServer((request, response) => {
        response.setHeader('Connection', 'keep-alive');
        response.end(JSON.stringify(['${word}', server.address().port, process.argv[1], process.env.PORT]));
      });
      server.listen({ port: 8080, host: '0.0.0.0' });`;
    app = await startTrialApp({ 'src/main.ts': main('old') });
    const first = await app.get('/');
    expect(JSON.parse(first.text)).toEqual([
      'old',
      app.port,
      join(app.root, 'src/main.ts'),
      String(app.port),
    ]);
    expect(first.headers.connection).toBe('close');
    await app.save('src/main.ts', main('new'));
    expect(JSON.parse((await app.get('/')).text)[0]).toBe('new');
    expect(app.printed()).toMatch(/src\/main\.ts changed · build \d+ ms · boot \d+ ms · ready in \d+ ms/);
  });

  it('begins the build at the first sign of a change, and serves it when the change is complete', async () => {
    app = await startTrialApp({ 'src/main.ts': server("response.end('old');") });
    const { root, supervisor } = app;
    const file = app.write('src/main.ts', server("response.end('new');"));
    supervisor.expectChange(file);
    await expect.poll(() => existsSync(join(root, 'node_modules/.fw/app.2.mjs'))).toBe(true);
    const began = performance.now();
    supervisor.change({ what: 'main.ts', files: [file], rebuild: true, environment: false, began });
    await supervisor.idle();
    expect((await app.get('/')).text).toBe('new');
    expect(existsSync(join(root, 'node_modules/.fw/app.3.mjs'))).toBe(false);
  });

  it('answers nothing before the old process has confirmed that it takes no further request', async () => {
    app = await startTrialApp({ 'src/main.ts': server("response.end('old');") });
    const steps: string[] = [];
    const retire = WorkerProcess.prototype.retire;
    vi.spyOn(WorkerProcess.prototype, 'retire').mockImplementation(async function slowly(
      this: WorkerProcess,
    ) {
      await retire.call(this);
      await delay(150);
      steps.push('retired');
    });
    const saved = app.save('src/main.ts', server("response.end('new');"));
    steps.push((await app.get('/')).text);
    await saved;
    expect(steps).toEqual(['retired', 'new']);
  });

  it('lets the old code finish its requests', async () => {
    const main = (word: string) =>
      server(`setTimeout(() => response.end('${word}'), request.url === '/slow' ? 150 : 0);`);
    app = await startTrialApp({ 'src/main.ts': main('old') });
    const socket = await app.connect();
    const slow = readAll(socket);
    socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect((await app.get('/')).text).toBe('old');
    await app.save('src/main.ts', main('new'));
    expect((await app.get('/')).text).toBe('new');
    expect(await slow).toMatch(/old$/);
  });

  it('passes connections without a request to the new code', async () => {
    app = await startTrialApp({ 'src/main.ts': server("response.end('old');") });
    const sockets = await Promise.all(Array.from({ length: 20 }, app.connect));
    expect((await app.get('/')).text).toBe('old');
    await app.save('src/main.ts', server("response.end('new');"));
    const answers = sockets.map(readAll);
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/new$/);
  });

  it('ends event streams so that clients reconnect immediately, and WebSockets with 1012', async () => {
    const main = `
      import http from 'node:http';
      const server = http.createServer((request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\\n\\n');
      });
      server.on('upgrade', (request, socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n\\r\\n');
        socket.on('end', () => socket.end()).resume();
      });
      server.listen(4567);`;
    app = await startTrialApp({ 'src/main.ts': main });
    const events = await app.connect();
    const webSocket = await app.connect();
    const received = [readAll(events), readAll(webSocket)];
    const begun = [events, webSocket].map((socket) => new Promise((done) => socket.once('data', done)));
    events.write('GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n');
    webSocket.write('GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    await Promise.all(begun);
    await app.save('src/main.ts', `${main}\n`);
    const [stream, frames] = await Promise.all(received);
    expect(stream).toContain('retry: 100\n\n');
    expect(frames?.endsWith('\x88\x02\x03\xf4')).toBe(true);
  });

  it('handles one of several changes at a time, and ends with the last', async () => {
    app = await startTrialApp({ 'src/main.ts': server("response.end('0');") });
    const saves = [1, 2, 3, 4, 5].map((n) => app?.save('src/main.ts', server(`response.end('${n}');`)));
    await Promise.all(saves);
    expect((await app.get('/')).text).toBe('5');
  });

  it('has nothing to do for a test that the app does not import, and starts again for one that it does', async () => {
    app = await startTrialApp({
      'src/main.ts': server('response.end(text);', "import { text } from './shared.spec.ts';"),
      'src/shared.spec.ts': "export const text = 'shared';\n",
    });
    const { root, supervisor } = app;
    const isUpToDate = (...names: string[]) => supervisor.isUpToDate(names.map((name) => pathIn(root, name)));
    expect(isUpToDate('src/main.test.ts', 'src/deep/x.test-d.mts')).toBe(true);
    expect(isUpToDate('src/main.test.ts', 'src/shared.spec.ts')).toBe(false);
    expect(isUpToDate('src/latest.ts')).toBe(false);
  });

  it('preloads the packages of the app into the next process, except those with side effects', async () => {
    const pkg = (name: string, code: string) => ({
      [`node_modules/${name}/package.json`]: `{"name":"${name}","type":"module","exports":"./index.js"}`,
      [`node_modules/${name}/index.js`]: code,
    });
    const answer = `response.end(JSON.stringify([globalThis.early, globalThis.busy]));`;
    const imports = "import 'calm'; import 'acting'; globalThis.booted = true;";
    app = await startTrialApp({
      'src/main.ts': server(answer, imports),
      ...pkg(
        'calm',
        'globalThis.early = globalThis.booted === undefined && !process.argv[1].endsWith("main.ts");',
      ),
      ...pkg('acting', 'setInterval(() => {}, 1000); globalThis.busy = process.argv[1].endsWith("main.ts");'),
    });
    expect(JSON.parse((await app.get('/')).text)).toEqual([false, true]);
    let n = 0;
    const afterSave = async (): Promise<unknown> => {
      await app?.save('src/main.ts', server(answer, `${imports} // ${++n}`));
      return JSON.parse((await app?.get('/'))?.text ?? '');
    };
    // The first spare process had nothing to load; a later one has found out which package must not be loaded.
    await expect.poll(afterSave).toEqual([true, true]);
  });
});

describe('the next process', () => {
  const imports = "import 'counted';";
  const loaded = () => readFileSync(join(app?.root ?? '', 'loaded'), 'utf8').length;

  /** Starts an app whose package counts the processes that load it; one of two waits then. */
  async function startCounted(): Promise<void> {
    const prepared = vi.spyOn(WorkerProcess.prototype, 'prepare');
    const files = {
      'src/main.ts': server("response.end('0');", imports),
      'node_modules/counted/package.json': '{"name":"counted","type":"module","exports":"./index.js"}',
      'node_modules/counted/index.js': `import { appendFileSync } from 'node:fs';
        appendFileSync('loaded', '.');`,
    };
    app = await startTrialApp(files);
    await expect.poll(() => prepared.mock.calls.length).toBe(1);
    expect(loaded()).toBe(2);
  }

  async function save(n: number): Promise<void> {
    await app?.save('src/main.ts', server(`response.end('${n}');`, imports));
    expect((await app?.get('/'))?.text).toBe(String(n));
  }

  it('is not started while a change is at work', async () => {
    await startCounted();
    // The next process would be started during the build of the second change.
    const built = vi.spyOn(Bundler.prototype, 'build').mockImplementationOnce(async function (
      this: Bundler,
      files,
    ) {
      const atWork = loaded();
      await delay(800);
      expect(loaded()).toBe(atWork);
      built.mockRestore();
      return this.build(files);
    });
    await save(1);
    expect(vi.isMockFunction(Bundler.prototype.build)).toBe(false);
  });

  it('is started right after a change', async () => {
    await startCounted();
    await save(1);
    await expect.poll(loaded).toBe(3);
  });
});

/** Places are shown as the system spells them. */
const slashes = (text: string): string => text.replaceAll('\\', '/');

describe('a failure', () => {
  it('of the build keeps the last good server, shows places, and is over after the next save', async () => {
    app = await startTrialApp({ 'src/main.ts': server("response.end('good');") });
    await app.save('src/main.ts', 'const x = ;\nconst y = };\n');
    expect((await app.get('/')).text).toBe('good');
    expect(app.printed()).toContain('build failed: 1 error');
    expect(slashes(app.printed())).toContain(
      '  src/main.ts:1:11\n  > 1 │ const x = ;\n      │           ^\n',
    );
    await app.save('src/main.ts', server("response.end('fixed');"));
    expect((await app.get('/')).text).toBe('fixed');
  });

  it('of the very first build is answered with a 503 in plain text that shows it', async () => {
    app = await startTrialApp({ 'src/main.ts': "import './missing.js';\n" });
    const { status, headers, text } = await app.get('/');
    expect(status).toBe(503);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toContain('Could not resolve "./missing.js"');
    expect(slashes(text)).toContain('src/main.ts:1:8');
    await app.save('src/main.ts', server("response.end('fixed');"));
    expect((await app.get('/')).text).toBe('fixed');
  });

  it.each([
    ['build', "import './none.js';", "import './there.js';"],
    ['boot', "throw new Error('half');", ''],
  ])('of the %s is not reported if the other files of a checkout fix it', async (_what, half, whole) => {
    const files = { 'src/a.ts': '', 'src/b.ts': '', 'src/there.ts': '' };
    const main = server("response.end('whole');", "import './a.js'; import './b.js';");
    app = await startTrialApp({ ...files, 'src/main.ts': main }, ({ files }) => {
      // The second half of the files comes while the first one fails.
      if (files.length === 3) setTimeout(() => void app?.save('src/b.ts', whole), 100);
      return undefined;
    });
    const changed = [app.write('src/a.ts', '// a'), app.write('src/b.ts', half)];
    await app.save('src/main.ts', `${main}// new`, { files: [...changed, pathIn(app.root, 'src/main.ts')] });
    expect((await app.get('/')).text).toBe('whole');
    expect(app.printed()).not.toContain('failed');
  });

  it('at the start is shown with its place in the source, and keeps the last good server', async () => {
    app = await startTrialApp({ 'src/main.ts': server("response.end('good');"), 'src/part.ts': '' });
    app.write('src/part.ts', 'interface Gone {}\nthrow new Error("no database");\n');
    await app.save('src/main.ts', server("response.end('bad');", "import './part.js';"));
    expect((await app.get('/')).text).toBe('good');
    expect(slashes(app.printed())).toContain('Error: no database\n  src/part.ts:2:7\n');
  });

  it('to call listen is reported with the way the app ended', async () => {
    app = await startTrialApp({ 'src/main.ts': 'console.error;\n' });
    expect(slashes((await app.get('/')).text)).toContain(
      'src/main.ts ended without calling listen; start the server in it: await app.listen(',
    );
    await app.save('src/main.ts', 'await new Promise(() => {});\n');
    expect((await app.get('/')).text).toContain('waits for a promise that nothing settles');
    await app.save('src/main.ts', 'process.exit(0);\n');
    expect(slashes((await app.get('/')).text)).toContain('src/main.ts ended without calling listen');
    await app.save('src/main.ts', 'process.exit(3);\n');
    expect(slashes((await app.get('/')).text)).toContain(
      'src/main.ts exited with code 3 before it called listen',
    );
  });

  it('right after the start is answered with a 503 with the source-mapped stack until the next save', async () => {
    const crash = server(
      "response.end('x');",
      "type A = 1;\nfunction later() { throw new Error('late'); }\nsetTimeout(later, 30);",
    );
    app = await startTrialApp({ 'src/main.ts': crash });
    await app.supervisor.live?.exited;
    const { status, text } = await app.get('/');
    expect(status).toBe(503);
    expect(text).toContain('Error: late');
    expect(slashes(text)).toMatch(/at Timeout\.later.*src\/main\.ts:4:26/);
    await app.save('src/main.ts', server("response.end('fixed');"));
    expect((await app.get('/')).text).toBe('fixed');
  });

  it('of a worker that ran for a while starts it again', async () => {
    const main = server("if (request.url === '/kill') process.exit(7); response.end('up');");
    app = await startTrialApp({ 'src/main.ts': main }, undefined, { soundAfter: 0 });
    const worker = app.supervisor.live;
    await expect(app.get('/kill')).rejects.toThrow();
    await worker?.exited;
    expect((await app.get('/')).text).toBe('up');
    expect(app.printed()).toContain('the app exited with code 7');
  });
});

describe('a foreign Host', () => {
  it('is refused before the app sees the request, also for upgrades and without a worker', async () => {
    app = await startTrialApp({
      'src/main.ts': `
        import http from 'node:http';
        const server = http.createServer((request, response) => response.end('secret'));
        server.on('upgrade', (request, socket) => socket.end('HTTP/1.1 101 secret\\r\\n\\r\\n'));
        server.listen(4567);`,
    });
    const refused = await app.get('/', { Host: 'evil.test' });
    expect([refused.status, refused.text]).toEqual([403, expect.not.stringContaining('secret')]);
    expect((await app.get('/', { Host: 'allowed.test:80' })).text).toBe('secret');
    expect((await app.get('/', { Host: 'x.localhost' })).text).toBe('secret');
    const socket = await app.connect();
    const answer = readAll(socket);
    socket.write('GET / HTTP/1.1\r\nHost: evil.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 403 /);
    await app.close();
    app = await startTrialApp({ 'src/main.ts': 'syntax error' });
    expect((await app.get('/', { Host: 'evil.test' })).status).toBe(403);
    expect((await app.get('/')).status).toBe(503);
  });
});

describe('the end', () => {
  it('leaves no process, and no bundle of a past cycle', async () => {
    app = await startTrialApp({ 'src/main.ts': server("response.end('1');") });
    await app.save('src/main.ts', server("response.end('2');"));
    expect(existsSync(join(app.root, 'node_modules/.fw/app.1.mjs'))).toBe(false);
    const worker = app.supervisor.live;
    await app.close();
    await worker?.exited;
    expect(worker?.alive).toBe(false);
  });
});
