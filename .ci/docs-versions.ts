// Builds the documentation of this checkout and of each released version below it, for .github/workflows/docs.yml:
// npm run docs:versions -- --url https://team.example/fw/ --out DIR
// A version is a tag such as v0.9.0 whose commit has the script `docs:build`; it is built by its own code, in DIR/v0.9.0.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { url: { type: 'string' }, out: { type: 'string' } } });
if (values.url === undefined || values.out === undefined) {
  throw new Error('give the address of the site and a folder: --url https://team.example/fw/ --out DIR');
}
const url = new URL(values.url.replace(/\/*$/, '/'));
const out = resolve(values.out);
const site = 'framework/docs/.vitepress/dist';
const versions = git('tag', '--list', 'v*', '--sort=-version:refname')
  .split('\n')
  .filter((tag) => /^v\d+\.\d+\.\d+[\w.-]*$/.test(tag))
  .filter(hasSite)
  .map((tag) => tag.slice(1));

rmSync(out, { recursive: true, force: true });
build(process.cwd(), out, { DOCS_BASE: url.pathname, DOCS_VERSIONS: versions.join(' ') });
for (const version of versions) buildRelease(version);
console.log(`${versions.length + 1} sites in ${out}: this one${versions.map((one) => `, ${one}`).join('')}`);

function buildRelease(version: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'fw-docs-'));
  git('worktree', 'add', '--detach', '--force', folder, `v${version}`);
  try {
    npm(folder, {}, 'ci');
    const others = versions.filter((one) => one !== version).join(' ');
    const base = `${url.pathname}v${version}/`;
    build(folder, join(out, `v${version}`), {
      DOCS_BASE: base,
      DOCS_VERSIONS: others,
      DOCS_NEWEST: url.href,
    });
  } finally {
    git('worktree', 'remove', '--force', folder);
  }
}

function build(folder: string, to: string, settings: NodeJS.ProcessEnv): void {
  npm(folder, settings, 'run', 'docs:build');
  cpSync(join(folder, site), to, { recursive: true });
}

function npm(folder: string, settings: NodeJS.ProcessEnv, ...args: string[]): void {
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit', env: { ...process.env, ...settings } });
}

function hasSite(tag: string): boolean {
  const { scripts = {} } = JSON.parse(git('show', `${tag}:package.json`)) as {
    scripts?: Record<string, string>;
  };
  return scripts['docs:build'] !== undefined;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
