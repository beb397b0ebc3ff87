// The packages whose code is in dist/, by the files that the bundles were made of.
import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';

export interface BundledPackage {
  /** Its folder, as package-lock.json has it: `node_modules/a` or `node_modules/a/node_modules/b`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** As an SPDX expression. */
  readonly licence: string;
  /** Empty if the package has no file with it. */
  readonly licenceText: string;
}

const PACKAGE = /^node_modules\/(?:@[^/]+\/)?[^/]+(?:\/node_modules\/(?:@[^/]+\/)?[^/]+)*(?=\/)/;

/**
 * Sorted by their folders.
 * @param inputs absolute or relative to the root, and what bundlers call modules that they have made themselves
 * @throws Error if one is from a package outside of the root
 */
export function bundledPackagePaths(root: string, inputs: readonly string[]): string[] {
  const paths = new Set<string>();
  for (const input of inputs) {
    const file = input.replace(/^\0/, '').replaceAll('\\', '/');
    const inside = (isAbsolute(file) ? relative(root, file) : file).replaceAll('\\', '/');
    if (!/(?:^|\/)node_modules\//.test(inside)) continue;
    const path = PACKAGE.exec(inside)?.[0];
    if (path === undefined) {
      throw new Error(
        `${inside} is not in node_modules of the checkout: install there, without links to elsewhere`,
      );
    }
    paths.add(path);
  }
  return [...paths].sort();
}

/** @throws Error if package.json of the package does not say its licence */
export function readBundledPackage(root: string, path: string): BundledPackage {
  const folder = join(root, path);
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string')
    throw new Error(`${path}/package.json has no licence as a text: ask its authors, or do not bundle it`);
  const file = readdirSync(folder)
    .sort()
    .find((one) => /^(?:un)?licen[cs]e|^copying/i.test(one));
  const licenceText = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  return { path, name, version, licence: license, licenceText };
}
