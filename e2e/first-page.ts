// A built app that is started in a group of processes of its own, asked for its first page, and ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll } from 'vitest';
import { answering, freePort } from './free-port.js';

const running = new Set<ChildProcess>();

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Serves a build by this command, and gives the status of its first page.
 * @param env all of the environment, but for the address and NODE_ENV
 */
export async function statusOfFirstPage(
  [program = '', ...args]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const port = await freePort();
  const child = spawn(program, args, {
    cwd,
    env: { ...env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port) },
    stdio: 'ignore',
    detached: true,
  });
  running.add(child);
  await answering(`http://127.0.0.1:${port}/`);
  const { status } = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html' } });
  const closed = once(child, 'close');
  // Package managers do not pass SIGTERM on to the script: the whole group gets it, as from a terminal.
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  await closed;
  running.delete(child);
  return status;
}
