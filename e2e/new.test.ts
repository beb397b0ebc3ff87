// What `fw new` writes and prints: where it may write, and what it leaves after a failure.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { existing, fakeManager, installing, manifest, ok, tree } from './made-app.js';
import { runFw, temporaryDirectory } from './packed.js';

const basic = ['--template', 'basic', '--no-install', '--no-git'];

describe('the directory of the app', () => {
  test('may be the current directory, which gives the name', async () => {
    const here = join(temporaryDirectory(), 'here');
    mkdirSync(here);
    ok(await runFw(['new', '.', ...basic], { cwd: here }));
    expect(manifest(here).name).toBe('here');
  });

  test('may be outside of the current directory, with parents that do not exist', async () => {
    const parent = temporaryDirectory();
    mkdirSync(join(parent, 'work'));
    const result = await runFw(['new', '../x/y', ...basic], { cwd: join(parent, 'work') });
    ok(result);
    expect(manifest(join(parent, 'x/y')).name).toBe('y');
    expect(result.stdout).toContain('cd ../x/y\n');
  });

  test('may have another name than the app', async () => {
    const parent = temporaryDirectory();
    ok(await runFw(['new', 'My App', '--name', '@scope/app', ...basic], { cwd: parent }));
    expect(manifest(join(parent, 'My App')).name).toBe('@scope/app');
  });

  test('is quoted in the next steps and the command if necessary', async () => {
    const result = await runFw(['new', "it's here/app", ...basic], { cwd: temporaryDirectory() });
    ok(result);
    expect(result.stdout).toContain(`cd 'it'\\''s here/app'\n`);
    expect(result.stdout).toContain(`fw new 'it'\\''s here/app' --template basic --no-install --no-git\n`);
  });
});

describe('a directory with files', () => {
  test('is refused with the list of files that differ, and is not changed', async () => {
    const app = existing({ 'package.json': '{}', 'src/app.ts': 'mine', 'notes.txt': 'mine' });
    const result = await runFw(['new', '.', '--name', 'x', ...basic], { cwd: app });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('package.json, src/app.ts\n');
    expect(result.stderr).not.toContain('notes.txt');
    expect(tree(app)).toEqual(['notes.txt', 'package.json', 'src/app.ts']);
    expect(readFileSync(join(app, 'src/app.ts'), 'utf8')).toBe('mine');
  });

  test('--force overwrites these, and keeps all others', async () => {
    const app = existing({ 'src/app.ts': 'mine', 'src/other.ts': 'mine', LICENSE: 'mine' });
    ok(await runFw(['new', '.', '--name', 'x', '--force', ...basic], { cwd: app }));
    expect(readFileSync(join(app, 'src/app.ts'), 'utf8')).toContain('new App()');
    expect(readFileSync(join(app, 'src/other.ts'), 'utf8')).toBe('mine');
    expect(readFileSync(join(app, 'LICENSE'), 'utf8')).toBe('mine');
    expect(tree(app).filter((path) => path.startsWith('.fw'))).toEqual([]);
  });

  test('is accepted if no file conflicts, also with the same app', async () => {
    const app = existing({ LICENSE: 'mine', '.git/HEAD': 'ref: refs/heads/main' });
    ok(await runFw(['new', '.', '--name', 'x', ...basic], { cwd: app }));
    ok(await runFw(['new', '.', '--name', 'x', ...basic], { cwd: app }));
  });

  test('a symbolic link inside it is not followed, even with --force', async () => {
    const outside = temporaryDirectory();
    const app = existing({});
    symlinkSync(outside, join(app, 'src'));
    const result = await runFw(['new', '.', '--name', 'x', '--force', ...basic], { cwd: app });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('symbolic link');
    expect([tree(outside), tree(app)]).toEqual([[], ['src']]);
  });
});

