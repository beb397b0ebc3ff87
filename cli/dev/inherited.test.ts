// What the app has from the command line of `fw dev`: its arguments, its standard input, its NODE_OPTIONS.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type DevSession, type DevSessionOptions, save } from '../../e2e/dev-session.js';
import { builtBinary, makeWorkspace, startSession } from './trial-session.js';

let root: string;
let session: DevSession | undefined;
afterEach(async () => {
  if (session?.child.exitCode === null && session.child.signalCode === null) await session.end('SIGKILL');
  session = undefined;
  rmSync(root, { recursive: true, force: true });
});

async function start(main: string, options: Partial<DevSessionOptions> = {}, more = {}): Promise<DevSession> {
  root = makeWorkspace({ 'app/package.json': '{"type":"module"}', 'app/src/main.ts': main, ...more });
  session = await startSession({ app: join(root, 'app'), ...options });
  return session;
}

const main = (code: string): string => `
  import http from 'node:http';
  let seen: () => unknown;
  ${code}
  http.createServer((_, response) => response.end(JSON.stringify(seen()))).listen(Number(process.env.PORT));`;

async function answer(): Promise<unknown> {
  return (await fetch(`http://127.0.0.1:${session?.port}`)).json();
}

async function reload(text: string): Promise<void> {
  if (session === undefined) throw new Error('there is no session');
  await session.says(/main\.ts changed.*ready in/, save(session, join(root, 'app/src/main.ts'), text));
}

describe('the app has', () => {
  it('the arguments after --, also after a reload', async () => {
    const code = main('seen = () => process.argv.slice(2); // 1');
    await start(code, { args: ['--', '--seed', 'x y', '--', '--help'] });
    expect(await answer()).toEqual(['--seed', 'x y', '--', '--help']);
    await reload(code.replace('// 1', '// 2'));
    expect(await answer()).toEqual(['--seed', 'x y', '--', '--help']);
  });

  it('the standard input, which the process after a reload reads on', async () => {
    const code = main(`
      import { createInterface } from 'node:readline';
      const lines: string[] = [];
      createInterface({ input: process.stdin }).on('line', (line) => lines.push(line));
      seen = () => lines; // 1`);
    const writer =
      'echo one; while [ ! -e next ]; do sleep 0.1; done; echo two; while [ -e in ]; do sleep 0.1; done';
    const pipe = `mkfifo in; (${writer}) > in 2> /dev/null & exec "$@" < in`;
    await start(code, { before: ['sh', '-c', pipe, 'sh'] });
    await expect.poll(answer, { timeout: 60_000 }).toEqual(['one']);
    await reload(code.replace('// 1', '// 2'));
    expect(await answer()).toEqual([]);
    writeFileSync(join(root, 'app/next'), '');
    await expect.poll(answer, { timeout: 60_000 }).toEqual(['two']);
  });

  it('NODE_OPTIONS without what lets a debugger attach, as all programs of fw dev', async () => {
    const code = main('seen = () => [process.env.NODE_OPTIONS, process.env.FROM_FILE];');
    const more = {
      'app/.env': 'FROM_FILE=1\n',
      'app/tsconfig.json': '{"compilerOptions":{"types":[]}}',
    };
    const env = { NODE_OPTIONS: '--no-warnings --inspect=127.0.0.1:0' };
    const { printed } = await start(code, { env }, more);
    expect(await answer()).toEqual(['--no-warnings', '1']);
    const attached = printed().split('Debugger listening').length - 1;
    expect(attached).toBe(1);
    expect(printed()).toMatch(/^note: --inspect=127\.0\.0\.1:0 of NODE_OPTIONS .* fw dev --inspect$/m);
  });

  it('no flag for a debugger from .env', async () => {
    const code = main('seen = () => process.env.NODE_OPTIONS ?? null;');
    const { printed } = await start(code, {}, { 'app/.env': 'NODE_OPTIONS=--inspect=127.0.0.1:0\n' });
    expect(await answer()).toBeNull();
    expect(printed()).not.toContain('Debugger');
  });
});

it('an argument without -- is wrong usage, which says where it belongs', async () => {
  root = makeWorkspace({});
  const args = [await builtBinary(), 'dev', '--port', '0', 'seed', '--', 'x'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toBe(
    "error: unexpected argument 'seed'\nhelp: arguments of the app come after --, such as: fw dev -- seed; see: fw dev --help\n",
  );
});
