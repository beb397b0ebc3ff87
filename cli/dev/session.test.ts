// One run of `fw dev` as a process of its own: what it follows, what of the settings it takes, how it ends.
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { allGone, type DevSession, save } from '../../e2e/dev-session.js';
import { makeWorkspace, startSession } from './trial-session.js';

let root: string;
let session: DevSession;
afterEach(async () => {
  if (session.child.exitCode === null && session.child.signalCode === null) await session.end('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

const server = (answer: string, more = ''): string =>
  `${more}\nimport http from 'node:http';\nhttp.createServer((request, response) => response.end(String(${answer}))).listen(4567);\n`;

async function start(files: Record<string, string>, args: string[] = []): Promise<void> {
  root = makeWorkspace({ 'app/package.json': '{"type":"module"}', ...files });
  session = await startSession({ app: join(root, 'app'), args });
}

async function answer(path = '/', host = 'localhost'): Promise<string> {
  return (await fetch(`http://127.0.0.1:${session.port}${path}`, { headers: { host } })).text();
}

describe('what fw dev follows outside src, from its start', () => {
  it('a source', async () => {
    await start({
      'app/src/main.ts': server('j', "import { j } from '../../data/j.ts';"),
      'data/j.ts': 'export const j = 1;',
    });
    expect(await answer()).toBe('1');
    await session.says(/ready in/, save(session, join(root, 'data/j.ts'), 'export const j = 2;'));
    expect(await answer()).toBe('2');
  });

  it('a file that is removed and written anew, or renamed into its place', async () => {
    await start({
      'app/src/main.ts': server('j', "import j from '../../data/j.json' with { type: 'json' };"),
      'data/j.json': '1',
    });
    const file = join(root, 'data/j.json');
    unlinkSync(file);
    await session.says(/build failed/);
    await session.says(/ready in/, save(session, file, '2'));
    writeFileSync(join(root, 'data/beside'), '3');
    const from = session.printed().length;
    renameSync(join(root, 'data/beside'), file);
    await session.says(/ready in/, from);
    expect(await answer()).toBe('3');
  });

  it('a file with an error, and one that is missing', async () => {
    await start({
      'app/src/main.ts': server('j', "import { j } from '../../data/j.js';"),
      'data/j.ts': 'export const j = ;',
    });
    const from = save(session, join(root, 'data/j.ts'), "export { j } from './k.js';");
    await session.says(/Could not resolve "\.\/k\.js"/, from);
    await session.says(/ready in/, save(session, join(root, 'data/k.ts'), 'export const j = 4;'));
    expect(await answer()).toBe('4');
  });

  it('a linked package that was built to JavaScript, with all of its files', async () => {
    root = makeWorkspace({
      'app/package.json': '{"type":"module","dependencies":{"shared":"*"}}',
      'app/src/main.ts': server('shared', "import { shared } from 'shared';"),
      'shared/package.json': '{"name":"shared","type":"module","exports":"./dist/index.js"}',
      'shared/dist/index.js': "export { shared } from './part.js';",
      'shared/dist/part.js': 'export const shared = 1;',
    });
    mkdirSync(join(root, 'app/node_modules'), { recursive: true });
    symlinkSync(join(root, 'shared'), join(root, 'app/node_modules/shared'));
    session = await startSession({ app: join(root, 'app') });
    expect(await answer()).toBe('1');
    const part = join(root, 'shared/dist/part.js');
    await session.says(/part\.js changed.*ready in/, save(session, part, 'export const shared = 2;'));
    expect(await answer()).toBe('2');
    rmSync(join(root, 'shared/dist'), { recursive: true });
    mkdirSync(join(root, 'shared/dist'));
    writeFileSync(join(root, 'shared/dist/index.js'), "export { shared } from './part.js';");
    await session.says(/ready in/, save(session, part, 'export const shared = 3;'));
    expect(await answer()).toBe('3');
    expect(session.printed()).not.toContain('failed');
  });
});

describe('the end', () => {
  it('comes with the second signal, also for a worker in an endless loop', async () => {
    await start({ 'app/src/main.ts': server("(() => { console.log('looping'); for (;;); })()") });
    const pids = session.descendants();
    void answer().catch(() => {});
    await session.says(/looping/);
    session.child.kill('SIGINT');
    // Two signals at once are one.
    await expect.poll(() => answer().catch(() => 'refused'), { timeout: 5000 }).toBe('refused');
    expect((await session.end('SIGINT')).code).toBe(130);
    await allGone(pids);
  }, 20_000);
});
