// What README.md and new.md say of `fw new`: the outputs, numbers and templates that there are.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { packageRoot } from '../process/package-root.js';
import { createdText, installingText } from './new-report.js';
import { makePlan, type Plan } from './plan.js';
import { findTemplate, listTemplates } from './templates.js';

const templates = listTemplates();
const version = packageJson.version.replaceAll('.', '\\.');
const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

/** An app of that name, in a directory that does not exist. */
function planned(argument: string, template: string): Plan {
  const request = {
    argument,
    name: undefined,
    template: findTemplate(template, templates),
    fwSource: 'vendor' as const,
    packageManager: 'npm' as const,
    install: true,
    git: true,
    force: false,
  };
  return makePlan(request, join(packageRoot(), 'there-is-no-such-folder'));
}

it('cli/docs/new.md shows what fw new prints, with the number of files', () => {
  const screen = /\n\$ [^\n]*fw new[^\n]*\n([\s\S]*?)```/.exec(read('cli/docs/new.md'))?.[1] ?? '';
  const plan = planned('my-app', 'basic');
  expect(screen).toContain(createdText(plan));
  expect(screen).not.toContain(installingText(plan));
  expect(screen).toContain(`Next:\n${plan.next.map((step) => `  ${step}\n`).join('')}`);
});

describe.each(['README.md', 'cli/docs/new.md'])('%s', (path) => {
  const text = read(path);

  it('has no number of packages, which changes with every release of one', () => {
    expect(text).not.toMatch(/\d+ (?:packages|dependencies)\b|added \d+/);
  });

  it('names this version alone, and every template', () => {
    const versions = [...text.matchAll(/\bfw-(\d+\.\d+\.\d+)\.tgz/g)].map(([, found]) => found);
    expect(versions.length).toBeGreaterThan(0);
    expect(new Set(versions)).toEqual(new Set([packageJson.version]));
    const rows = [...text.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
    expect(rows).toEqual(expect.arrayContaining(templates.map(({ name }) => name)));
  });
});

describe('the first screen of README.md', () => {
  const screen = read('README.md').split('\n').slice(0, 25).join('\n');

  it('has a picture, the two commands, the tarball and the documentation', () => {
    expect(screen).toMatch(/src="framework\/docs\/pictures\//);
    expect(screen).toMatch(
      new RegExp(`^npx --package=\\./fw-${version}\\.tgz fw new shop .*\\ncd shop && npm run dev$`, 'm'),
    );
    expect(screen).toContain('[Tutorial](framework/docs/tutorial.md)');
    expect(screen).toContain('[contents](framework/docs/contents.md)');
    expect(screen.match(/on npm/g)).toHaveLength(1);
  });

  it('leads to sections that are there', () => {
    const headings = [...read('README.md').matchAll(/^## (.*)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    const links = [...read('README.md').matchAll(/\]\(#([^)]*)\)/g)].map(([, link]) => link);
    expect(headings).toEqual(expect.arrayContaining(links));
  });
});
