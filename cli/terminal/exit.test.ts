// What a reader of a pipe gets of a process that ends right after it has printed.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'fw-exit-'));
const program = join(folder, 'program.mjs');
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(() =>
  build({
    stdin: {
      contents: `import { exitWhenWritten } from './exit.ts';
        process.stdout.write('x'.repeat(300_000));
        process.stderr.write('y'.repeat(300_000));
        await exitWhenWritten(3);`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
  }),
);

const shell = promisify(execFile);

it.runIf(process.platform !== 'win32')('is all of it, though it reads late', async () => {
  const line = `{ "$0" "$1" 2>&1; echo " ended with $?"; } | { sleep 0.3; tail -c 600020; }`;
  const { stdout } = await shell('sh', ['-c', line, process.execPath, program], { maxBuffer: 1e6 });
  expect(stdout.replace(/[xy]+/g, ({ length }) => `${length}`)).toBe('600000 ended with 3\n');
});

it('is all of what goes to standard error, though that is read last', async () => {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let rest = 300_000;
  await new Promise<void>((done) => {
    child.stdout.on('data', (piece: Uint8Array) => {
      rest -= piece.length;
      if (rest === 0) done();
    });
  });
  let length = 0;
  for await (const piece of child.stderr) length += piece.length;
  expect([length, ...(await closed)]).toEqual([300_000, 3, null]);
});

it.runIf(process.platform !== 'win32')('is not waited for after the reader has closed the pipe', async () => {
  const line = `{ "$0" "$1" 2>/dev/null; echo "ended with $?" >&2; } | head -c 1`;
  const { stdout, stderr } = await shell('sh', ['-c', line, process.execPath, program]);
  expect([stdout, stderr]).toEqual(['x', 'ended with 3\n']);
});
