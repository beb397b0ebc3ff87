// The templates grow from each other: a file at the same path is the same file, unless it is listed here.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findTemplate, listTemplateFolders } from '../cli/new/templates.js';

const root = fileURLToPath(new URL('.', import.meta.url));
const own = ['README.md', 'fw.toml', 'package.json'];

interface Step {
  from: string;
  to: string;
  /** The files that must differ. */
  differ: readonly string[];
  /** Scripts that the larger one does not have. */
  without?: readonly string[];
}

/** Each template with the one that it grows from. */
const steps: readonly Step[] = [
  { from: 'basic', to: 'api-only', differ: [...own, 'src/app.test.ts', 'src/app.ts', 'src/main.ts'] },
  {
    from: 'api-only',
    to: 'production',
    differ: [
      ...own,
      '.env.example',
      'src/app.test.ts',
      'src/app.ts',
      'src/env.test.ts',
      'src/env.ts',
      'src/log.ts',
      'src/main.ts',
      'src/test-app.ts',
    ],
  },
  { from: 'basic', to: 'rpc', differ: [...own, 'src/app.ts'] },
  {
    from: 'rpc',
    to: 'fullstack',
    differ: [
      ...own,
      'src/app.ts',
      'src/generate-client.ts',
      'src/main.ts',
      'src/rpc-contract.json',
      'src/rpc.ts',
    ],
    // The page takes the place of the program.
    without: ['tasks'],
  },
];

const templates = listTemplateFolders(root);
const filesOf = (name: string): Map<string, string> =>
  new Map(
    findTemplate(name, templates)
      .read()
      .map(({ path, content }) => [path, Buffer.from(content).toString('utf8')]),
  );

describe.each(steps)('$to grows from $from', ({ from, to, differ, without = [] }) => {
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
    const scripts = Object.keys(manifest(smaller).scripts).filter((name) => !without.includes(name));
    expect(Object.keys(manifest(larger).scripts)).toEqual(expect.arrayContaining(scripts));
  });
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
