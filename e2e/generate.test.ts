// The typed client: from a new app of the template rpc to changes of its procedures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fileChanges } from './file-changes.js';
import { answering, freePort } from './free-port.js';
import { npm, type RunResult, run, scaffold } from './packed.js';
import { openTerminal, terminalMissing } from './terminal.js';

describe('an app of the template rpc', () => {
  let app: string;
  let client: string;
  let procedures: string;
  let sources: string;

  beforeAll(async () => {
    app = await scaffold({ template: 'rpc', name: 'tasks' });
    client = join(app, 'src/client.ts');
    procedures = join(app, 'src/rpc.ts');
    sources = readFileSync(procedures, 'utf8');
  });
  // A test that fails must not fail those after it.
  afterEach(() => writeFileSync(procedures, sources));

  const fw = (...args: string[]): Promise<RunResult> =>
    run(process.execPath, [join(app, 'node_modules/fw/dist/cli/main.js'), ...args], { cwd: app });

  /** Replaces a part of a file, which must exist. */
  function edit(file: string, part: string, other: string): void {
    const text = readFileSync(file, 'utf8');
    if (!text.includes(part)) throw new Error(`${file} does not hold ${part}`);
    writeFileSync(file, text.replace(part, other));
  }

  test('passes its tests and its type check, and its client is up to date', async () => {
    expect(npm(['test'], app)).toMatch(/Tests +(\d+) passed \(\1\)/);
    npm(['run', 'typecheck'], app);
    const checked = await fw('generate', '--check');
    expect(checked).toMatchObject({ exitCode: 0, stderr: '' });
    expect(checked.stdout).toContain('up to date');
  });

  test('asks the compiler again only if something has changed', async () => {
    const types = async (...args: string[]): Promise<string | undefined> =>
      /types \d+ ms( \(nothing has changed\))?/.exec(
        (await fw('generate', '--verbose', ...args)).stdout,
      )?.[1];
    await fw('generate');
    expect(await types()).toBe(' (nothing has changed)');
    expect(await types('--force')).toBeUndefined();
    expect(await types()).toBe(' (nothing has changed)');
    edit(procedures, 'import ', '// A comment.\nimport ');
    expect(await types()).toBeUndefined();
    expect(await types()).toBe(' (nothing has changed)');
    edit(procedures, '// A comment.\n', '');
    expect((await fw('generate', '--check')).exitCode).toBe(0);
  });

  test.skipIf(terminalMissing())('says on a terminal what it waits for, and nothing in a pipe', async () => {
    const program = join(app, 'src/generate-client.ts');
    const before = readFileSync(program, 'utf8');
    writeFileSync(program, `${before}\nawait new Promise((done) => setTimeout(done, 2500));\n`);
    const words = [process.execPath, join(app, 'node_modules/fw/dist/cli/main.js'), 'generate', '--force'];
    const terminal = openTerminal(words, app, { CI: '' });
    await terminal.see('Running the program that writes the client …');
    expect(await terminal.end()).toMatchObject({ exitCode: 0 });
    const inCi = openTerminal(words, app, { CI: '1' });
    expect((await inCi.end()).output).not.toContain('Running the program');
    expect(await fw('generate', '--force')).toMatchObject({ exitCode: 0, stderr: '' });
    writeFileSync(program, before);
  });

  test('does not overwrite code that it did not generate', async () => {
    const before = readFileSync(procedures, 'utf8');
    const refused = await fw('generate', '-o', 'src/rpc.ts');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain(`${procedures} is not a generated client, and would be overwritten`);
    expect(refused.stderr).toContain('help: give the client another name, or delete the file');
    expect(readFileSync(procedures, 'utf8')).toBe(before);
  });

  test('answers its example program, which uses the client', async () => {
    const port = await freePort();
    npm(['run', 'build'], app);
    const server = spawn(process.execPath, ['dist/main.js'], {
      cwd: app,
      env: { ...process.env, PORT: String(port), NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(server.stdout, 'data');
      const tasks = (...args: string[]) =>
        run(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'src/tasks-command.ts', ...args], {
          cwd: app,
          env: { RPC_URL: `http://127.0.0.1:${port}/rpc` },
        });
      await answering(`http://127.0.0.1:${port}/`);
      expect((await tasks('add', 'Buy', 'milk')).stdout).toBe('added task 2\n');
      expect((await tasks('done', '2')).stdout).toBe('done: Buy milk\n');
      expect((await tasks()).stdout).toBe('  1 Edit src/rpc.ts\n✓ 2 Buy milk\n');
      expect(await tasks('done', '9')).toMatchObject({
        exitCode: 1,
        stderr: 'task 9 does not exist\n',
      });
    } finally {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
  });

  test('fails in CI if the client is out of date, and says what the change means', async () => {
    const before = readFileSync(client, 'utf8');
    edit(join(app, 'src/tasks.ts'), '  isDone: boolean;', '  isDone: boolean;\n  note?: string;');
    const stale = await fw('generate', '--check');
    expect(stale.exitCode).toBe(1);
    const checked = await fw('generate', '--check', '--json');
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, files: [{ isChanged: true }, {}] });
    expect(stale.stderr).toMatch(/src\/client\.ts is not up to date/);
    expect(stale.stderr).toContain('run fw generate and commit what it writes');
    const difference = await fw('generate', '--diff');
    expect(difference).toMatchObject({ exitCode: 0, stderr: '' });
    expect(difference.stdout).toContain('note');
    expect((await fw('generate', '--diff', '--fail-on-breaking')).exitCode).toBe(0);
    edit(join(app, 'src/rpc.ts'), 'max(200)', 'max(20)');
    const breaking = await fw('generate', '--diff', '--fail-on-breaking');
    expect(breaking).toMatchObject({ exitCode: 1, stderr: '' });
    expect(breaking.stdout).toMatch(/^breaks {2}addTask\.input\.title {2}maxLength is 20, was 200$/m);
    expect((await fw('generate', '--diff')).exitCode).toBe(0);
    edit(join(app, 'src/rpc.ts'), 'max(20)', 'max(200)');
    expect((await fw('generate', '--fail-on-breaking')).stderr).toContain('add --diff');
    expect(readFileSync(client, 'utf8')).toBe(before);
    const written = await fw('generate', '--json');
    expect(JSON.parse(written.stdout)).toMatchObject({ ok: true, inferredProcedures: 5, warnings: [] });
    expect(readFileSync(client, 'utf8')).toContain('note?: string');
    expect((await fw('generate', '--check')).exitCode).toBe(0);
    const impossible = await fw('generate', '--json', '-o', 'src');
    expect(impossible.exitCode).toBe(2);
    expect(JSON.parse(impossible.stdout)).toMatchObject({
      ok: false,
      problem: {
        message: expect.stringContaining('is a directory'),
        help: expect.stringContaining('client.ts'),
      },
    });
    npm(['run', 'typecheck'], app);
  });

  test('keeps the last good client if a type cannot be sent as JSON or the code does not compile', async () => {
    const before = readFileSync(client, 'utf8');
    const sound = readFileSync(procedures, 'utf8');
    edit(procedures, '{ all: number; done', '{ all: Map<string, number>; done');
    const refused = await fw('generate');
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/error: .*Map/);
    expect(refused.stderr).toMatch(/src\/rpc\.ts:\d+:\d+/);
    writeFileSync(procedures, `${sound}\nthrow new Error('not today');\n`);
    const failed = await fw('generate');
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).toContain('Error: not today');
    expect(failed.stderr).toMatch(/src\/rpc\.ts:\d+:\d+/);
    writeFileSync(procedures, sound.replace('new RpcRegistry()', 'new RpcRegistry('));
    const broken = await fw('generate');
    expect(broken.exitCode).toBe(1);
    expect(broken.stderr).toContain('src/rpc.ts');
    writeFileSync(procedures, sound);
    expect(readFileSync(client, 'utf8')).toBe(before);
    expect((await fw('generate', '--check')).exitCode).toBe(0);
  });

  test('shows every schema that cannot be sent as JSON with its source', async () => {
    const procedures = join(app, 'src/rpc.ts');
    const sound = readFileSync(procedures, 'utf8');
    writeFileSync(
      procedures,
      `${sound}
rpc.query('first', { output: z.bigint() }, () => 1n);
rpc.query('second', { output: z.map(z.string(), z.string()) }, () => new Map());
`,
    );
    const { exitCode, stdout, stderr } = await fw('generate');
    const output = stdout + stderr;
    expect(exitCode).toBe(1);
    expect(output.match(/^error: /gm)).toHaveLength(2);
    expect(output).toMatch(/^error: the output of 'first': .* a bigint; use a string/m);
    expect(output).toMatch(/^ {2}src\/rpc\.ts:\d+:\d+\n(?:.*\n){1,4}? {2}> +\d+ │ rpc\.query\('first'/m);
    expect(output).toMatch(/^ {2}> +\d+ │ rpc\.query\('second'/m);
    expect(output).not.toMatch(/node_modules|^ +at /m);
    writeFileSync(procedures, sound);
  });

  test('keeps the last good contract if the code does not compile, or its program fails', async () => {
    const contract = join(app, 'src/rpc-contract.json');
    const before = readFileSync(contract, 'utf8');
    const sound = readFileSync(procedures, 'utf8');
    const fresh = "rpc.query('fresh', (input: { page: number }) => input.page);";
    for (const fault of ['const open = (', "throw new Error('not today');", "rpc.query('then', () => 1);"]) {
      writeFileSync(procedures, `${sound}\n${fresh}\n${fault}\n`);
      expect((await fw('generate')).exitCode).toBe(1);
      expect(readFileSync(contract, 'utf8')).toBe(before);
    }
    // Conflict markers in the contract itself are not an error of the sources.
    writeFileSync(procedures, sound);
    writeFileSync(contract, `<<<<<<< ours\n${before}`);
    expect(await fw('generate')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readFileSync(contract, 'utf8')).toBe(before);
  });

  test('replaces a contract of another version', async () => {
    const contract = join(app, 'src/rpc-contract.json');
    const before = readFileSync(contract, 'utf8');
    const old = '{ "version": 1, "procedures": {}, "named": {} }';
    writeFileSync(contract, old);
    const { exitCode, stderr } = await fw('generate', '--check');
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('src/rpc-contract.json is not up to date'),
    ]);
    expect(await fw('generate', '--diff')).toMatchObject({ exitCode: 0 });
    expect(readFileSync(contract, 'utf8')).toBe(old);
    expect(await fw('generate')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readFileSync(contract, 'utf8')).toBe(before);
  });

  test('warns of a registry that does not read its contract', async () => {
    const sound = readFileSync(procedures, 'utf8');
    edit(procedures, 'rpc.loadContract(contract);', '');
    const { exitCode, stdout } = await fw('generate');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /warning: mutation 'addTask' reached the client without its inferred types.*loadContract\(contract\)/,
    );
    expect(stdout).toMatch(/src\/rpc\.ts:\d+:\d+/);
    writeFileSync(procedures, sound);
    expect((await fw('generate')).exitCode).toBe(0);
    expect((await fw('generate', '--check')).exitCode).toBe(0);
  });

  test('takes over the comments of procedures and of their types, which break no client', async () => {
    const contract = join(app, 'src/rpc-contract.json');
    const sound = readFileSync(procedures, 'utf8');
    const before = readFileSync(client, 'utf8');
    edit(procedures, "rpc.query(\n  'listTasks'", "/** Lists tasks. */\nrpc.query(\n  'listTasks'");
    edit(
      procedures,
      "rpc.mutation(\n  'addTask'",
      '/**\n * Adds a task.\n * @deprecated use addTasks\n * @example\n * await client.addTask({ title });\n */\n' +
        "rpc.mutation(\n  'addTask'",
    );
    const tasks = join(app, 'src/tasks.ts');
    edit(tasks, '  title: string;', '  /** @default "all" */\n  title: string;');
    writeFileSync(
      procedures,
      `${readFileSync(procedures, 'utf8')}
/** One of two. */
const handler = (input: { id: number }) => input.id;
for (const name of ['first', 'second'] as const) rpc.query(name, handler);
`,
    );
    expect((await fw('generate', '--check')).exitCode).toBe(1);
    expect(await fw('generate')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(readFileSync(contract, 'utf8')).notes).toMatchObject({
      addTask: { deprecated: 'use addTasks' },
      second: { description: 'One of two.' },
    });
    const text = readFileSync(client, 'utf8');
    expect(text).toContain('  /** Lists tasks. */\n  listTasks(');
    expect(text).toContain(
      '   * await client.addTask({ title });\n   * ```\n   * @deprecated use addTasks\n',
    );
    expect(text).toContain('/** One of two. */\n  second(input: SecondInput');
    expect(text).toContain('/** @default "all" */');
    npm(['run', 'typecheck'], app);
    // Without the new procedures, nothing that clients and the server compare has changed.
    writeFileSync(procedures, readFileSync(procedures, 'utf8').replace(/^for .*$/m, ''));
    expect((await fw('generate', '--diff')).exitCode).toBe(0);
    await fw('generate');
    const compared = (from: string): string => from.slice(from.indexOf('export const contract'));
    expect(compared(readFileSync(client, 'utf8')).slice(0, 2_000)).toBe(compared(before).slice(0, 2_000));
    writeFileSync(procedures, sound);
    edit(tasks, '  /** @default "all" */\n', '');
    await fw('generate');
    expect(readFileSync(client, 'utf8')).toBe(before);
  });

  test('warns if types can no longer be inferred', async () => {
    const settings = join(app, 'tsconfig.json');
    renameSync(settings, `${settings}.old`);
    const checked = await fw('generate', '--check');
    renameSync(`${settings}.old`, settings);
    expect(checked).toMatchObject({ exitCode: 0, stderr: '' });
    expect(checked.stdout).toContain('warning: the types of handlers were not inferred again');
    expect((await fw('generate', '--check')).stdout).not.toContain('warning');
  });

  test('follows every change with --watch, and ends with 0 on SIGTERM', async () => {
    const watching = spawn(
      process.execPath,
      [join(app, 'node_modules/fw/dist/cli/main.js'), 'generate', '--watch'],
      { cwd: app, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const ended = once(watching, 'exit');
    let output = '';
    const said = (what: string) =>
      new Promise<void>((resolve, reject) => {
        const look = (text: unknown) => {
          output += String(text);
          if (!output.includes(what)) return;
          for (const stream of [watching.stdout, watching.stderr]) stream.off('data', look);
          resolve();
        };
        for (const stream of [watching.stdout, watching.stderr]) stream.on('data', look);
        void ended.then(() => reject(new Error(`ended without '${what}':\n${output}`)));
      });
    await said('started');
    const changed = fileChanges(client);
    edit(procedures, "'countTasks'", "'countAll'");
    await changed;
    expect(readFileSync(client, 'utf8')).toContain('  countAll(');
    edit(procedures, "'countAll'", "'countTasks'");
    await said('src/rpc.ts changed');
    const settings = join(app, 'fw.toml');
    const sound = readFileSync(settings, 'utf8');
    writeFileSync(settings, `${sound}\n[generat]\n`);
    await said('changed · failed');
    expect(output).toContain("help: did you mean 'generate'?");
    writeFileSync(settings, sound);
    const again = fileChanges(client);
    edit(procedures, "'countTasks'", "'countOnce'");
    await again;
    edit(procedures, "'countOnce'", "'countTasks'");
    watching.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
