// A program that is run for a bounded time, and what it has started.
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { runBounded } from './run-bounded.js';

it('gives what a program prints, without colours, and whether it passed', async () => {
  const program = "console.log('\\x1b[31mred\\x1b[0m'); console.error('no'); process.exit(3)";
  const { hasPassed, output } = await runBounded(process.execPath, ['-e', program], tmpdir(), 60);
  expect(hasPassed).toBe(false);
  expect(output).toContain('red\n');
  expect(output).toContain('no\n');
  expect(await runBounded(process.execPath, ['-e', ''], tmpdir(), 60)).toEqual({
    hasPassed: true,
    output: '',
  });
});

it('ends a program that takes too long, with the processes that it has started', async () => {
  const child = "require('child_process').spawn('sleep', ['600'], { stdio: 'inherit' })";
  const { hasPassed, output } = await runBounded(
    process.execPath,
    ['-e', `console.log(${child}.pid); setInterval(() => {}, 1000)`],
    tmpdir(),
    1,
  );
  expect(hasPassed).toBe(false);
  const [pid = '', late] = output.split('\n').filter((line) => line !== '');
  expect(late).toBe('Error: it had not ended after 1 s');
  // It waits to be reaped for a moment.
  await expect.poll(() => isAlive(Number(pid))).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
