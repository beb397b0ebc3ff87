// What the templates are, against which configuration in the documentation is checked.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from '../../framework/index.js';
import { checkout } from '../packed.js';
import type { Page } from './snippets.js';

const inTemplates = (path: string) => readFileSync(join(checkout, 'templates', path), 'utf8');

/** The templates that are deployed. */
const deployed = ['production', 'fullstack'] as const;

/** The paths that their probes ask for: whether the app takes requests, and whether it answers at all. */
export const readiness: string = probePath();
export const liveness: string = `${readiness}/live`;

function probePath(): string {
  const found = deployed.map((name) => /\.health\('([^']+)'/.exec(inTemplates(`${name}/src/app.ts`))?.[1]);
  const [path, other] = found;
  if (path === undefined || path !== other) throw new Error(`the templates have the health checks ${found}`);
  const paths = new App()
    .health(path)
    .accessList()
    .open.map((route) => route.path);
  if (!paths.includes(`${path}/live`)) throw new Error(`a health check has the paths ${paths}`);
  return path;
}

/** The port in their image. */
export const port: number = Number(/^EXPOSE (\d+)$/m.exec(inTemplates('production/Dockerfile'))?.[1]);

/** The variables that they know, by `.env.example`, and those of Node.js. */
export const variables: ReadonlySet<string> = new Set([
  'NODE_ENV',
  ...deployed.flatMap((name) =>
    [...inTemplates(`${name}/.env.example`).matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(
      ([, variable = '']) => variable,
    ),
  ),
]);

/** What `npm run build` writes to `dist/`, and what the page adds by its own `src/….ts`. */
export function isBuilt(file: string, page: Page): boolean {
  const name = /^dist\/([\w-]+)\.js$/.exec(file)?.[1];
  if (name === undefined) return false;
  const entries = /entryPoints: \{(.+)\},$/m.exec(inTemplates('production/build.js'))?.[1] ?? '';
  return new RegExp(`\\b${name}\\b`).test(entries) || page.text.includes(`\n// src/${name}.ts\n`);
}

/** Whether a file or folder is in every app that `fw new` makes, or in the page. */
export function isInApp(path: string, page: Page): boolean {
  // `fw new` puts the package there, and the first installation writes the lock file.
  if (path === '.' || path === 'vendor' || path === 'package-lock.json') return true;
  return existsSync(join(checkout, 'templates/basic', path)) || page.text.includes(`\`${path}\``);
}

/** What a command runs with Node.js. */
export function builtFilesOf(command: string): string[] {
  return [...command.matchAll(/\bnode (?:--[\w-]+ )*(\S+)/g)].map(([, file = '']) => file);
}
