// The templates grow from each other: a file at the same path is the same file, unless growth.ts lists it.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { listTemplateFolders } from '../cli/new/templates.js';
import { filesOf, steps } from './growth.js';

const templates = listTemplateFolders(fileURLToPath(new URL('.', import.meta.url)));

describe.each(steps)('$to grows from $from', ({ from, to, differ, withoutScripts = [] }) => {
  const smaller = filesOf(from);
  const larger = filesOf(to);
  const shared = [...smaller.keys()].filter((path) => larger.has(path));

  test('a file of both is the same, unless it is listed', () => {
    expect(shared.filter((path) => smaller.get(path) !== larger.get(path))).toEqual([...differ].sort());
  });

  test('scripts and dependencies of both are the same, unless the larger needs more', () => {
    for (const field of ['dependencies', 'devDependencies', 'engines'] as const) {
      expect(manifest(larger)[field], field).toMatchObject(manifest(smaller)[field]);
    }
    const scripts = Object.keys(manifest(smaller).scripts).filter((name) => !withoutScripts.includes(name));
    expect(Object.keys(manifest(larger).scripts)).toEqual(expect.arrayContaining(scripts));
  });
});

/** What both templates that are deployed have alike. */
const deployed = [
  '.dockerignore',
  '.github/workflows/ci.yml',
  'Dockerfile',
  'RUNBOOK.md',
  'compose.yaml',
  'deploy/app.service',
  'src/log.ts',
  'src/server-env.ts',
  'src/telemetry.ts',
];

test('production and fullstack are deployed by the same files', () => {
  const [production, fullstack] = [filesOf('production'), filesOf('fullstack')];
  for (const path of deployed) {
    expect(production.has(path), path).toBe(true);
    expect(fullstack.get(path), path).toBe(production.get(path));
  }
});

test('every template but the first grows from another one, and has its linter', () => {
  const grown = steps.map(({ to }) => to);
  expect(templates.map(({ name }) => name).sort()).toEqual(['basic', ...grown].sort());
  const settings = templates.map(({ name }) => filesOf(name).get('biome.json'));
  expect(new Set(settings).size).toBe(1);
});

type Manifest = Record<'scripts' | 'dependencies' | 'devDependencies' | 'engines', Record<string, string>>;

function manifest(files: ReadonlyMap<string, string>): Manifest {
  return JSON.parse(files.get('package.json') ?? '{}');
}
