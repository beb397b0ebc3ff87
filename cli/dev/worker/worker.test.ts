// The worker as a process, as the supervisor starts it: its channel, the app in it, and how it ends.
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { FromWorker, ToWorker } from '../../process/messages.js';
import { makeProject, readAll, workerFile } from '../trial-app.js';

let root = '';
let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
  if (root !== '') rmSync(root, { recursive: true, force: true });
});

interface Running {
  readonly child: ChildProcess;
  readonly messages: FromWorker[];
  output(): string;
  send(message: ToWorker): void;
  /** The exit code, or the signal. */
  readonly ended: Promise<number | string | null>;
}

/** Starts an app with this code, in a process that may have prepared itself in advance. */
async function boot(code: string, { prepared = false, replacing = false } = {}): Promise<Running> {
  root = makeProject({ 'src/main.ts': '', 'app.mjs': code, 'tmp/kept': '' });
  const env = { ...process.env, TMPDIR: join(root, 'tmp') };
  const started = fork(await workerFile(), { cwd: root, silent: true, env });
  child = started;
  const messages: FromWorker[] = [];
  let output = '';
  started.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  started.on('message', (message) => messages.push(message as FromWorker));
  const send = (message: ToWorker) => void started.send(message);
  const ended = once(started, 'exit').then(([exit, signal]) => exit ?? signal);
  const config = {
    bundle: join(root, 'app.mjs'),
    entry: join(root, 'src/main.ts'),
    address: { address: '127.0.0.1', port: 1, family: 'IPv4' },
    allowedHosts: [],
  };
  if (prepared) send({ fw: 'prepare', ...config });
  send({ fw: 'boot', ...config, packages: [], replacing });
  return { child: started, messages, output: () => output, send, ended };
}

/** Temporary files that it has left. */
const left = (): string[] => readdirSync(join(root, 'tmp')).filter((name) => name !== 'kept');

const listens = "import http from 'node:http'; http.createServer(() => {}).listen(1);";

