// The list of what is in the package (SBOM), as CycloneDX 1.6, in the form of `npm sbom`: the packages whose code is in
// dist/, and those that are installed with fw. It has no time, and its serial number is made of its content, so that
// two builds write the same bytes.
import { createHash } from 'node:crypto';
import { type BundledPackage, readBundledPackage } from './bundled-packages.js';
import { type Lockfile, namesNeededBy, neededPaths, resolvedPath } from './lockfile.js';

export const SBOM_FILE = 'sbom.cdx.json';

export interface Component {
  readonly 'bom-ref': string;
  readonly type: 'library';
  readonly name: string;
  readonly version: string;
  readonly scope: 'required';
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly [
    { readonly license: { readonly id: string } } | { readonly expression: string },
  ];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

export interface Sbom {
  readonly $schema: string;
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.6';
  readonly serialNumber: string;
  readonly version: 1;
  readonly metadata: {
    readonly lifecycles: readonly { readonly phase: 'build' }[];
    readonly component: Component;
  };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Of npm, for code that is inside of the package itself. */
const BUNDLED = 'cdx:npm:package:bundled';
const ALGORITHMS: Readonly<Record<string, string>> = { sha512: 'SHA-512', sha256: 'SHA-256', sha1: 'SHA-1' };

/**
 * @param bundled the packages whose code is in dist/
 * @throws Error if package-lock.json does not have the version of a package, or no hash of it
 */
export function makeSbom(
  root: string,
  manifest: Manifest,
  lock: Lockfile,
  bundled: readonly BundledPackage[],
): Sbom {
  const inside = new Set(bundled.map(({ path }) => path));
  const beside = neededPaths(lock, '', Object.keys(manifest.dependencies)).filter(
    (path) => !inside.has(path),
  );
  const packages = [...bundled, ...beside.map((path) => readBundledPackage(root, path))];
  const refs = new Map(packages.map((one) => [one.path, refOf(one)]));
  const components = packages.map((one) => componentOf(one, lock, inside.has(one.path)));
  const dependencies = packages.map(({ path }) => ({
    ref: refs.get(path) ?? '',
    dependsOn: namesNeededBy(lock, path).flatMap(
      (name) => refs.get(resolvedPath(lock, path, name) ?? '') ?? [],
    ),
  }));
  const own = { ...manifest, licence: manifest.license };
  const content = {
    metadata: { lifecycles: [{ phase: 'build' as const }], component: describe(own) },
    components: unique(components, (one) => one['bom-ref']),
    dependencies: [
      { ref: refOf(manifest), dependsOn: [...new Set(refs.values())].sort() },
      ...unique(dependencies, ({ ref }) => ref),
    ],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumberOf(JSON.stringify(content)),
    version: 1,
    ...content,
  };
}

/** Whether the code of the component is inside of the package. */
export function isBundled({ properties = [] }: Component): boolean {
  return properties.some(({ name, value }) => name === BUNDLED && value === 'true');
}

function componentOf(one: BundledPackage, { packages }: Lockfile, isInside: boolean): Component {
  const locked = packages[one.path];
  if (locked?.version !== one.version) {
    throw new Error(
      `${one.path} has the version ${one.version}, and ${locked?.version} in package-lock.json: run npm ci`,
    );
  }
  const [algorithm = '', hash = ''] = locked.integrity?.split('-') ?? [];
  const alg = ALGORITHMS[algorithm];
  if (alg === undefined)
    throw new Error(`package-lock.json has no hash of ${one.path}: install it from a registry`);
  return {
    ...describe(one),
    hashes: [{ alg, content: Buffer.from(hash, 'base64').toString('hex') }],
    ...(isInside && { properties: [{ name: BUNDLED, value: 'true' }] }),
  };
}

function describe({ name, version, licence }: Omit<BundledPackage, 'path' | 'licenceText'>): Component {
  return {
    'bom-ref': refOf({ name, version }),
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace(/^@/, '%40')}@${encodeURIComponent(version)}`,
    licenses: [/ /.test(licence) ? { expression: licence } : { license: { id: licence } }],
  };
}

function refOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name}@${version}`;
}

function unique<T>(values: readonly T[], keyOf: (value: T) => string): T[] {
  return [...new Map(values.map((value) => [keyOf(value), value])).values()];
}

/** A UUID of version 8 (RFC 9562), which is for hashes of one's own. */
function serialNumberOf(content: string): string {
  const bytes = createHash('sha256').update(content).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return `urn:uuid:${bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;
}
