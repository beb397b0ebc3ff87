// The plan of fw new with real directories and the real templates.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import type { PackageManager } from '../manager/package-manager.js';
import { packageRoot } from '../process/package-root.js';
import { tarballPath } from '../vendor/fw-dependency.js';
import { ownPackage } from '../vendor/own-package.js';
import { makePlan, nextAfterFailure, type Plan, retryInstall } from './plan.js';
import { commandIn, quote } from './quote.js';
import type { Request } from './request.js';
import { findTemplate, listTemplates } from './templates.js';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'fw-plan-')));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(cwd, { recursive: true });
});

function plan(more: Partial<Request> = {}): Plan {
  const request: Request = {
    argument: 'my-app',
    name: undefined,
    template: findTemplate('basic', listTemplates()),
    fwSource: 'vendor',
    packageManager: 'npm',
    install: true,
    git: true,
    force: false,
    ...more,
  };
  return makePlan(request, cwd);
}

function write(files: Plan['files']): void {
  for (const { path, content } of files) {
    mkdirSync(join(cwd, 'my-app', path, '..'), { recursive: true });
    writeFileSync(join(cwd, 'my-app', path), content);
  }
}

describe('makePlan', () => {
  it('contains every file of the template with the name filled in, and writes none', () => {
    const made = plan();
    expect(made.files.map(({ path }) => path)).toEqual(expect.arrayContaining(['.gitignore', 'src/main.ts']));
    const manifest = made.files.find(({ path }) => path === 'package.json');
    expect(JSON.parse(String(manifest?.content)).name).toBe('my-app');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('omits files that already exist with the same content', () => {
    const { files } = plan();
    write(files);
    expect(plan()).toMatchObject({ files: [], overwritten: [], exists: true });
    rmSync(join(cwd, 'my-app/src/main.ts'));
    expect(plan().files.map(({ path }) => path)).toEqual(['src/main.ts']);
  });

  it('refuses to overwrite without --force', () => {
    write(plan().files);
    writeFileSync(join(cwd, 'my-app/src/main.ts'), 'mine');
    expect(() => plan()).toThrow("my-app has files that differ from the app's: src/main.ts");
    expect(plan({ force: true })).toMatchObject({ overwritten: ['src/main.ts'] });
  });

  it('makes a .env, and leaves one that exists, with --force too', () => {
    const template = findTemplate('api-only', listTemplates());
    const env = plan({ template }).files.find(({ path }) => path === '.env');
    expect(String(env?.content)).toMatch(/^JWT_SECRET=[\w-]{43}$/m);
    write(plan({ template }).files);
    expect(plan({ template })).toMatchObject({ files: [], overwritten: [] });
    writeFileSync(join(cwd, 'my-app/.env'), 'mine');
    expect(plan({ template, force: true })).toMatchObject({ files: [], overwritten: [] });
    rmSync(join(cwd, 'my-app/.env'));
    expect(plan({ template }).files.map(({ path }) => path)).toEqual(['.env']);
    // Making a link needs a right on Windows.
    if (process.platform === 'win32') return;
    symlinkSync('nowhere', join(cwd, 'my-app/.env'));
    expect(plan({ template }).files).toEqual([]);
  });

  it('carries the tarball of this fw, unless it comes from a registry or is linked', () => {
    const fwIn = (made: Plan): unknown => manifestOf(made).dependencies.fw;
    const vendored = plan();
    const path = tarballPath(packageJson.version);
    expect(fwIn(vendored)).toBe(`file:${path}`);
    const carried = vendored.files.find((file) => file.path === path);
    expect(Buffer.compare(carried?.content ?? Buffer.from(''), ownPackage().content)).toBe(0);
    for (const [fwSource, spec] of [
      ['registry', `^${packageJson.version}`],
      ['link', `file:${packageRoot().replaceAll('\\', '/')}`],
    ] as const) {
      const made = plan({ fwSource });
      expect(fwIn(made)).toBe(spec);
      expect(made.files.map((file) => file.path)).not.toContain(path);
    }
    for (const [packageManager, protocol] of [
      ['pnpm', 'link'],
      ['yarn', 'link'],
      ['bun', 'file'],
    ] as const) {
      expect(fwIn(plan({ fwSource: 'link', packageManager }))).toBe(
        `${protocol}:${packageRoot().replaceAll('\\', '/')}`,
      );
    }
  });

  it.each<[PackageManager, string[]]>([
    ['npm', []],
    ['bun', []],
    ['pnpm', ['pnpm-workspace.yaml']],
    ['yarn', ['.yarnrc.yml']],
  ])('has the settings that %s needs', (packageManager, expected) => {
    const usual = plan().files.map(({ path }) => path);
    const paths = plan({ packageManager }).files.map(({ path }) => path);
    expect(paths.filter((path) => !usual.includes(path))).toEqual(expected);
  });

  it('keeps settings of a package manager that exist, and has none in a workspace', () => {
    mkdirSync(join(cwd, 'my-app'));
    writeFileSync(join(cwd, 'my-app/.yarnrc.yml'), 'mine');
    const settings = (packageManager: PackageManager): string[] =>
      plan({ packageManager })
        .files.map(({ path }) => path)
        .filter((path) => /yarn|pnpm/.test(path));
    expect(settings('yarn')).toEqual([]);
    rmSync(join(cwd, 'my-app'), { recursive: true });
    // Yarn takes any project above for that of the app.
    writeFileSync(join(cwd, 'package.json'), '{"workspaces":["apps/*"]}');
    expect(settings('yarn').sort()).toEqual(['.yarnrc.yml', 'yarn.lock']);
    writeFileSync(join(cwd, 'package.json'), '{"workspaces":["my-*"]}');
    expect(settings('yarn')).toEqual([]);
    expect(manifestOf(plan())).not.toHaveProperty('allowScripts');
    expect(plan()).toMatchObject({ git: false });
    expect(plan({ argument: 'elsewhere' })).toMatchObject({ git: true });
    writeFileSync(join(cwd, 'pnpm-workspace.yaml'), 'packages: [apps/*]');
    expect(settings('pnpm')).toEqual([]);
  });

  it.each<[PackageManager, string, string]>([
    ['npm', 'package-lock.json', 'npm ci'],
    ['pnpm', 'pnpm-lock.yaml', 'npx --yes pnpm@9.8.7 install --frozen-lockfile'],
    ['bun', 'bun.lock', 'npx --yes bun@9.8.7 install --frozen-lockfile'],
    ['yarn', 'yarn.lock', 'npx --yes @yarnpkg/cli-dist@9.8.7 install --immutable'],
  ])('has the commands of %s in the Dockerfile and CI', (packageManager, lock, install) => {
    vi.stubEnv('npm_config_user_agent', `${packageManager}/9.8.7 npm/? node/v20.19.0`);
    const template = findTemplate('production', listTemplates());
    const made = plan({ template, packageManager });
    const text = (path: string): string => String(made.files.find((file) => file.path === path)?.content);
    expect(text('Dockerfile')).toMatch(
      new RegExp(`^COPY package\\.json ${lock}.* \\./\nCOPY vendor \\./vendor\nRUN ${install}$`, 'm'),
    );
    expect(text('.github/workflows/ci.yml')).toContain(`- run: ${install}\n`);
    expect(text('.github/workflows/ci.yml').includes('cache: npm')).toBe(packageManager === 'npm');
    const registry = plan({ template, packageManager, fwSource: 'registry' });
    expect(String(registry.files.find((file) => file.path === 'Dockerfile')?.content)).not.toContain(
      'vendor',
    );
    vi.stubEnv('npm_config_user_agent', 'yarn/1.22.22 npm/? node/v20.19.0');
    const classic = plan({ template, packageManager: 'yarn' }).files.find(
      (file) => file.path === 'Dockerfile',
    );
    expect(String(classic?.content)).toContain('RUN npx --yes yarn@1.22.22 install --frozen-lockfile\n');
  });

  it('has the next commands', () => {
    expect(plan().next).toEqual(['cd my-app', 'npm run dev']);
    expect(plan({ argument: 'a b', name: 'ab', install: false, packageManager: 'pnpm' }).next).toEqual([
      `cd ${quote('a b')}`,
      'pnpm install',
      'pnpm run dev',
    ]);
    expect(plan({ argument: '.', name: 'here' }).next).toEqual(['npm run dev']);
    expect(nextAfterFailure(plan())).toEqual(['cd my-app', 'npm install', 'npm run dev']);
    expect(retryInstall(plan())).toBe(commandIn('my-app', 'npm install'));
  });

  it('has the command to repeat it, as it was called', () => {
    vi.stubEnv('npm_command', 'run-script');
    vi.stubEnv('npm_config_package', './fw-0.9.0.tgz');
    expect(plan().command).toBe('fw new my-app --template basic');
    vi.stubEnv('npm_command', 'exec');
    expect(plan().command).toBe('npx --package=./fw-0.9.0.tgz fw new my-app --template basic');
    vi.stubEnv('npm_config_package', '');
    expect(plan().command).toBe('fw new my-app --template basic');
  });

  it('does not create a repository inside another one', () => {
    mkdirSync(join(cwd, '.git'));
    expect(plan().workTree).toBe(cwd);
  });

  it("refuses the name of one of the app's dependencies", () => {
    expect(() => plan({ name: 'fw' })).toThrow("an app called 'fw' could not depend on the package fw");
  });
});

function manifestOf({ files }: Plan): { dependencies: Record<string, unknown>; allowScripts?: object } {
  return JSON.parse(String(files.find(({ path }) => path === 'package.json')?.content));
}
