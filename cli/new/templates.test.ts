import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { packageRoot } from '../process/package-root.js';
import { UsageError } from '../terminal/errors.js';
import { dependencyNames, fill } from './plan.js';
import {
  findTemplate,
  listPackedTemplates,
  listTemplateFolders,
  listTemplates,
  packTemplates,
  type TemplateFile,
} from './templates.js';

const templates = listTemplates();

test('are listed from simple to complete', () => {
  const names = ['basic', 'rpc', 'api-only', 'production', 'fullstack'];
  expect(templates.map(({ name }) => name)).toEqual(names);
  const sizes = templates.map(({ read }) => read().length);
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
});

test('others follow by their names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fw-templates-'));
  for (const name of ['zoo', 'rpc', 'art', 'basic']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'package.json'), '{}');
  }
  expect(listTemplateFolders(folder).map(({ name }) => name)).toEqual(['basic', 'rpc', 'art', 'zoo']);
  rmSync(folder, { recursive: true });
});

test('have descriptions that fit on a line of a terminal beside their names', () => {
  for (const { description } of templates) expect(description.length).toBeLessThanOrEqual(62);
});

test('are the same from the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fw-templates-'));
  for (const [name, bytes] of packTemplates(templates)) writeFileSync(join(folder, name), bytes);
  const packed = listPackedTemplates(folder);
  expect(packed.map(({ name, description }) => [name, description])).toEqual(
    templates.map(({ name, description }) => [name, description]),
  );
  for (const [index, { read }] of packed.entries()) expect(read()).toEqual(templates[index]?.read());
  rmSync(folder, { recursive: true });
});

test('the message for an unknown template contains the nearest one and all others', () => {
  expect(() => findTemplate('basci', templates)).toThrow("there is no template 'basci'");
  const folder = helpOf(() => findTemplate('framework', templates));
  expect(folder).toBe('for the folder of that name here, type: --template ./framework');
});

describe.each(templates)('template $name', (template) => {
  const files = template.read();

  test('has its own name and this version of fw, like the app that it becomes', () => {
    const manifest = JSON.parse(text(files, 'package.json'));
    expect(manifest).toMatchObject({ name: template.name, dependencies: { fw: `^${packageJson.version}` } });
    expect(template.description).not.toBe('');
  });

  test('has the scripts of every app', () => {
    const { scripts } = JSON.parse(text(files, 'package.json'));
    expect(Object.keys(scripts)).toEqual(
      expect.arrayContaining(['dev', 'build', 'start', 'test', 'typecheck', 'lint', 'format']),
    );
  });

  test('is copied unchanged except for the name and fw', () => {
    const values = valuesOf(template.name);
    for (const file of files) {
      const name = file.path.replace(/^\.(?=gitignore|npmrc)/, '_');
      const source = readFileSync(join(packageRoot(), 'templates', template.name, name), 'utf8');
      const back = Buffer.from(fill(file, values).content)
        .toString('utf8')
        .replaceAll('your-app', template.name)
        .replace('file:../fw.tgz', `^${packageJson.version}`);
      expect(back, file.path).toBe(source);
    }
    const filled = files.map((file) => fill(file, values));
    expect(text(filled, 'package.json')).toContain('"name": "your-app"');
    expect(text(filled, 'fw.toml')).toContain('name = "your-app"');
    expect(text(filled, 'README.md')).toMatch(/^# your-app\n/);
  });

  test('has a .gitignore, and nothing that building and running leave', () => {
    const paths = files.map(({ path }) => path);
    expect(paths).toContain('.gitignore');
    expect(paths.filter((path) => /^(_|node_modules|dist|\.env$)|\.db/.test(path))).toEqual([]);
  });

  test('has the line ends of its files on every system', () => {
    expect(text(files, '.gitattributes')).toContain('\n* text=auto eol=lf\n');
    const [readme] = files.filter(({ path }) => path === 'README.md');
    const content = Buffer.from(text(files, 'README.md').replaceAll('\n', '\r\n'));
    const checkedOut = fill(
      { path: 'README.md', executable: false, ...readme, content },
      valuesOf(template.name),
    );
    expect(text([checkedOut], 'README.md')).toMatch(/^# your-app\n/);
  });

  test('lists the dependencies, whose names its app cannot have', () => {
    expect(dependencyNames(files)).toContain('fw');
  });
});

function helpOf(call: () => unknown): string | undefined {
  try {
    call();
  } catch (error) {
    if (error instanceof UsageError) return error.help;
    throw error;
  }
  throw new Error('it did not fail');
}

function valuesOf(templateName: string): Parameters<typeof fill>[1] {
  return {
    templateName,
    name: 'your-app',
    fwSpec: 'file:../fw.tgz',
    fwSource: 'vendor',
    packageManager: 'npm',
    managerVersion: () => undefined,
    isWorkspaceMember: false,
  };
}

function text(files: readonly TemplateFile[], path: string): string {
  return Buffer.from(files.find((file) => file.path === path)?.content ?? '').toString('utf8');
}
