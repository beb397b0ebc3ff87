// Looks for packages that the app needs and does not have: those of its package.json, and optional peers of `fw`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { readJson } from '../files/read-text.js';
import { addCommand, packageManagerFor, runners } from '../manager/package-manager.js';
import { CliError } from '../terminal/errors.js';
import { count } from '../terminal/output.js';
import { hasPlugAndPlay, installedManifest } from '../vendor/fw-dependency.js';
import { type Finding, fault, ok, warning } from './finding.js';

/** What modules of `fw` need beside `fw`: all of the first, one of the others. */
const peers: Readonly<Record<string, { all: readonly string[]; oneOf: readonly string[] }>> = {
  'fw/kysely': { all: ['kysely'], oneOf: ['pg', 'mysql2', 'libsql'] },
  'fw/drizzle': { all: ['drizzle-orm'], oneOf: ['pg', 'mysql2', '@libsql/client'] },
  'fw/redis': { all: ['redis'], oneOf: [] },
};

/**
 * @param version of the `fw` that runs
 * @param install the command that installs what package.json has
 */
export function checkPackages(root: string, manifest: Manifest, version: string, install: string): Finding[] {
  // Yarn's Plug'n'Play has no node_modules to look into.
  if (hasPlugAndPlay(root)) return [ok('packages', "installed with Yarn's Plug'n'Play")];
  const names = Object.keys(manifest.dependencies);
  const missing = names.filter((name) => installedVersion(root, name) === undefined);
  if (missing.length > 0) {
    const verb = missing.length === 1 ? 'is' : 'are';
    return [fault('packages', `${missing.join(', ')} ${verb} in package.json and not installed`, install)];
  }
  const findings = [...missingPeers(root), ...otherFw(root, version)];
  return findings.length > 0
    ? findings
    : [
        ok(
          'packages',
          `${count(names.length, 'package')} of package.json ${names.length === 1 ? 'is' : 'are'} installed`,
        ),
      ];
}

function missingPeers(root: string): Finding[] {
  const isMissing = (name: string): boolean => installedVersion(root, name) === undefined;
  return [...importedModules(join(root, 'src'))].sort().flatMap((module) => {
    const { all = [], oneOf = [] } = peers[module] ?? {};
    const found = all
      .filter(isMissing)
      .map((name) =>
        fault('peers', `${module} needs ${name}, which is not installed`, addCommand(root, name)),
      );
    if (oneOf.length === 0 || !oneOf.every(isMissing)) return found;
    const drivers = oneOf.join(', ');
    return [
      ...found,
      fault(
        'peers',
        `${module} needs a driver, and none is installed: ${drivers}`,
        addCommand(root, oneOf[0] ?? ''),
      ),
    ];
  });
}

/** The modules of `fw` that the sources name in imports. */
function importedModules(folder: string): Set<string> {
  const found = new Set<string>();
  if (!existsSync(folder)) return found;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/^\.[cm]?[jt]sx?$/.test(extname(entry.name)) || path.includes('node_modules'))
      continue;
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/['"](fw\/[a-z-]{1,40})['"]/g)) {
      if (name !== undefined) found.add(name);
    }
  }
  return found;
}

/** A global `fw` may be another one than that of the app. */
function otherFw(root: string, version: string): Finding[] {
  const own = installedVersion(root, 'fw');
  if (own === undefined || own === version) return [];
  return [
    warning(
      'packages',
      `this is fw ${version}, and the app has fw ${own}`,
      `run the one of the app: ${runners[packageManagerFor(root)].join(' ')} fw doctor`,
    ),
  ];
}

function installedVersion(root: string, name: string): string | undefined {
  const manifest = installedManifest(root, name);
  return manifest && String(manifest.version ?? '');
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly engines: Readonly<Record<string, string>>;
}

/** @throws CliError if it is not a JSON object */
export function readManifest(root: string): Manifest | undefined {
  const file = join(root, 'package.json');
  if (!existsSync(file)) return undefined;
  let found: unknown;
  try {
    found = readJson(file);
  } catch (cause) {
    throw new CliError(`package.json is not valid JSON: ${(cause as Error).message.split('\n')[0]}`, {
      help: 'correct the file',
      cause,
    });
  }
  const { dependencies, devDependencies, engines } = (found ?? {}) as Record<string, unknown>;
  return { dependencies: { ...texts(devDependencies), ...texts(dependencies) }, engines: texts(engines) };
}

function texts(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string'));
}
