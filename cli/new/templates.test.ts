import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { dependencyNames, fill } from './fill.js';
import { findTemplate, listTemplates, readTemplate, type TemplateFile } from './templates.js';

const templates = listTemplates();

test('basic is offered first', () => {
  expect(templates[0]?.name).toBe('basic');
});

test('the message for an unknown template contains the nearest one and all others', () => {
  expect(() => findTemplate('basci', templates)).toThrow("there is no template 'basci'");
});

describe.each(templates)('template $name', (template) => {
  const files = readTemplate(template);

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
    const values = { templateName: template.name, name: 'your-app', fwSpec: 'file:../fw.tgz' };
    for (const file of files) {
      const name = file.path.replace(/^\.(?=gitignore|npmrc)/, '_');
      const source = readFileSync(join(template.directory, name), 'utf8');
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

  test('lists the dependencies, whose names its app cannot have', () => {
    expect(dependencyNames(files)).toContain('fw');
  });
});

function text(files: readonly TemplateFile[], path: string): string {
  return Buffer.from(files.find((file) => file.path === path)?.content ?? '').toString('utf8');
}
