// A run of `fw dev` as a process: which files it follows, which settings it applies, and how it ends.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { allGone, type DevSession, save } from '../../e2e/dev-session.js';
import { openTerminal, type Terminal, terminalMissing } from '../../e2e/terminal.js';
import { builtBinary, makeWorkspace, startSession } from './trial-session.js';

let root: string;
let session: DevSession;
afterEach(async () => {
  if (session?.child.exitCode === null && session.child.signalCode === null) await session.end('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

const server = (answer: string, more = ''): string =>
  `${more}\nimport http from 'node:http';\nhttp.createServer((request, response) => response.end(String(${answer}))).listen(4567);\n`;

async function start(files: Record<string, string>, args: string[] = []): Promise<void> {
  root = makeWorkspace({ 'app/package.json': '{"type":"module"}', ...files });
  session = await startSession({ app: join(root, 'app'), args });
}

function answer(): Promise<string> {
  return answerTo('localhost');
}

function answerTo(host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.get({ port: session.port, headers: { host }, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    request.on('error', reject);
  });
}

describe('an app that writes a source at its start', () => {
  const starts = (): number => session.printed().split('ready in').length - 1;
  const main = (more: string, word: string): string => `
    import { appendFileSync, writeFileSync } from 'node:fs';
    import http from 'node:http';
    import { at } from './generated.ts';
    writeFileSync('src/generated.ts', 'export const at: number = 1;\\n');
    ${more}
    http.createServer((_, response) => response.end(at + '${word}')).listen(Number(process.env.PORT));`;

  it('is not restarted if the text is the same', async () => {
    await start({ 'app/src/main.ts': main('', 'a'), 'app/src/generated.ts': 'export const at: number = 0;' });
    await expect.poll(answer).toBe('1a');
    await delay(1500);
    const before = starts();
    expect(before).toBeLessThan(4);
    await session.says(
      /main\.ts changed.*ready in/,
      save(session, join(root, 'app/src/main.ts'), main('', 'b')),
    );
    await delay(1500);
    expect(await answer()).toBe('1b');
    expect(starts()).toBe(before + 1);
  });

  it('is not restarted for ever if it fails, but a save of the same text tries again', async () => {
    const failing = main(
      "appendFileSync('tries', '.'); if (!process.env.DATABASE) throw new Error('no database');",
      'a',
    );
    await start({ 'app/src/main.ts': failing, 'app/src/generated.ts': 'export const at: number = 0;' });
    const tries = (): number => readFileSync(join(root, 'app/tries'), 'utf8').length;
    await delay(1500);
    const before = tries();
    expect(before).toBeLessThan(4);
    for (const tried of [before + 1, before + 2]) {
      await session.says(/no database/, save(session, join(root, 'app/src/main.ts'), failing));
      await expect.poll(tries, { timeout: 60_000 }).toBe(tried);
    }
    await delay(500);
    expect(tries()).toBe(before + 2);
  });
});

describe('what fw dev follows outside of src, from its start', () => {
  it('a source', async () => {
    await start({
      'app/src/main.ts': server('j', "import { j } from '../../data/j.ts';"),
      'data/j.ts': 'export const j = 1;',
    });
    expect(await answer()).toBe('1');
    await session.says(/ready in/, save(session, join(root, 'data/j.ts'), 'export const j = 2;'));
    expect(await answer()).toBe('2');
  });

  it('a file that is deleted and written again, or replaced by a rename', async () => {
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

  it('a package of the workspace in TypeScript, and packages that are installed there', async () => {
    root = makeWorkspace({
      'app/package.json': '{"type":"module","dependencies":{"shared":"*"}}',
      'app/src/main.ts': server('shared', "import { shared } from 'shared';"),
      'shared/package.json': '{"name":"shared","type":"module","exports":"./src/index.ts"}',
      'shared/src/index.ts': 'export const shared: number = 1;',
      'node_modules/.package-lock.json': '{}',
    });
    symlinkSync(join(root, 'shared'), join(root, 'node_modules/shared'));
    session = await startSession({ app: join(root, 'app') });
    expect(await answer()).toBe('1');
    const source = join(root, 'shared/src/index.ts');
    await session.says(/ready in/, save(session, source, 'export const shared: number = 2;'));
    expect(await answer()).toBe('2');
    const lock = join(root, 'node_modules/.package-lock.json');
    await session.says(/package-lock\.json changed.*ready in/, save(session, lock, '{ }'));
  });

  it('a linked package that is built to JavaScript, with all its files', async () => {
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

describe('a system that cannot watch more files', () => {
  // A user namespace has its own limits, but not every system allows to create one.
  const canLimit = spawnSync('unshare', ['-Ur', 'sh', '-c', 'echo 3 > /proc/sys/user/max_inotify_watches']);

  it.skipIf(canLimit.status !== 0).each([
    ['max_inotify_watches', 3, 'fs.inotify.max_user_watches is used up'],
    ['max_inotify_instances', 0, 'fs.inotify.max_user_instances, or the number of open files, is used up'],
  ])(
    'is reported once, and changes are still found: %s',
    async (name, number, reason) => {
      root = makeWorkspace({
        'package.json': '{"type":"module"}',
        'src/main.ts': server('part', "import { part } from './part.ts'; import '../data.ts';"),
        'src/part.ts': 'export const part = 1;',
        'data.ts': '',
      });
      const limited = [
        'unshare',
        '-Ur',
        'sh',
        '-c',
        `echo ${number} > /proc/sys/user/${name} && exec "$@"`,
        '-',
      ];
      session = await startSession({ app: root, before: limited });
      await session.says(/to fix it/);
      await session.says(
        // On a busy machine, the first look at the other file falls into the same change.
        /(?:part\.ts|and 1 more) changed.*ready in/,
        save(session, join(root, 'src/part.ts'), 'export const part = 2;'),
      );
      expect(await answer()).toBe('2');
      const from = save(session, join(root, 'data.ts'), '// new');
      await session.says(/data\.ts changed.*ready in/, from);
      expect(session.printed().match(/warning:.*/g)).toEqual([
        expect.stringContaining(`because ${reason}: polling every 300 ms instead`),
      ]);
    },
    60_000,
  );
});

describe('settings that change', () => {
  it('of host names, the entry and preloaded modules are applied immediately', async () => {
    await start({
      'app/fw.toml': '',
      'app/src/main.ts': server("'first'"),
      'app/src/other.ts': server('globalThis.early'),
      'app/early.js': "globalThis.early = 'loaded before';",
    });
    const toml = join(root, 'app/fw.toml');
    expect(await answerTo('shop.test')).toContain('allowed_hosts = ["shop.test"]');
    await session.says(/ready in/, save(session, toml, '[dev]\nallowed_hosts = ["shop.test"]\n'));
    expect(await answerTo('shop.test')).toBe('first');
    const text = '[dev]\nentry = "src/other.ts"\npreload = ["./early.js"]\n';
    await session.says(/ready in/, save(session, toml, text));
    expect(await answerTo('localhost')).toBe('loaded before');
    expect(await answerTo('shop.test')).toContain('does not answer for the host name');
  });

  it('that open it to others print the address of the page about the app with its token', async () => {
    await start({ 'app/fw.toml': '', 'app/src/main.ts': server("'up'") });
    const token = /\/_fw\/\?token=([\w-]{43})/;
    expect(session.printed()).not.toMatch(token);
    const toml = join(root, 'app/fw.toml');
    await session.says(token, save(session, toml, '[dev]\nallowed_hosts = ["shop.test"]\n'));
    const [, printed] = token.exec(session.printed()) ?? [];
    const ask = (path: string, host: string): Promise<number | undefined> =>
      new Promise((settle, reject) => {
        const request = http.get({ port: session.port, path, headers: { host }, agent: false }, (response) =>
          settle(response.resume().statusCode),
        );
        request.on('error', reject);
      });
    await session.says(/ready in/, session.printed().indexOf('token='));
    expect(await ask(`/_fw/?token=${printed}`, 'shop.test')).toBe(303);
    expect(await ask('/_fw/', 'shop.test')).toBe(403);
    expect(await ask('/_fw/cycles', 'localhost')).toBe(200);
    await session.end('SIGTERM');
    session = await startSession({ app: join(root, 'app') });
    expect(token.exec(session.printed())?.[1]).toBe(printed);
  });

  it('of the address require a restart, and this is reported', async () => {
    await start({ 'app/fw.toml': '', 'app/src/main.ts': server("'up'") });
    const text = '[dev]\nhost = "0.0.0.0"\nhot_reload = false\n';
    await session.says(/ready in/, save(session, join(root, 'app/fw.toml'), text));
    expect(session.printed()).toMatch(/the settings now say host = "0\.0\.0\.0": restart fw dev to use it/);
    expect(session.printed()).toMatch(/the settings now say hot_reload = false: restart fw dev to use it/);
    expect(await answer()).toBe('up');
  });

  it('in .env reach the app', async () => {
    await start({ 'app/.env': 'WORD=one', 'app/src/main.ts': server('process.env.WORD') });
    expect(await answer()).toBe('one');
    await session.says(/ready in/, save(session, join(root, 'app/.env'), 'WORD=two'));
    expect(await answer()).toBe('two');
    unlinkSync(join(root, 'app/.env'));
    await expect.poll(() => answer()).toBe('undefined');
  });
});

describe('a first start that hangs', () => {
  it.each([
    ['waits', 'setInterval(() => {}, 1e3); await new Promise(() => {});'],
    ['loops', 'for (;;) {}'],
  ])(
    'is aborted at the next save and at the end, for code that %s',
    async (_kind, code) => {
      const hanging = `console.log('hangs'); ${code}`;
      root = makeWorkspace({ 'package.json': '{"type":"module"}', 'src/main.ts': hanging });
      session = await startSession({ app: root, until: /hangs/ });
      const main = join(root, 'src/main.ts');
      await session.says(/ready in/, save(session, main, server("'up'")));
      expect(await answer()).toBe('up');
      await session.says(/hangs/, save(session, main, hanging));
      const pids = session.descendants();
      expect((await session.end('SIGTERM')).code).toBe(0);
      await allGone(pids);
    },
    60_000,
  );
});

describe('keys', () => {
  it.skipIf(terminalMissing() !== undefined)(
    'work after the first worker has ended, and while a start hangs',
    async () => {
      root = makeWorkspace({ 'package.json': '{"type":"module"}', 'src/main.ts': server("'up'") });
      const binary = await builtBinary();
      const terminal = openTerminal([process.execPath, binary, 'dev', '--port', '0'], root);
      await terminal.see('ready in');
      writeFileSync(join(root, 'src/main.ts'), server("'again'"));
      await terminal.see('src/main.ts changed');
      await terminal.see('ready in');
      terminal.type('r');
      await terminal.see('restarted · ');
      writeFileSync(join(root, 'src/main.ts'), "console.log('hangs'); for (;;) {}");
      await terminal.see('hangs');
      terminal.type('q');
      expect((await terminal.end()).exitCode).toBe(0);
    },
    60_000,
  );
});

describe('a background job', () => {
  /** An interactive shell in a terminal of its own, whose job is `fw dev`. */
  async function shell(): Promise<Terminal> {
    root = makeWorkspace({ 'package.json': '{"type":"module"}', 'src/main.ts': server("'up'") });
    const terminal = openTerminal(['bash', '--norc', '--noprofile', '-i'], root, { PS1: '> ' });
    terminal.type(`fwdev() { exec ${process.execPath} ${await builtBinary()} dev --port 0; }\n`);
    return terminal;
  }
  const isMissing = terminalMissing() !== undefined || process.platform === 'win32';

  it.skipIf(isMissing)('runs, has keys in the foreground, and goes back', async () => {
    const terminal = await shell();
    terminal.type('fwdev &\n');
    await terminal.see('ready in');
    terminal.type('jobs\n');
    await terminal.see('Running');
    terminal.type('fg\n');
    await delay(1500);
    terminal.type('r');
    await terminal.see('restarted · ');
    terminal.type('\u001a');
    await terminal.see('Stopped');
    terminal.type('bg\n');
    await delay(500);
    writeFileSync(join(root, 'src/main.ts'), server("'again'"));
    await terminal.see('src/main.ts changed');
    terminal.type('jobs\n');
    await terminal.see('Running');
    terminal.type('kill %1; wait %1; echo "ended with" $?; exit\n');
    await terminal.see('ended with 129');
    const { output } = await terminal.end();
    expect(output.split('Stopped')).toHaveLength(2);
  });
});

describe('the end', () => {
  it.each(['npm_command', 'npm_lifecycle_event'])(
    'comes when the program that runs it ends: %s',
    async (name) => {
      root = makeWorkspace({ 'package.json': '{"type":"module"}', 'src/main.ts': server("'up'") });
      // As with npm: a shell in between, which ends without notice.
      const runner = `import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'inherit'] });
      process.on('SIGTERM', () => process.exit(143));`;
      writeFileSync(join(root, 'runner.mjs'), runner);
      session = await startSession({ app: root, env: { [name]: 'dev' }, through: join(root, 'runner.mjs') });
      const pids = session.descendants();
      expect(pids.length).toBeGreaterThan(2);
      session.child.kill('SIGTERM');
      await allGone(pids);
    },
    60_000,
  );

  it('waits for what the app closes', async () => {
    const closing = `
      import { writeFileSync } from 'node:fs';
      process.once('SIGTERM', () => {
        setTimeout(() => {
          writeFileSync('closed', '');
          process.exit();
        }, 500);
      });`;
    await start({ 'app/src/main.ts': server("'up'", closing) });
    expect(await answer()).toBe('up');
    const pids = session.descendants();
    expect((await session.end('SIGTERM')).code).toBe(0);
    expect(existsSync(join(root, 'app/closed'))).toBe(true);
    await allGone(pids);
  });

  it('comes with the second signal, even if a worker is in an endless loop', async () => {
    await start({ 'app/src/main.ts': server("(() => { console.log('looping'); for (;;); })()") });
    const pids = session.descendants();
    void answer().catch(() => {});
    await session.says(/looping/);
    session.child.kill('SIGINT');
    // Two signals that arrive together count as one.
    await expect.poll(() => answer().catch(() => 'refused')).toBe('refused');
    expect((await session.end('SIGINT')).code).toBe(130);
    await allGone(pids);
  });
});

it('ends if it cannot start after its port was opened', async () => {
  root = makeWorkspace({ 'app/package.json': '{"type":"module"}', 'app/src/main.ts': server('1') });
  // A file is where the folder for bundles should be.
  mkdirSync(join(root, 'app/node_modules'), { recursive: true });
  writeFileSync(join(root, 'app/node_modules/.fw'), '');
  const { status, signal, stderr } = spawnSync(
    process.execPath,
    [await builtBinary(), 'dev', '--port', '0'],
    {
      cwd: join(root, 'app'),
      encoding: 'utf8',
      timeout: 120_000,
    },
  );
  expect({ status, signal }).toEqual({ status: 1, signal: null });
  expect(stderr).toMatch(/cannot write to \S+\.fw: .*\n.*delete the file of that name/);
});
