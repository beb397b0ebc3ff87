// The page about growing shows the steps as they are: its diffs lead from one template to the next.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changesOf, diffOf, filesOf, namedFiles, page, type Step, steps, withDiffs } from './growth.js';

const text = readFileSync(page, 'utf8');

test('the page has the diffs of the templates as they are', () => {
  expect(withDiffs(text) === text, 'run: npx tsx templates/growth.ts').toBe(true);
});

describe.each(steps)('$from to $to', (step) => {
  test('its diff applies to an app of the smaller template', () => {
    const larger = namedFiles(step.to, step);
    const grown = applied(step);
    for (const path of changesOf(step)) expect(grown.get(path), path).toBe(larger.get(path));
  });

  test('what is removed is not in the larger template', () => {
    const [smaller, larger] = [filesOf(step.from), filesOf(step.to)];
    for (const path of step.without ?? []) {
      expect(smaller.has(path), path).toBe(true);
      // A file that is replaced keeps its name.
      if (!step.differ.includes(path)) expect(larger.has(path), path).toBe(false);
    }
    // So copying what is new, taking what differs and removing those gives the larger template.
    const grown = [...smaller.keys()].filter((path) => !step.without?.includes(path));
    expect(grown.filter((path) => !larger.has(path))).toEqual([]);
    const section = text.slice(text.indexOf(`## From ${step.from} to ${step.to}`)).split('\n## ')[0] ?? '';
    const [before, after] = [namedFiles(step.from, step), namedFiles(step.to, step)];
    const differ = step.differ.filter((path) => before.get(path) !== after.get(path));
    for (const path of [...differ, ...(step.without ?? [])]) expect(section, path).toContain(path);
  });
});

/** What the diff of the page makes of the smaller template. */
function applied(step: Step): Map<string, string> {
  const directory = mkdtempSync(join(tmpdir(), 'fw-growth-'));
  try {
    const smaller = namedFiles(step.from, step);
    for (const path of changesOf(step)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), smaller.get(path) ?? '');
    }
    const input = diffOf(text, step);
    const { status, stderr } = spawnSync('git', ['apply', '-'], { cwd: directory, input, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    return new Map(changesOf(step).map((path) => [path, readFileSync(join(directory, path), 'utf8')]));
  } finally {
    rmSync(directory, { recursive: true });
  }
}
