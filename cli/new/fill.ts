// The only edits when a template is copied: the project's name, the dependency on `fw`, and what its package manager
// needs.
import type { PackageManager } from '../manager/package-manager.js';
import type { FwSource } from '../vendor/fw-dependency.js';
import type { TemplateFile } from './templates.js';

export interface Values {
  /** The name that the template's files contain, which is that of its directory. */
  templateName: string;
  name: string;
  fwSpec: string;
  fwSource: FwSource;
  packageManager: PackageManager;
  /** Asked for only where a file needs it; undefined if the package manager is not installed. */
  managerVersion: () => string | undefined;
  /** In a workspace of npm, whose root alone decides on install scripts: npm warns of other places. */
  isWorkspaceMember: boolean;
}

type Edit = (text: string, values: Values) => string;

const edits: Readonly<Record<string, Edit>> = {
  'package.json': (text, { name, fwSpec, isWorkspaceMember }) => {
    const manifest = JSON.parse(text);
    manifest.name = name;
    manifest.dependencies.fw = fwSpec;
    if (isWorkspaceMember) delete manifest.allowScripts;
    return `${JSON.stringify(manifest, null, 2)}\n`;
  },
  'fw.toml': (text, { templateName, name }) =>
    text.replace(`name = "${templateName}"`, () => `name = "${name}"`),
  'README.md': (text, { templateName, name }) => text.replace(`# ${templateName}\n`, () => `# ${name}\n`),
  Dockerfile: (text, values) => {
    const { files, install } = frozenInstall(values);
    const own = text
      .replace('COPY package.json package-lock.json ./\n', `COPY ${files} ./\n`)
      .replace('RUN npm ci\n', `RUN ${install}\n`);
    return values.fwSource === 'vendor' ? own : own.replace('COPY vendor ./vendor\n', '');
  },
  '.github/workflows/ci.yml': (text, values) => {
    if (values.packageManager === 'npm') return text;
    const { install } = frozenInstall(values);
    // The cache of the action needs the package manager before the step that brings it.
    return text.replace('- run: npm ci\n', `- run: ${install}\n`).replace(/ +cache: npm\n/, '');
  },
};

/** The installation of exactly what the lock file says, and what an image needs for it. */
function frozenInstall({ packageManager, managerVersion }: Values): { files: string; install: string } {
  if (packageManager === 'npm') return { files: 'package.json package-lock.json', install: 'npm ci' };
  const version = managerVersion();
  const run = (name: string, otherwise: string, ...args: string[]): string =>
    ['npx', '--yes', `${name}@${version ?? otherwise}`, 'install', ...args].join(' ');
  if (packageManager === 'pnpm') {
    const files = 'package.json pnpm-lock.yaml pnpm-workspace.yaml';
    return { files, install: run('pnpm', 'latest', '--frozen-lockfile') };
  }
  if (packageManager === 'bun') {
    return { files: 'package.json bun.lock', install: run('bun', '1', '--frozen-lockfile') };
  }
  const files = 'package.json yarn.lock .yarnrc.yml';
  if (version?.startsWith('1.') === true) return { files, install: run('yarn', '1', '--frozen-lockfile') };
  return { files, install: run('@yarnpkg/cli-dist', '4', '--immutable') };
}

export function fill(file: TemplateFile, values: Values): TemplateFile {
  const edit = edits[file.path];
  if (!edit) return file;
  // A checkout of fw may have other line ends.
  const text = Buffer.from(file.content).toString('utf8').replaceAll('\r\n', '\n');
  return { ...file, content: Buffer.from(edit(text, values)) };
}

/** Names that the app must not have, because it depends on packages of these names. */
export function dependencyNames(files: readonly TemplateFile[]): string[] {
  const manifest = files.find((file) => file.path === 'package.json');
  if (!manifest) return [];
  const { dependencies, devDependencies } = JSON.parse(Buffer.from(manifest.content).toString('utf8'));
  return Object.keys({ ...dependencies, ...devDependencies });
}
