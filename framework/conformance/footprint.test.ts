// What importing `fw` loads: only what it needs.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const framework = fileURLToPath(new URL('..', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'fw-footprint-'));

beforeAll(async () => {
  await build({
    entryPoints: [join(framework, 'index.ts')],
    outdir: dir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outExtension: { '.js': '.mjs' },
  });
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Failure {
  stdout: string;
  stderr: string;
  status: number | null;
  signal: string;
}

/** Runs a script next to the bundle and returns its output. */
function run(script: string): { stdout: string; stderr: string; code: number | string } {
  const file = join(dir, 'script.mjs');
  writeFileSync(file, script);
  try {
    return {
      stdout: execFileSync(process.execPath, [file], {
        encoding: 'utf8',
        stdio: 'pipe',
        timeout: 60_000,
        killSignal: 'SIGKILL',
      }),
      stderr: '',
      code: 0,
    };
  } catch (error) {
    const { stdout, stderr, status, signal } = error as Failure;
    return { stdout, stderr, code: status ?? signal };
  }
}

describe("import 'fw'", () => {
  it('loads no package, no node:http and no node:zlib', () => {
    const { stdout } = run(`
      const before = new Set(process.moduleLoadList);
      const since = () => process.moduleLoadList.filter((name) => !before.has(name));
      const { App } = await import('./index.mjs');
      const imported = since();
      const server = await new App().listen(0);
      console.log(JSON.stringify({ imported, listening: since() }));
      await server.close();
    `);
    const { imported, listening } = JSON.parse(stdout) as Record<string, string[]>;
    // It is in the list after listening, which shows that the list is complete.
    expect(listening).toContain('NativeModule http');
    for (const unwanted of ['http', 'https', 'net', 'zlib', 'crypto', 'worker_threads', 'child_process']) {
      expect(imported).not.toContain(`NativeModule ${unwanted}`);
    }
  });
});

describe('the first request', () => {
  it('does not load the fetch implementation of Node', () => {
    const { stdout } = run(`
      import { get } from 'node:http';
      import { App } from './index.mjs';
      const app = new App().use((ctx, next) => next()).get('/', () => ({ plain: 'value' }));
      const server = await app.listen(0);
      const loaded = () => process.moduleLoadList.some((name) => name.includes('undici'));
      // Newer versions of Node contain it in their start-up snapshot.
      const before = loaded();
      get({ host: '127.0.0.1', port: server.port, agent: false }, async (answer) => {
        for await (const chunk of answer) console.log(String(chunk));
        console.log(loaded() === before);
        void Response;
        console.log(loaded());
        await server.close();
      });
    `);
    expect(stdout).toBe('{"plain":"value"}\ntrue\ntrue\n');
  });
});

describe('an error at the start', () => {
  it('exits with 1 and a message without stack frames if it is not caught', () => {
    const { code, stderr } = run(`
      import { App, shutdownSignal } from './index.mjs';
      const { port } = await new App().listen(0);
      await new App().listenWithShutdown(port, shutdownSignal());
    `);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Error: cannot listen on 127\.0\.0\.1:\d+: the port is already in use; /);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('can be caught, and other errors keep their stack frames', () => {
    const { code, stdout, stderr } = run(`
      import { App } from './index.mjs';
      const first = await new App().listen(0);
      await new App().listen(first.port).catch((error) => console.log(error.code));
      setTimeout(() => { throw new Error('later'); }, 20);
    `);
    expect(stdout).toBe('EADDRINUSE\n');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: later\n    at ');
  });
});

describe('shutdownSignal', () => {
  it('shuts down a server cleanly', () => {
    const { code, stdout } = run(`
      import { App, shutdownSignal } from './index.mjs';
      setTimeout(() => process.kill(process.pid, 'SIGTERM'), 50);
      await new App().listenWithShutdown(0, shutdownSignal());
      console.log('drained');
    `);
    expect(stdout).toBe('drained\n');
    expect(code).toBe(0);
  });

  it('ends the process immediately at a second signal', () => {
    const { code } = run(`
      import { App, shutdownSignal } from './index.mjs';
      import { get } from 'node:http';
      import { createServer } from 'node:net';
      import { once } from 'node:events';
      const listener = createServer().listen(0, '127.0.0.1');
      await once(listener, 'listening');
      const app = new App().get('/', () => {
        process.kill(process.pid, 'SIGTERM');
        const waiting = setInterval(() => {
          if (listener.listening) return;
          clearInterval(waiting);
          process.kill(process.pid, 'SIGINT');
        }, 5);
        return new Promise(() => {});
      });
      const done = app.serveWithShutdown(listener, shutdownSignal());
      get({ host: '127.0.0.1', port: listener.address().port }).on('error', () => {});
      await done;
    `);
    expect(code).toBe('SIGINT');
  });
});
