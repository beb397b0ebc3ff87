// The report of fw new on its plan, and on a plan with nothing to write.
import { describe, expect, it } from 'vitest';
import { createdText, planText, resultJson, templatesJson, untouched } from './new-report.js';
import type { Plan } from './plan.js';

const plan = (more: Partial<Plan> = {}): Plan => ({
  name: 'my-app',
  template: 'basic',
  directory: '/projects/my-app',
  path: 'my-app',
  exists: true,
  fwSpec: 'file:vendor/fw-0.9.0.tgz',
  fwSource: 'vendor',
  packageManager: 'npm',
  files: [{ path: 'package.json', content: Buffer.from('{}'), executable: false }],
  overwritten: [],
  install: false,
  git: false,
  workTree: undefined,
  workspace: undefined,
  command: 'fw new my-app',
  next: ['cd my-app'],
  ...more,
});

const carried = 'The app carries its fw in vendor/fw-0.9.0.tgz: commit it with the app\n';

describe('the report', () => {
  it('counts the files', () => {
    expect(createdText(plan())).toBe(`Created my-app from the template basic (1 file)\n${carried}`);
    const files = ['a', 'b'].map((path) => ({ path, content: Buffer.from(''), executable: false }));
    expect(createdText(plan({ files, path: '.' }))).toBe(
      `Created my-app in this directory from the template basic (2 files)\n${carried}`,
    );
  });

  it('does not speak of a tarball where the app carries none', () => {
    expect(createdText(plan({ fwSource: 'registry', fwSpec: '^0.9.0' }))).not.toContain('carries');
  });

  it('says that .env has new secrets, and shows none', () => {
    const env = { path: '.env', content: Buffer.from('A=hush'), executable: false, isSecret: true };
    const made = plan({ files: [env] });
    expect(createdText(made)).toContain('\nMade .env from .env.example, with new secrets for development\n');
    expect(planText(made)).toContain('\n  + .env (from .env.example, with new secrets)\n');
    expect(JSON.parse(resultJson(made, untouched))).toMatchObject({ files: ['.env'] });
    expect(`${createdText(made)}${planText(made)}${resultJson(made, untouched)}`).not.toContain('hush');
  });

  it('names the files that are overwritten, as text and as JSON', () => {
    const files = ['a', 'b'].map((path) => ({ path, content: Buffer.from(''), executable: false }));
    const made = plan({ files, overwritten: ['b'] });
    expect(planText(made)).toContain('\n  + a\n  ! b (overwritten)\n');
    expect(JSON.parse(resultJson(made, untouched))).toMatchObject({ files: ['a', 'b'], overwritten: ['b'] });
  });

  it('has as JSON which template is taken without a choice: the first', () => {
    const templates = ['basic', 'rpc'].map((name) => ({
      name,
      description: `about ${name}`,
      read: () => [],
    }));
    expect(JSON.parse(templatesJson(templates))).toEqual([
      { name: 'basic', description: 'about basic', isDefault: true },
      { name: 'rpc', description: 'about rpc', isDefault: false },
    ]);
  });

  it('says that there is nothing to do if all files exist', () => {
    const said = 'my-app has every file of the template basic already: nothing to write\n';
    expect(createdText(plan({ files: [] }))).toBe(said);
    expect(planText(plan({ files: [] })).startsWith(said)).toBe(true);
    expect(createdText(plan({ files: [], path: '.' }))).toMatch(/^This directory has every file /);
    expect(JSON.parse(resultJson(plan({ files: [] }), untouched))).toMatchObject({ files: [], dryRun: true });
  });
});
