// The apps of `starters.ts`: scaffolded by their generators into a temporary folder, installed and built.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Starter {
  readonly name: string;
  readonly folder: string;
  /** The script that starts it in production. */
  readonly script: string;
  readonly path: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Megabytes of node_modules with what the build needs, and of what the build has made. */
  readonly packages: number;
  readonly output: number;
}

interface Recipe {
  /** The package of the generator, and the command that makes an app in the folder `app`; for fw its template. */
  readonly generator: { readonly package: string; readonly command: string } | { readonly template: string };
  readonly start: string;
  readonly outputs: readonly string[];
  readonly path: string;
  /** What the app needs to build without other downloads than packages. */
  readonly prepare?: (folder: string) => void;
  readonly environment?: NodeJS.ProcessEnv;
}

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const binary = join(checkout, 'dist/cli/main.js');

const recipes: Record<string, Recipe> = {
  'fw basic': { generator: { template: 'basic' }, start: 'start', outputs: ['dist'], path: '/notes' },
  'fw fullstack': { generator: { template: 'fullstack' }, start: 'start', outputs: ['dist'], path: '/' },
  'fw production': {
    generator: { template: 'production' },
    start: 'start',
    outputs: ['dist'],
    path: '/health/ready',
  },
  'Fastify starter': {
    generator: { package: 'fastify-cli', command: 'fastify generate app --lang=js' },
    start: 'start',
    outputs: [],
    path: '/',
    environment: { FASTIFY_ADDRESS: '127.0.0.1' },
  },
  'Nest starter': {
    generator: {
      package: '@nestjs/cli',
      command: 'nest new app --skip-git --skip-install --package-manager npm',
    },
    start: 'start:prod',
    outputs: ['dist'],
    path: '/',
  },
  'create-t3-app': {
    generator: {
      package: 'create-t3-app',
      command: 'create-t3-app app --CI --noGit --noInstall --trpc --tailwind --appRouter true --eslint false',
    },
    start: 'start',
    outputs: ['.next'],
    path: '/',
    prepare: replaceFont,
  },
};

/** Every app, or the reason why it is skipped. */
export function* makeStarters(): Generator<Starter | { name: string; reason: string }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fw-bench-starters-')));
  process.on('exit', () => rmSync(root, { recursive: true, force: true }));
  const tarball = pack(root);
  for (const [name, recipe] of Object.entries(recipes)) {
    try {
      const home = mkdtempSync(join(root, 'app-'));
      yield make(name, recipe, home, tarball);
    } catch (error) {
      const { message, stderr } = error as Error & { stderr?: string };
      yield { name, reason: `${message}${stderr ? `\n${stderr.slice(-500)}` : ''}` };
    }
  }
}

function pack(root: string): string {
  run(root, 'npm', ['pack', checkout, '--silent', '--ignore-scripts']);
  const file = readdirSync(root).find((entry) => entry.endsWith('.tgz'));
  if (file === undefined) throw new Error(`npm pack has made no tarball of ${checkout}`);
  return join(root, file);
}

function make(name: string, recipe: Recipe, home: string, tarball: string): Starter {
  const folder = join(home, 'app');
  const { generator } = recipe;
  const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
  if ('template' in generator) {
    const options = ['--template', generator.template, '--no-install', '--no-git'];
    run(home, process.execPath, [binary, 'new', folder, ...options]);
    run(folder, 'npm', ['install', ...quiet, tarball]);
  } else {
    run(home, 'npm', ['install', ...quiet, '--prefix', 'generator', generator.package]);
    run(home, '/bin/sh', ['-c', generator.command], join(home, 'generator/node_modules/.bin'));
    run(folder, 'npm', ['install', ...quiet]);
  }
  recipe.prepare?.(folder);
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  if (scripts.build !== undefined) run(folder, 'npm', ['run', '--silent', 'build']);
  const script = scripts[recipe.start];
  if (script === undefined) throw new Error(`its package.json has no script ${recipe.start}`);
  return {
    name,
    folder,
    script,
    path: recipe.path,
    environment: { ...dotenv(folder), RATE_LIMIT: '1000000', ...recipe.environment },
    packages: megabytes(join(folder, 'node_modules')),
    output: recipe.outputs.reduce((sum, output) => sum + megabytes(join(folder, output)), 0),
  };
}

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
}

function run(cwd: string, command: string, args: readonly string[], binaries?: string): void {
  const path = binaries === undefined ? process.env.PATH : `${binaries}${delimiter}${process.env.PATH}`;
  execFileSync(command, args, {
    cwd,
    env: { ...process.env, PATH: path, CI: '1', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: 300_000,
  });
}

/** The variables that `fw new` has put into `.env`, which a deployment sets. */
function dotenv(folder: string): NodeJS.ProcessEnv {
  const file = join(folder, '.env');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const pairs = lines.map((line) => /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line));
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1], pair[2]]] : [])));
}

/** The build of create-t3-app fetches this font from Google. */
function replaceFont(folder: string): void {
  const file = join(folder, 'src/app/layout.tsx');
  const source = readFileSync(file, 'utf8');
  const replaced = source
    .replace('import { Geist } from "next/font/google";\n', '')
    .replace(/const geist = Geist\(\{[^}]*\}\);/, 'const geist = { variable: "" };');
  if (replaced.includes('next/font')) throw new Error('its layout loads the font in another way');
  writeFileSync(file, replaced);
}

/** Without links, which npm makes in `.bin`. */
function megabytes(path: string): number {
  const entry = lstatSync(path);
  if (!entry.isDirectory()) return entry.isSymbolicLink() ? 0 : entry.size / 1e6;
  return readdirSync(path).reduce((sum, name) => sum + megabytes(join(path, name)), 0);
}
