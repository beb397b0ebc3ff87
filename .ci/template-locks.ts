// What the templates install, as npm resolves it now: they have no lock files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from '../cli/new/templates.js';
import type { Lockfile } from './lockfile.js';

export interface TemplateManifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

/** @throws Error if the template has no package.json */
export function manifestOf({ name, read }: Template): TemplateManifest {
  const file = read().find(({ path }) => path === 'package.json');
  if (file === undefined) throw new Error(`the template ${name} has no package.json`);
  return JSON.parse(Buffer.from(file.content).toString('utf8'));
}

/**
 * Writes them as members of a workspace, whose folders have their names.
 * @param change what becomes of a package.json
 */
export function writeWorkspace(
  folder: string,
  templates: readonly Template[],
  change: (manifest: TemplateManifest) => Partial<TemplateManifest>,
): void {
  const workspaces = templates.map(({ name }) => name);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, workspaces }));
  for (const template of templates) {
    const manifest = manifestOf(template);
    const given = { ...manifest, ...change(manifest), name: template.name, version: '1.0.0' };
    mkdirSync(join(folder, template.name));
    writeFileSync(join(folder, template.name, 'package.json'), JSON.stringify(given));
  }
}

/**
 * One lock file for all of them.
 * @param tarball that of fw
 * @throws Error if npm finds no versions that fit
 */
export function lockTemplates(folder: string, templates: readonly Template[], tarball: string): Lockfile {
  writeWorkspace(folder, templates, ({ dependencies }) => ({
    dependencies: { ...dependencies, fw: `file:${tarball}` },
  }));
  const args = ['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline', '--silent'];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], timeout: 180_000 });
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
}
