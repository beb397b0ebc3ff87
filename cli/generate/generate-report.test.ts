// The lines of `fw generate` about files, findings and errors of the build.
import { beforeEach, expect, it } from 'vitest';
import { absolutePath } from '../../framework/files/absolute-path.js';
import { plainColors } from '../terminal/color.js';
import { GenerateReport, summaryOf } from './generate-report.js';
import type { Generated } from './generation.js';

let lines: string[];
let report: GenerateReport;
beforeEach(() => {
  lines = [];
  const print = (line: string): void => void lines.push(line);
  report = new GenerateReport('/app', '/app', { colors: plainColors, isTTY: false, clear() {}, print });
});

const file = (name: string) => absolutePath(`/app/${name}`);
const made = (name: string, before: string | undefined, after: string | undefined) => ({
  file: file(name),
  before,
  after,
});

it('names the files that are not up to date, and no map, whose places move', () => {
  const files = [
    made('a.ts', undefined, 'new'),
    made('b.ts', 'old', 'new'),
    made('same.ts', 'same', 'same'),
    made('none.ts', 'old', undefined),
    { ...made('c.d.ts.map', 'old', 'new'), isLocal: true },
  ];
  expect(report.stale(files)).toBe('a.ts is missing, b.ts is not up to date');
  expect(report.stale(files.slice(2))).toBeUndefined();
});

it('shows five findings, and how many more there are', () => {
  const findings = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      message: `finding ${index + 1}`,
      place: { file: file('missing.ts'), line: 1, column: 1 },
    }));
  report.failed({ ok: false, findings: findings(5) });
  expect(lines.filter((line) => line.startsWith('error: '))).toHaveLength(5);
  expect(lines.join()).not.toContain('more');
  report.warnings(findings(6));
  expect(lines.filter((line) => line.startsWith('warning: '))).toHaveLength(5);
  expect(lines.at(-1)).toBe('and 1 warning more');
});

it('counts the columns of esbuild from 1', () => {
  const location = {
    file: 'gone.ts',
    line: 3,
    column: 4,
    namespace: '',
    length: 1,
    lineText: '',
    suggestion: '',
  };
  report.failed({
    ok: false,
    build: [{ id: '', pluginName: '', text: 'no', location, notes: [], detail: 0 }],
  });
  expect(lines.join('\n')).toContain('gone.ts:3:5');
});

it('names files that are far from the folder by their whole paths', () => {
  expect(['src/a.ts', '../web/a.ts'].map((name) => report.name(file(name)))).toEqual([
    'src/a.ts',
    '../web/a.ts',
  ]);
  const deep = new GenerateReport('/app', '/app/one/two/three', {
    colors: plainColors,
    isTTY: false,
    clear() {},
    print() {},
  });
  expect(deep.name(file('a.ts'))).toBe(file('a.ts'));
});

it('has no changes in the summary of a client that is the same, and null without one to compare', () => {
  const summary = (before: string | undefined, after: string): object => {
    const types = made('client.ts', before, after);
    const result: Generated & { ok: true } = {
      ok: true,
      client: { files: [types], types },
      contract: made('src/rpc-contract.json', undefined, undefined),
      procedures: 0,
      warnings: [],
      isStored: false,
      times: { types: 1, build: 1, run: 1 },
    };
    return summaryOf(result);
  };
  const files = (isChanged: boolean) => [{ file: file('client.ts'), isChanged }];
  expect(summary('not a client', 'not a client')).toMatchObject({ changes: [], files: files(false) });
  expect(summary(undefined, 'new')).toMatchObject({ changes: null, files: files(true) });
  expect(summary('not a client', 'new')).toMatchObject({ changes: null });
});
