// Editing with `fw dev`: the packed package, a scaffolded app, and everything that can go wrong.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { exchange, startLoad } from './dev-load.js';
import { allGone, type DevSession, save, startDev } from './dev-session.js';
import { scaffold } from './packed.js';

let app: string;
let main: string;
let version: string;
let entry: string;
let session: DevSession | undefined;

const versionFile = (n: number): string => `export const version: number = ${n};\n`;

beforeAll(async () => {
  app = await scaffold();
  main = join(app, 'src/main.ts');
  version = join(app, 'src/version.ts');
  writeFileSync(version, versionFile(1));
  // The routes that the load test requests, besides those of the template.
  const source = readFileSync(join(app, 'src/app.ts'), 'utf8').replace(/^app\.get\('\/', .*$/m, '');
  writeFileSync(
    join(app, 'src/app.ts'),
    `import { appendFileSync } from 'node:fs';\nimport { setTimeout as delay } from 'node:timers/promises';\nimport { websocket } from 'fw/websocket';\nimport { version } from './version.ts';\n${source}
app.websocket('/socket', websocket({
  onMessage: (socket, message) => void socket.send(\`\${message} \${version}\`),
  onClose: (_socket, code, reason) => appendFileSync('closed.log', \`\${version}: \${code} \${reason}\\n\`),
}));
app.get('/', () => ({ version }));
app.post('/echo', async (ctx) => ({ version, size: (await ctx.req.text()).length }));
app.get('/slow', async () => {
  await delay(300);
  return { version };
});
app.get('/env', () => ({ word: process.env.FW_E2E ?? 'none' }));
app.get('/crash', () => {
  setTimeout(() => {
    throw new Error('crashed later');
  }, 1);
  return { version };
});
`,
  );
  entry = readFileSync(main, 'utf8');
});

afterEach(async () => {
  if (session?.child.exitCode === null) await session.end('SIGKILL');
  session = undefined;
  writeFileSync(main, entry);
  rmSync(join(app, '.env'), { force: true });
});

describe('fw dev', () => {
  it('answers every request during 50 edits, and none with old code', async () => {
    save(await start(), version, versionFile(1));
    const { port, descendants } = current();
    const load = startLoad(port, 150);
    await load.answeredBy(1);
    for (let n = 2; n <= 51; n += 1) {
      writeFileSync(version, versionFile(n));
      await load.answeredBy(n);
      await pause(120 + (n % 7) * 20);
    }
    const { answered, failed, stale } = await load.stop();
    expect(failed).toEqual([]);
    expect(stale).toEqual([]);
    expect(answered).toBeGreaterThan(400);
    // esbuild, the live worker and a spare one; no others after the last old worker has drained.
    await expect.poll(() => descendants().length, { timeout: 60_000 }).toBeLessThanOrEqual(3);
  });

  it('closes WebSockets with 1012, which onClose of the old code gets, and connects new ones to new code', async () => {
    const { port } = await start();
    const connect = async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`);
      await once(socket, 'open');
      const ask = async () => {
        socket.send('version');
        return String((await once(socket, 'message'))[0]);
      };
      return { socket, ask };
    };
    const [before, idle] = await Promise.all([connect(), connect()]);
    const number = Number((await before.ask()).replace('version ', ''));
    const closed = Promise.all([before, idle].map(({ socket }) => once(socket, 'close')));
    writeFileSync(version, versionFile(number + 1));
    for (const [code] of await closed) expect(code).toBe(1012);
    const after = await connect();
    expect(await after.ask()).toBe(`version ${number + 1}`);
    after.socket.close(4000, 'done');
    // Two processes write, each when it is its turn.
    const log = () => readFileSync(join(app, 'closed.log'), 'utf8').split('\n').filter(Boolean).sort();
    const line = `${number}: 1012 `;
    await vi.waitFor(() => expect(log()).toEqual([line, line, `${number + 1}: 4000 done`].sort()), 60_000);
  });

  it('shows a syntax error and keeps answering, then applies the fix', async () => {
    const { port, says, printed } = await start();
    const from = save(current(), version, 'export const version: number = ;\n');
    await says(/build failed: 1 error[\s\S]*src\/version\.ts:1:32\n {2}> 1 │/, from);
    expect((await exchange(port, '/')).version).toBeGreaterThan(0);
    const fixed = save(current(), version, versionFile(100));
    await says(/ready in/, fixed);
    expect((await exchange(port, '/')).version).toBe(100);
    expect(printed().slice(fixed)).not.toContain('failed');
  });

  it('shows an error at the start with its source line and keeps answering, then applies the fix', async () => {
    const { port, says } = await start();
    const from = save(current(), main, `type Nothing = never;\nthrow new Error('no database');\n${entry}`);
    await says(/failed to start[\s\S]*Error: no database\n {2}src\/main\.ts:2:7/, from);
    expect((await exchange(port, '/')).version).toBeGreaterThan(0);
    const fixed = save(current(), main, entry);
    await says(/ready in/, fixed);
  });

  it('answers with a 503 and the error if no version has started', async () => {
    writeFileSync(main, 'import "./nowhere.ts";\n');
    const { port, says } = await start();
    expect(await status(port)).toEqual([503, expect.stringContaining('Could not resolve "./nowhere.ts"')]);
    expect(await status(port, 'evil.test')).toEqual([403, expect.stringContaining('evil.test')]);
    const fixed = save(current(), main, entry);
    await says(/ready in/, fixed);
    expect((await status(port))[0]).toBe(200);
  });

  it('prints a crash with its source line and restarts the app', async () => {
    const { port, says, printed } = await start();
    await pause(1100);
    const from = printed().length;
    await exchange(port, '/crash');
    await says(
      /the app crashed[\s\S]*Error: crashed later\n {2}src\/app\.ts:\d+:\d+[\s\S]*restarted · /,
      from,
    );
    expect((await exchange(port, '/')).version).toBeGreaterThan(0);
  });

  it('refuses foreign host names unless they are allowed', async () => {
    const { port } = await start(['--allowed-host', 'shop.test']);
    expect(await status(port, 'evil.test')).toEqual([
      403,
      expect.stringContaining('--allowed-host evil.test'),
    ]);
    expect((await status(port, `shop.test:${port}`))[0]).toBe(200);
    expect((await status(port, 'localhost'))[0]).toBe(200);
  });

  it('applies a new .env', async () => {
    const { port, says } = await start();
    const word = async () => (await fetch(`http://127.0.0.1:${port}/env`)).json();
    expect(await word()).toEqual({ word: 'none' });
    const from = save(current(), join(app, '.env'), 'FW_E2E=seen\n');
    await says(/\.env changed · .*ready in/, from);
    expect(await word()).toEqual({ word: 'seen' });
  });

  it('reports type errors after the cycle, and when they are fixed', async () => {
    const { says } = await start();
    const wrong = save(current(), version, "export const version: number = 'text';\n");
    await says(/types: 1 error[\s\S]*TS2322[\s\S]*src\/version\.ts:1:14/, wrong);
    const right = save(current(), version, versionFile(101));
    await says(/types: no errors/, right);
  });

  it('names the process that uses the port and exits 1', async () => {
    const { port, child } = await start();
    const binary = join(app, 'node_modules/fw/dist/cli/main.js');
    const [code, stderr] = await new Promise<[unknown, string]>((resolve) => {
      execFile(process.execPath, [binary, 'dev', '--port', String(port)], { cwd: app }, (error, _, text) =>
        resolve([error?.code, text]),
      );
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^error: port ${port} is in use by \\S+ \\(pid ${child.pid}\\)\\nhelp: stop the process that uses it, or run: fw dev --port \\d+\\n$`,
      ),
    );
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 0],
    ['SIGKILL', null],
  ] as const)('ends by %s with exit code %s, and leaves no process', async (signal, expected) => {
    const { descendants, end } = await start();
    const pids = descendants();
    expect(pids.length).toBeGreaterThan(process.platform === 'linux' ? 1 : -1);
    expect((await end(signal)).code).toBe(expected);
    await allGone(pids);
  });
});

async function start(args: string[] = []): Promise<DevSession> {
  session = await startDev({ app, args });
  return session;
}

function current(): DevSession {
  if (!session) throw new Error('no session');
  return session;
}

function status(port: number, host = 'localhost'): Promise<[number | undefined, string]> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path: '/', headers: { Host: host } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve([response.statusCode, text]));
    });
    request.on('error', reject);
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
