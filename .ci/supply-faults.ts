// What may be wrong with where the package comes from: its SBOM, the licences of others in it, and scripts that run
// while it is installed. Each gives a line for people.
import { builtinModules } from 'node:module';
import type { BundledPackage } from './bundled-packages.js';
import { isPermittedLicence } from './licences.js';
import { type Lockfile, nameAt } from './lockfile.js';
import { isBundled, type Sbom } from './sbom.js';

/** Which npm runs, or warns of, where a package is installed. */
const INSTALL_SCRIPTS: ReadonlySet<string> = new Set([
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
]);

export interface Installed {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Scripts of package.json in a package. npm runs one for `binding.gyp` too. */
export function installScriptFaults({ scripts = {} }: Installed, files: readonly string[]): string[] {
  const found = Object.keys(scripts).filter((name) => INSTALL_SCRIPTS.has(name));
  return [
    ...found.map(
      (name) => `package.json of the package has the script '${name}': remove it, or call it otherwise`,
    ),
    ...files
      .filter((file) => file === 'binding.gyp')
      .map((file) => `${file} is in the package, for which npm runs node-gyp: leave it out`),
  ];
}

/** Packages in these folders that have a script for their installation, and whose names are not allowed. */
export function scriptsOfOthers(
  { packages }: Lockfile,
  paths: readonly string[],
  allowed: readonly string[],
  who: string,
): string[] {
  return paths
    .filter((path) => packages[path]?.hasInstallScript === true && !allowed.includes(nameAt(path)))
    .map((path) => {
      const { version } = packages[path] ?? {};
      const what = `${who} installs ${nameAt(path)} ${version}, which runs a script then`;
      return `${what}: list it in allowScripts, or do without`;
    });
}

/** Packages in these folders that may not be part of what users get. */
export function licencesOfOthers({ packages }: Lockfile, paths: readonly string[], who: string): string[] {
  return paths.flatMap((path) => {
    const { version, license = 'no licence', link } = packages[path] ?? {};
    if (link === true || isPermittedLicence(license)) return [];
    return [
      `${who} installs ${nameAt(path)} ${version} (${license}), whose licence is not permitted: do without`,
    ];
  });
}

export function licenceFaults(
  packages: readonly Pick<BundledPackage, 'name' | 'version' | 'licence'>[],
): string[] {
  return packages
    .filter(({ licence }) => !isPermittedLicence(licence))
    .map(
      ({ name, version, licence }) =>
        `${name} ${version} is in the package and has the licence ${licence}: do without`,
    );
}

/**
 * What the SBOM says, and does not say, of the package.
 * @param bundled the packages whose code is in the package
 * @param imported the packages that sources import, each with a file that does
 */
export function sbomFaults(
  sbom: Sbom,
  manifest: Installed,
  bundled: readonly Pick<BundledPackage, 'name' | 'version'>[],
  imported: ReadonlyMap<string, string>,
): string[] {
  const inside = sbom.components.filter(isBundled).map((one) => one['bom-ref']);
  const wanted = bundled.map(({ name, version }) => `${name}@${version}`);
  const names = new Set(sbom.components.map(({ name }) => name));
  const installed = Object.keys(manifest.dependencies ?? {});
  const elsewhere = new Set([...Object.keys(manifest.peerDependencies ?? {}), ...builtinModules, 'fw']);
  return [
    ...wanted
      .filter((ref) => !inside.includes(ref))
      .map((ref) => `${ref} is in the package, and not in the SBOM`),
    ...inside
      .filter((ref) => !wanted.includes(ref))
      .map((ref) => `${ref} is in the SBOM, and not in the package`),
    ...installed
      .filter((name) => !names.has(name))
      .map((name) => `${name} is installed with the package, and not in the SBOM`),
    ...[...imported]
      .filter(([name]) => !names.has(name) && !elsewhere.has(name))
      .map(([name, file]) => `${file} imports ${name}, which is not in the SBOM`),
  ];
}