describe('output for other programs', () => {
  test('--list and --list --json', async () => {
    expect((await runFw(['new', '--list'])).stdout).toMatch(/^basic +\S/);
    const [first, ...others] = JSON.parse((await runFw(['new', '--list', '--json'])).stdout);
    expect(first).toEqual({ name: 'basic', description: expect.any(String), isDefault: true });
    expect(others.at(-1)).toMatchObject({ name: 'fullstack', isDefault: false });
    const refused = await runFw(['new', 'app', '--list']);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain("--list and the name 'app' cannot be used together");
  });

  test('--dry-run prints the plan and writes nothing', async () => {
    const parent = temporaryDirectory();
    const result = await runFw(['new', 'a/b', '-t', 'basic', '--dry-run'], { cwd: parent });
    ok(result);
    expect(result.stdout).toContain('+ src/app.ts');
    expect(tree(parent)).toEqual([]);
  });

  test('--json prints one document on standard output, even if the installer prints too', async () => {
    const parent = temporaryDirectory();
    const env = fakeManager('pnpm', `console.log("installed, says pnpm"); ${installing}`);
    const args = ['new', 'x', '-t', 'basic', '--package-manager', 'pnpm', '--json', '--no-git'];
    const result = await runFw(args, { cwd: parent, env });
    ok(result);
    expect(result.stderr).toContain('installed, says pnpm');
    expect(JSON.parse(result.stdout)).toMatchObject({
      name: 'x',
      directory: join(parent, 'x'),
      template: 'basic',
      installed: true,
      git: false,
      dryRun: false,
      next: ['cd x', 'pnpm run dev'],
    });
  });
});

describe('an interrupted run leaves nothing and exits with 130', () => {
  const waiting = 'process.stdout.write("waiting\\n"); setInterval(() => {}, 1000)';

  test.each(['SIGINT', 'SIGTERM'] as const)('%s while the installer runs', async (signal) => {
    const parent = temporaryDirectory();
    const env = fakeManager('npm', `require("node:fs").mkdirSync("node_modules"); ${waiting}`);
    const result = await runFw(['new', 'a/x', '-t', 'basic'], {
      cwd: parent,
      env,
      signal,
      signalAfter: 'waiting',
    });
    expect([result.exitCode, tree(parent)]).toEqual([130, []]);
    expect(result.stderr).toContain('nothing was left behind');
  });

  test('in a workspace, what the installer did to it is named', async () => {
    const workspace = existing({ 'package.json': '{"workspaces":["apps/*"]}' });
    const env = fakeManager('npm', waiting);
    const args = ['new', 'apps/x', '-t', 'basic'];
    const result = await runFw(args, { cwd: workspace, env, signal: 'SIGINT', signalAfter: 'waiting' });
    expect([result.exitCode, tree(workspace)]).toEqual([130, ['package.json']]);
    expect(result.stderr).not.toContain('nothing was left behind');
    expect(result.stderr).toContain(`the workspace ${workspace} may have packages of it in node_modules`);
    expect(result.stderr).toContain(`help: run: cd ${workspace} && npm install`);
  });

  test('in a directory with files, these are not changed', async () => {
    const app = existing({ 'src/app.ts': 'mine', 'src/other.ts': 'mine' });
    const env = fakeManager('npm', `require("node:fs").mkdirSync("node_modules"); ${waiting}`);
    const args = ['new', '.', '--name', 'x', '-t', 'basic', '--force'];
    const result = await runFw(args, { cwd: app, env, signal: 'SIGINT', signalAfter: 'waiting' });
    expect([result.exitCode, tree(app)]).toEqual([130, ['src/app.ts', 'src/other.ts']]);
    expect(readFileSync(join(app, 'src/app.ts'), 'utf8')).toBe('mine');
  });

  test('the app is always either complete or absent', async () => {
    for (let afterMs = 20; afterMs <= 120; afterMs += 10) {
      const parent = temporaryDirectory();
      const args = ['new', 'x', '--template', 'basic', '--no-install'];
      const result = await runFw(args, { cwd: parent, signal: 'SIGINT', signalAfterMs: afterMs });
      // A signal in the last moment also ends the process, after everything is written and printed.
      const done = result.stdout.includes('\nNext:\n');
      expect(readdirSync(parent)).toEqual(done ? ['x'] : []);
      expect(existsSync(join(parent, 'x/src/main.ts'))).toBe(done);
      if (!done && result.signal === null) expect(result.exitCode).toBe(130);
    }
  });
});

test('a directory without write permission is an error, and nothing is left', async () => {
  const parent = temporaryDirectory();
  chmodSync(parent, 0o555);
  const result = await runFw(['new', 'x', ...basic], { cwd: parent, unprivileged: true });
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain('permission denied');
  expect(readdirSync(parent)).toEqual([]);
});
