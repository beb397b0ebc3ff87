// The page about the app while the app changes, fails, crashes or hangs.
import { afterEach, describe, expect, it } from 'vitest';
import { startTrialApp, type TrialApp } from '../trial-app.js';
import type { CycleEntry, LiveState, RequestDetail, RequestSummary } from './protocol.js';
import { ask, type Batch, events, send } from './trial-page.js';

let app: TrialApp;
afterEach(() => app.close());

const server = (body: string, above = ''): string => `
${above}
import http from 'node:http';
http.createServer((request, response) => { ${body} }).listen(4567);`;

async function json<Data>(path: string): Promise<Data> {
  return JSON.parse((await app.get(path)).text) as Data;
}

describe('a save', () => {
  const files = { 'src/main.ts': server("response.end('1');") };

  it('ends open streams of the page, which then get the new state, and does not keep the old code', async () => {
    app = await startTrialApp(files);
    const page = await events(app.port);
    const live = await events(app.port, '/_fw/live');
    const old = app.supervisor.live;
    await app.save('src/main.ts', server("response.end('2');"));
    await Promise.all([page.ended, live.ended]);
    expect(await old?.exited).toBe('exited with code 0');
    const again = await events(app.port);
    expect(await again.next('hello')).toMatchObject({ state: { phase: 'ready', generation: 2 } });
    // The new process records from its first request on.
    await app.get('/first');
    await again.next<Batch>('requests', ({ requests }) => requests[0]?.target === '/first');
    again.close();
  });

  it('does not wait for a request to the page whose body never comes', async () => {
    app = await startTrialApp(files);
    const socket = await app.connect();
    const closed = new Promise((done) => socket.once('close', done));
    const own = `Host: 127.0.0.1:${app.port}\r\nOrigin: http://127.0.0.1:${app.port}\r\n`;
    socket.write(
      `POST /_fw/send HTTP/1.1\r\n${own}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    // The worker has read the head by the time it has answered another one.
    await app.get('/');
    const old = app.supervisor.live;
    await app.save('src/main.ts', server("response.end('2');"));
    await Promise.all([closed, old?.exited]);
  });

  it('that cannot be built is told with its code, and fixed by the next', async () => {
    app = await startTrialApp(files);
    const live = await events(app.port, '/_fw/live');
    await live.next('state');
    await app.save('src/main.ts', 'const a = ;\n');
    const { failure } = await live.next<LiveState>('state', ({ phase }) => phase === 'failed');
    expect(failure).toMatchObject({
      title: 'build failed: 1 error',
      keepsServing: true,
      problems: [
        {
          text: 'Unexpected ";"',
          code: { place: { file: 'src/main.ts', line: 1, column: 11 }, lines: ['const a = ;'] },
        },
      ],
    });
    const done = app.save('src/main.ts', server("response.end('2');"));
    await Promise.all([done, live.ended]);
    const cycles = await json<CycleEntry[]>('/_fw/cycles');
    expect(cycles.map(({ kind, what }) => [kind, what])).toEqual([
      ['ready', 'started'],
      ['build-failed', 'src/main.ts changed'],
      ['ready', 'src/main.ts changed'],
    ]);
  });

  it('during a request that the page sends lets it end', async () => {
    // Answered when the test writes the file, which is after the save.
    const slow = "const watcher = watch('.', (_, name) => name === 'released' && answer());";
    const answer = "const answer = () => { watcher.close(); response.end('old'); };";
    app = await startTrialApp({
      'src/main.ts': server(
        `if (request.url === '/slow') { ${answer} ${slow} } else response.end();`,
        "import { watch } from 'node:fs';",
      ),
    });
    const sent = send(app.port, { method: 'GET', target: '/slow', headers: [] });
    await expect.poll(() => json<RequestSummary[]>('/_fw/requests')).toHaveLength(1);
    await app.save('src/main.ts', server("response.end('2');"));
    app.write('released', '');
    expect(await sent).toEqual({ status: 200, body: { id: 1 } });
    expect(await json<RequestDetail>('/_fw/requests/1')).toMatchObject({ responseBody: { text: 'old' } });
  });
});

describe('before the first good version', () => {
  it('the page is answered, browsers get a page with the script, and others plain text', async () => {
    app = await startTrialApp({ 'src/main.ts': 'const a = "<b>" ;;; syntax error' });
    const page = await events(app.port);
    expect(await page.next('hello')).toMatchObject({
      state: { phase: 'failed', failure: { keepsServing: false } },
    });
    const shown = await app.get('/', { accept: 'text/html,*/*' });
    expect([shown.status, shown.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(shown.text).toContain('<script type="module" src="/_fw/live.js"></script>');
    expect(shown.text).toContain('&lt;b&gt;');
    expect((await app.get('/')).headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(await json('/_fw/app')).toMatchObject({ isKnown: false, routes: [] });
    expect(await send(app.port, { method: 'GET', target: '/', headers: [] })).toMatchObject({
      status: 502,
      body: { message: expect.stringContaining('no version of the app') },
    });
    await app.save('src/main.ts', server("response.end('x');"));
    // The stream goes on: it is answered by fw dev itself.
    await page.next<LiveState>('state', ({ phase }) => phase === 'ready');
    page.close();
  });
});

describe('a worker', () => {
  it('that crashes leaves the request that crashed it, with the error', async () => {
    app = await startTrialApp(
      { 'src/main.ts': server("if (request.url === '/crash') throw new Error('boom'); response.end();") },
      undefined,
      { soundAfter: 0 },
    );
    const page = await events(app.port);
    await expect(app.get('/crash')).rejects.toThrow();
    await app.supervisor.idle();
    await expect
      .poll(() => json<RequestSummary[]>('/_fw/requests'))
      .toMatchObject([{ target: '/crash', aborted: true }]);
    const { error } = await json<RequestDetail>('/_fw/requests/1');
    expect(error).toMatchObject({ title: 'Error: boom', code: { place: { file: 'src/main.ts', line: 4 } } });
    page.close();
  });

  it('that is killed leaves its requests as aborted', async () => {
    app = await startTrialApp({ 'src/main.ts': server('') });
    const page = await events(app.port);
    const left = app.get('/hangs');
    const { requests } = await page.next<Batch>('requests');
    expect(requests[0]).not.toHaveProperty('aborted');
    app.supervisor.live?.kill();
    await expect(left).rejects.toThrow();
    await expect
      .poll(() => json<RequestSummary[]>('/_fw/requests'))
      .toMatchObject([{ target: '/hangs', aborted: true }]);
  });

  it('in an endless loop does not hold the page up', async () => {
    app = await startTrialApp(
      { 'src/main.ts': server("if (request.url === '/loop') for (;;) {} response.end();") },
      undefined,
      { workbench: { sendLimit: 300, askLimit: 300 } },
    );
    // Through the pipe, because the worker passes nothing on any more.
    const { pipe: socketPath } = app.workbench.order;
    const headers = {
      'fw-owner': 'yes',
      origin: `http://127.0.0.1:${app.port}`,
      'content-type': 'application/json',
    };
    const order = { method: 'GET', target: '/loop', headers: [] };
    expect(await send(app.port, order, { socketPath }, headers)).toMatchObject({
      status: 504,
      body: { message: 'the app did not answer within 0.3 s' },
    });
    expect(
      await ask(app.port, { socketPath, path: '/_fw/app', headers: { 'fw-owner': 'yes' } }),
    ).toMatchObject({
      status: 504,
      body: { error: 'AppStuck' },
    });
  });
});
