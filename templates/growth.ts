// How the templates grow from each other: what a step adds, and what it changes, as diffs in cli/docs/growing.md. After a
// change of a template: npx tsx templates/growth.ts
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findTemplate, listTemplateFolders } from '../cli/new/templates.js';

export interface Step {
  readonly from: string;
  readonly to: string;
  /** The files that must differ. */
  readonly differ: readonly string[];
  /** Files of the smaller one whose place others take. */
  readonly without?: readonly string[];
  /** Scripts that the larger one does not have. */
  readonly withoutScripts?: readonly string[];
}

const own = ['AGENTS.md', 'README.md', 'fw.toml', 'package.json'];

/** Each template with the one that it grows from. */
export const steps: readonly Step[] = [
  {
    from: 'basic',
    to: 'rpc',
    differ: [...own, 'src/app.ts'],
    without: ['src/app.test.ts', 'src/notes.ts'],
  },
  {
    from: 'rpc',
    to: 'fullstack',
    differ: [
      ...own,
      'src/app.ts',
      'src/generate-client.ts',
      'src/log.ts',
      'src/main.ts',
      'src/rpc-contract.json',
      'src/rpc.ts',
    ],
    without: ['src/client.ts', 'src/home.ts', 'src/rpc.test.ts', 'src/tasks-command.ts', 'src/tasks.ts'],
    // The page takes the place of the program.
    withoutScripts: ['tasks'],
  },
  {
    from: 'basic',
    to: 'api-only',
    differ: [...own, 'src/app.test.ts', 'src/app.ts', 'src/main.ts'],
    without: ['src/home.ts', 'src/notes.ts'],
  },
  {
    from: 'api-only',
    to: 'production',
    differ: [
      ...own,
      '.env.example',
      'src/app.test.ts',
      'src/app.ts',
      'src/database/columns.test.ts',
      'src/env.test.ts',
      'src/env.ts',
      'src/log.ts',
      'src/main.ts',
      'src/test-app.ts',
    ],
  },
];

/** What people have changed in their app, so that the page shows how it changes; the others are taken from the next template. */
const shown = ['fw.toml', 'package.json', 'src/app.ts', 'src/main.ts', 'src/rpc.ts'];

export const page: string = fileURLToPath(new URL('../cli/docs/growing.md', import.meta.url));

const templates = listTemplateFolders(fileURLToPath(new URL('.', import.meta.url)));

/** The files of a template, as an app gets them. */
export function filesOf(name: string): Map<string, string> {
  const files = findTemplate(name, templates).read();
  return new Map(files.map(({ path, content }) => [path, Buffer.from(content).toString('utf8')]));
}

/** The files of a template in an app called my-app, with the description that the app had. */
export function namedFiles(name: string, { from }: Step): Map<string, string> {
  const described = /"description": .*/;
  const [description = ''] = described.exec(filesOf(from).get('package.json') ?? '') ?? [];
  const files = filesOf(name);
  const change = (path: string, how: (text: string) => string): void =>
    void files.set(path, how(files.get(path) ?? ''));
  change('package.json', (text) =>
    text.replace(`"name": "${name}"`, '"name": "my-app"').replace(described, description),
  );
  change('fw.toml', (text) => text.replace(`name = "${name}"`, 'name = "my-app"'));
  return files;
}

/** The files of a step whose changes the page shows. */
export function changesOf({ differ }: Step): string[] {
  return differ.filter((path) => shown.includes(path));
}

/** Where the page has the diff of a step. */
export function blockOf(step: Step): { begin: string; end: string } {
  const name = `${step.from} to ${step.to}`;
  return { begin: `<!-- ${name} -->\n\n\`\`\`diff\n`, end: `\`\`\`\n\n<!-- end of ${name} -->` };
}

export function diffOf(text: string, step: Step): string {
  const { begin, end } = blockOf(step);
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`${page} has no diff from ${step.from} to ${step.to}`);
  return text.slice(from + begin.length, to);
}

/** The page with the diffs of the templates as they are. */
export function withDiffs(text: string): string {
  return steps.reduce((all, step) => {
    const { begin, end } = blockOf(step);
    return all.replace(begin + diffOf(all, step) + end, () => begin + madeDiff(step) + end);
  }, text);
}

function madeDiff(step: Step): string {
  const directory = mkdtempSync(join(tmpdir(), 'fw-growth-'));
  try {
    for (const [side, name] of [
      ['a', step.from],
      ['b', step.to],
    ] as const) {
      const files = namedFiles(name, step);
      for (const path of changesOf(step)) write(join(directory, side, path), files.get(path) ?? '');
    }
    const args = ['diff', '--no-index', '--no-color', '--no-ext-diff', '--no-prefix', '-U2', 'a', 'b'];
    const { stdout, stderr, status } = spawnSync('git', args, { cwd: directory, encoding: 'utf8' });
    if (status !== 1) throw new Error(`git diff failed: ${stderr}`);
    return stdout.replace(/^(?:diff --git|index) .*\n/gm, '');
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(page, withDiffs(readFileSync(page, 'utf8')));
}
