// What `fw new` installs, with which package manager, and what it says if that fails; and the repository of Git.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { existing, fakeManager, installing, installs, manifest, ok } from './made-app.js';
import { runFw, temporaryDirectory } from './packed.js';

/** Of the package on npm. */
const foreign = { version: '0.1.2', description: 'a firewall', bin: {}, exports: {} };

describe('installing and git', () => {
  test('the package manager that runs fw also installs', async () => {
    const parent = temporaryDirectory();
    const env = {
      ...fakeManager(
        'yarn',
        `require("node:fs").writeFileSync("by-yarn", process.argv.slice(2).join(" ")); ${installing}`,
      ),
      npm_config_user_agent: 'yarn/4.5.0 npm/? node/v20.19.0 linux x64',
    };
    const result = await runFw(['new', 'x', '-t', 'basic', '--no-git'], { cwd: parent, env });
    ok(result);
    expect(readFileSync(join(parent, 'x/by-yarn'), 'utf8')).toBe('install');
    expect(result.stdout).toContain('yarn run dev\n');
  });

  test('a failed installation keeps the app, and prints what to run', async () => {
    const parent = temporaryDirectory();
    const env = fakeManager('npm', 'console.error("network is down"); process.exit(7)');
    const result = await runFw(['new', 'x', '-t', 'basic', '--no-git'], { cwd: parent, env });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('npm install failed with exit code 7');
    expect(result.stderr).toContain('cd x && npm install');
    expect(manifest(join(parent, 'x')).name).toBe('x');
  });

  test('a failed installation is in the JSON as well', async () => {
    const env = fakeManager('npm', 'process.exit(7)');
    const args = ['new', 'x', '-t', 'basic', '--no-git', '--json'];
    const result = await runFw(args, { cwd: temporaryDirectory(), env });
    expect(result.exitCode).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({
      name: 'x',
      installed: false,
      next: ['cd x', 'npm install', 'npm run dev'],
    });
  });

  test('the package manager of the project above installs, whatever runs fw', async () => {
    const workspace = existing({ 'pnpm-lock.yaml': '', 'package.json': '{}' });
    const env = { ...fakeManager('pnpm', installing), npm_config_user_agent: 'npm/11.0.0 node/v20.19.0' };
    const result = await runFw(['new', 'apps/x', '-t', 'basic', '--no-git'], { cwd: workspace, env });
    ok(result);
    expect(result.stdout).toContain('pnpm run dev\n');
    expect(result.stdout).toMatch(/fw new apps\/x --template basic --no-git\n$/);
  });

  test('a workspace that does not have the app is named, because nothing was installed', async () => {
    const workspace = existing({ 'pnpm-workspace.yaml': 'packages: [apps/*]\n' });
    const env = fakeManager('pnpm', 'console.log("done")');
    const args = ['new', 'tools/y', '-t', 'basic', '--no-git', '--json'];
    const result = await runFw(args, { cwd: workspace, env });
    expect(result.exitCode).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({
      installed: false,
      packageManager: 'pnpm',
      next: ['cd tools/y', 'pnpm install', 'pnpm run dev'],
    });
    expect(result.stderr).toContain(
      `fw, zod, @biomejs/biome and others are not installed: the workspace ${workspace} does not have tools/y among its packages`,
    );
    expect(result.stderr).toContain(
      `add it to packages in ${join(workspace, 'pnpm-workspace.yaml')}, then run: cd tools/y && pnpm install`,
    );
  });

  test('another package of the same name is not taken for fw', async () => {
    const env = fakeManager('npm', installs({ ...packageJson, ...foreign }));
    const args = ['new', 'x', '-t', 'basic', '--no-git', '--from-registry'];
    const result = await runFw(args, { cwd: temporaryDirectory(), env });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('the package fw that npm installed is another one: fw 0.1.2, a firewall');
  });

  test('a missing package manager is named', async () => {
    const parent = temporaryDirectory();
    const args = ['new', 'x', '-t', 'basic', '--no-git', '--package-manager', 'bun'];
    const result = await runFw(args, { cwd: parent, env: { PATH: temporaryDirectory() } });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('bun is not installed');
    expect(manifest(join(parent, 'x')).name).toBe('x');
  });

  test('git init makes no commit, and no repository inside another one; a missing git is not an error', async () => {
    const parent = temporaryDirectory();
    const noInstall = ['--template', 'basic', '--no-install'];
    ok(await runFw(['new', 'outer', ...noInstall], { cwd: parent }));
    expect(existsSync(join(parent, 'outer/.git/HEAD'))).toBe(true);
    ok(await runFw(['new', 'inner', ...noInstall], { cwd: join(parent, 'outer') }));
    expect(existsSync(join(parent, 'outer/inner/.git'))).toBe(false);
    ok(await runFw(['new', 'without', ...noInstall], { cwd: parent, env: { PATH: temporaryDirectory() } }));
    expect(existsSync(join(parent, 'without/.git'))).toBe(false);
  });
});
