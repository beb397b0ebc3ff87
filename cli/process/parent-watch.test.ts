// When the end of another process ends `fw dev`, with real processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { watchParent } from './parent-watch.js';

let folder: string;
let parent: ChildProcess | undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fw-parent-'));
  await esbuild.build({
    stdin: {
      contents: `import { watchParent } from './parent-watch.ts';
        watchParent(() => console.log('gone'), { every: 10 });
        setInterval(() => console.log('here'), 20);
        setTimeout(() => process.exit(), 10_000);`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    outfile: join(folder, 'child.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
});
afterEach(() => {
  if (child) process.kill(child, 'SIGKILL');
  child = undefined;
  rmSync(folder, { recursive: true });
});

let child: number | undefined;

/** The first `times` lines that the child prints after its parent was killed. */
async function afterParent(env: NodeJS.ProcessEnv, times: number): Promise<string[]> {
  const script = `const child = require('node:child_process').spawn(process.execPath, ['child.mjs'], { stdio: ['ignore', 'inherit', 'inherit'] }); console.log('pid ' + child.pid);`;
  parent = spawn(process.execPath, ['-e', script], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let isKilled = false;
  for await (const chunk of parent.stdout ?? []) {
    for (const line of String(chunk).trim().split('\n')) {
      if (line.startsWith('pid')) child = Number(line.slice(4));
      else if (isKilled) lines.push(line);
      else {
        parent.kill('SIGKILL');
        await once(parent, 'exit');
        isKilled = true;
      }
      if (lines.length >= times) return lines;
    }
  }
  return lines;
}

// On Windows, Node.js ends with a process of Node.js that has started it: there the parent is `cmd.exe`.
it.skipIf(process.platform === 'win32').each(['npm_command', 'npm_lifecycle_event'])(
  'notices once that the parent has ended, with %s',
  async (name) => {
    const lines = await afterParent({ [name]: 'run-script' }, 10);
    expect(lines.filter((line) => line === 'gone')).toEqual(['gone']);
  },
);

it.skipIf(process.platform === 'win32')('ignores its parent if no package manager runs it', async () => {
  expect(await afterParent({}, 10)).not.toContain('gone');
});

it.each([
  ['win32', 1],
  ['linux', 0],
] as const)('looks on %s whether a parent that stays the same is running', async (platform, times) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let isAlive = true;
  const gone = vi.fn();
  watchParent(gone, {
    env: { npm_command: 'run-script' },
    parent: () => 4312,
    every: 10,
    platform,
    isAlive: (pid) => isAlive || pid !== 4312,
  });
  await vi.advanceTimersByTimeAsync(50);
  expect(gone).not.toHaveBeenCalled();
  isAlive = false;
  await vi.advanceTimersByTimeAsync(50);
  expect(gone).toHaveBeenCalledTimes(times);
});