describe('a worker', () => {
  it('reports why it ends although that is more than its channel takes at once', async () => {
    const { ended, messages } = await boot("throw new Error('x'.repeat(3_000_000));");
    expect(await ended).toBe(1);
    const error = messages.find(({ fw }) => fw === 'error');
    expect(JSON.stringify(error).length).toBeGreaterThan(3_000_000);
  });

  it('without a channel prints an error and exits with 2', async () => {
    const file = await workerFile();
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [file], (error, _stdout, stderr) => resolve({ code: error?.code, stderr }));
    });
    expect(stderr).toBe('error: this file is started by `fw dev`\n');
    expect(code).toBe(2);
  });

  it('runs the app as a plain process, named after its source', async () => {
    const { output } = await boot(`console.log(typeof process.send, process.argv[1]); ${listens}`);
    await expect.poll(output).toBe(`undefined ${join(root, 'src/main.ts')}\n`);
  });

  it.each([false, true])(
    'prepares itself once, whether or not it was told to in advance: %s',
    async (prepared) => {
      const exits = "console.log(process.listenerCount('exit'), process.argv[1]);";
      const { messages, output } = await boot(`${exits} ${listens}`, { prepared });
      await expect.poll(() => messages).toEqual([{ fw: 'ready', port: 1 }]);
      await expect.poll(output).toBe(`1 ${join(root, 'src/main.ts')}\n`);
    },
  );

  /** An app with another port, which somebody else has. */
  async function bootBeside(replacing: boolean): Promise<Running & { older: net.Server; port: number }> {
    const older = net.createServer().listen(0, '127.0.0.1');
    await once(older, 'listening');
    const { port } = older.address() as AddressInfo;
    const running = await boot(
      `import http from 'node:http';
      const other = http.createServer((_, response) => response.end('new')).on('error', ({ code }) => console.log(code));
      ${listens.replace(/^.*?;/, '')}
      other.listen(${port}, '127.0.0.1', () => console.log('opened'));`,
      { prepared: true, replacing },
    );
    await expect.poll(() => running.messages).toEqual([{ fw: 'ready', port: 1 }]);
    return { ...running, older, port };
  }

  it('hears of another port that is in use', async () => {
    const { output, older } = await bootBeside(false);
    await expect.poll(output).toBe('EADDRINUSE\n');
    older.close();
  });

  it('gets another port when the process that it replaces has closed it', async () => {
    const { output, older, port, send } = await bootBeside(true);
    await expect.poll(output).toBe('opened\n');
    send({ fw: 'current' });
    const isNew = async (): Promise<boolean> => {
      const socket = net.connect(port, '127.0.0.1');
      socket.write('GET / HTTP/1.0\r\nHost: localhost\r\n\r\n');
      return (await readAll(socket)).endsWith('new');
    };
    older.on('connection', (socket) => socket.destroy());
    expect(await isNew().catch(() => false)).toBe(false);
    await new Promise((closed) => older.close(closed));
    await expect.poll(isNew).toBe(true);
    expect(output()).toBe('opened\n');
  });

  it('hears that another port is in use when no process is left that it replaces', async () => {
    const { output, older, send } = await bootBeside(true);
    send({ fw: 'current' });
    send({ fw: 'alone' });
    await expect.poll(output).toBe('opened\nEADDRINUSE\n');
    older.close();
  });

  it('leaves no file if the app fails right after it has begun to listen', async () => {
    const { messages, ended } = await boot(`${listens} throw new Error('after listen');`);
    expect(await ended).toBe(1);
    expect(messages.map(({ fw }) => fw)).toEqual(['error']);
    expect(left()).toEqual([]);
  });

  // On Windows it listens on a pipe, which is not a file.
  it.skipIf(process.platform === 'win32')(
    'listens, and leaves no file, where a killed process with the same id has left its own',
    async () => {
      const { messages } = await boot(
        `import { writeFileSync } from 'node:fs';
      import { tmpdir } from 'node:os';
      for (const count of [0, 1, 2]) writeFileSync(\`\${tmpdir()}/fw-dev-\${process.pid}-\${count}.sock\`, '');
      ${listens}`,
      );
      await expect.poll(() => messages).toEqual([{ fw: 'ready', port: 1 }]);
      expect(left()).toHaveLength(3);
    },
  );

  it('reports when the app listens, and ends immediately if the app handles no signal', async () => {
    const { messages, send, ended } = await boot(`${listens} setInterval(() => {}, 1000);`);
    await expect.poll(() => messages).toContainEqual({ fw: 'ready', port: 1 });
    send({ fw: 'stop' } as ToWorker);
    expect(await ended).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT'])('lets the app close its resources on %s', async (signal) => {
    const { messages, output, send, ended } = await boot(
      `process.on('${signal}', (name) => { setTimeout(() => { console.log('closed by', name); process.exit(7); }, 20); }); ${listens}`,
    );
    await expect.poll(() => messages).toContainEqual({ fw: 'ready', port: 1 });
    send({ fw: 'stop' } as ToWorker);
    expect(await ended).toBe(7);
    await expect.poll(output).toBe(`closed by ${signal}\n`);
  });

  it('ends an app that never closes its resources', async () => {
    const { messages, send, ended } = await boot(
      `process.on('SIGTERM', () => setInterval(() => {}, 1000)); ${listens}`,
    );
    await expect.poll(() => messages).toContainEqual({ fw: 'ready', port: 1 });
    send({ fw: 'stop' } as ToWorker);
    expect(await ended).toBe(0);
  });

  it('drains before it ends', async () => {
    const { messages, send, ended } = await boot(listens);
    await expect.poll(() => messages).toContainEqual({ fw: 'ready', port: 1 });
    send({ fw: 'drain' } as ToWorker);
    expect(await ended).toBe(0);
    expect(messages).toContainEqual({ fw: 'draining' });
  });

  it.each([
    ['at its start', "throw new TypeError('no database');"],
    ['later', "setImmediate(() => { throw new TypeError('no database'); });"],
    ['in a promise', "void Promise.reject(new TypeError('no database')); setInterval(() => {}, 1000);"],
  ])('reports an error that an app threw %s, and exits with 1', async (_when, code) => {
    const { messages, ended } = await boot(code);
    expect(await ended).toBe(1);
    expect(messages).toContainEqual({
      fw: 'error',
      error: expect.objectContaining({ title: 'TypeError: no database' }),
    });
  });

  it('leaves errors to an app that handles them itself', async () => {
    const { messages, output, ended } = await boot(
      "process.on('uncaughtException', (error) => { console.log(error.message); process.exit(5); }); setImmediate(() => { throw new Error('mine'); });",
    );
    expect(await ended).toBe(5);
    await expect.poll(output).toBe('mine\n');
    expect(messages.map(({ fw }) => fw)).not.toContain('error');
  });

  it('ends with the supervisor, but not by Ctrl+C', async () => {
    const { child: worker, messages, ended } = await boot(listens);
    await expect.poll(() => messages).toContainEqual({ fw: 'ready', port: 1 });
    // On Windows, a signal ends a process at once.
    if (process.platform !== 'win32') worker.kill('SIGINT');
    worker.disconnect();
    expect(await ended).toBe(0);
  });
});
