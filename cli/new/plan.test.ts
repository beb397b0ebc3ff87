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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlan, type Plan, retryInstall } from './plan.js';
import type { Request } from './request.js';
import { findTemplate, listTemplates } from './templates.js';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'fw-plan-')));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function plan(more: Partial<Request> = {}): Plan {
  const request: Request = {
    argument: 'my-app',
    name: undefined,
    template: findTemplate('basic', listTemplates()),
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
    symlinkSync('nowhere', join(cwd, 'my-app/.env'));
    expect(plan({ template }).files).toEqual([]);
  });

  it('has the next commands', () => {
    expect(plan().next).toEqual(['cd my-app', 'npm run dev']);
    expect(plan({ argument: 'a b', name: 'ab', install: false, packageManager: 'pnpm' }).next).toEqual([
      "cd 'a b'",
      'pnpm install',
      'pnpm run dev',
    ]);
    expect(plan({ argument: '.', name: 'here' }).next).toEqual(['npm run dev']);
    expect(retryInstall(plan())).toBe('cd my-app && npm install');
  });

  it('does not create a repository inside another one', () => {
    mkdirSync(join(cwd, '.git'));
    expect(plan().workTree).toBe(cwd);
  });

  it("refuses the name of one of the app's dependencies", () => {
    expect(() => plan({ name: 'fw' })).toThrow("an app called 'fw' could not depend on the package fw");
  });
});
