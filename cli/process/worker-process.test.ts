// The handle of a worker, with real processes: their ends, and the sockets that were sent to them.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRunning } from '../bundle/bundle-folder.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fw-handle-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program with `WorkerProcess` to its end, and returns its output. */
async function run(program: string): Promise<string> {
  const outfile = join(folder, 'program.mjs');
  await esbuild.build({
    stdin: {
      contents: `import { WorkerProcess } from './worker-process.ts';\n${program}`,
      resolveDir: dirname(fileURLToPath(import.meta.url)),
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  return (await promisify(execFile)(process.execPath, [outfile], { cwd: folder })).stdout;
}

describe('a worker in an endless loop', () => {
  it.each(['process.exit(0)', "throw new Error('unforeseen')"])(
    'ends with its supervisor: %s',
    async (end) => {
      writeFileSync(join(folder, 'loop.mjs'), "process.send({ fw: 'inspector', port: 1 }); for (;;) {}");
      const pid = await run(`
      const worker = new WorkerProcess({ file: ${JSON.stringify(join(folder, 'loop.mjs'))}, cwd: '.', env: {}, inspect: false, preload: [] });
      process.on('uncaughtException', () => process.exit(1));
      const look = setInterval(() => {
        if (worker.inspectorPort !== 1) return;
        clearInterval(look);
        process.stdout.write(String(worker.pid), () => { ${end}; });
      }, 5);`).catch((error: { stdout: string }) => error.stdout);
      expect(Number(pid)).toBeGreaterThan(1);
      await expect.poll(() => isRunning(Number(pid))).toBe(false);
    },
  );
});

describe('a worker that has a predecessor', () => {
  it('is sent a socket at once, and has it only after its predecessor', async () => {
    writeFileSync(
      join(folder, 'takes.mjs'),
      `process.on('message', ({ fw, id }) => {
        if (fw !== 'socket') return;
        process.send({ fw: 'got', id });
        process.send({ fw: 'inspector', port: 1 });
      });`,
    );
    const steps = await run(`
      import net from 'node:net';
      const worker = new WorkerProcess({ file: ${JSON.stringify(join(folder, 'takes.mjs'))}, cwd: '.', env: {}, inspect: false, preload: [] });
      const steps = [];
      let settle;
      worker.readAfter(new Promise((done) => { settle = done; }));
      const server = net.createServer({ pauseOnConnect: true }, (socket) => {
        worker.accept(socket, (outcome) => {
          process.stdout.write([...steps, outcome].join(), () => process.exit());
        });
      });
      server.listen(0, '127.0.0.1', () => net.connect(server.address().port, '127.0.0.1'));
      const look = setInterval(() => {
        if (worker.inspectorPort !== 1) return;
        clearInterval(look);
        steps.push('offered');
        settle();
      }, 5);`);
    expect(steps).toBe('offered,sent');
  });
});
