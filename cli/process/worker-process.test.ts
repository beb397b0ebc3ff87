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
      await expect.poll(() => isRunning(Number(pid)), { timeout: 5000 }).toBe(false);
    },
  );
});
