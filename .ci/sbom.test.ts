// The SBOM that a build writes: what is in it, and that it is the same in each build.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledPackagePaths, readBundledPackage } from './bundled-packages.js';
import type { Lockfile } from './lockfile.js';
import { makeSbom } from './sbom.js';

const integrity = `sha512-${Buffer.alloc(64, 1).toString('base64')}`;
const manifest = { name: 'fw', version: '1.0.0', license: 'MIT', dependencies: { beside: '^3.0.0' } };
const lock: Lockfile = {
  packages: {
    '': { version: '1.0.0' },
    'node_modules/@team/a': { version: '1.1.0', integrity, dependencies: { b: '^2.0.0', unknown: '*' } },
    'node_modules/@team/a/node_modules/b': { version: '2.2.0-rc.1+build', integrity },
    'node_modules/b': { version: '1.0.0', integrity },
    'node_modules/beside': { version: '3.3.0', integrity, dependencies: { below: '*' } },
    'node_modules/below': { version: '4.0.0', integrity },
  },
};
const paths = ['node_modules/@team/a', 'node_modules/@team/a/node_modules/b'];
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'fw-sbom-'));
  for (const [path, { version }] of Object.entries(lock.packages)) {
    mkdirSync(join(root, path), { recursive: true });
    const name = path.slice(path.lastIndexOf('node_modules/') + 13);
    const license = name === 'b' ? '(MIT OR Apache-2.0)' : 'MIT';
    writeFileSync(join(root, path, 'package.json'), JSON.stringify({ name, version, license }));
  }
  writeFileSync(join(root, 'node_modules/@team/a/LICENSE.md'), 'Copyright A\n\nDo what you like\n');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const made = (from = lock, packages = paths) =>
  makeSbom(
    root,
    manifest,
    from,
    packages.map((path) => readBundledPackage(root, path)),
  );

describe('the packages in a bundle', () => {
  it('are found by their files, nested ones too', () => {
    const inputs = [
      'framework/app/app.ts',
      'node_modules/@team/a/dist/index.js',
      join(root, 'node_modules/@team/a/node_modules/b/b.js'),
      `\0${join(root, 'node_modules/b/b.js')}?commonjs-module`,
      '\0rolldown/runtime.js',
    ];
    expect(bundledPackagePaths(root, inputs)).toEqual([...paths, 'node_modules/b']);
  });

  it('must be those of the checkout', () => {
    expect(() => bundledPackagePaths(root, ['../other/node_modules/b/b.js'])).toThrow(
      '../other/node_modules/b/b.js is not in node_modules of the checkout',
    );
  });

  it('have their licence, which must be a text', () => {
    expect(readBundledPackage(root, 'node_modules/@team/a')).toMatchObject({
      name: '@team/a',
      licence: 'MIT',
      licenceText: 'Copyright A\n\nDo what you like',
    });
    mkdirSync(join(root, 'node_modules/old'));
    writeFileSync(join(root, 'node_modules/old/package.json'), '{"license":{"type":"MIT"}}');
    expect(() => readBundledPackage(root, 'node_modules/old')).toThrow(
      'old/package.json has no licence as a text',
    );
  });
});

describe('the SBOM', () => {
  it('follows CycloneDX 1.6', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(JSON.stringify(made()))).toBe(null);
    expect(await validator.validate(JSON.stringify({ ...made(), serialNumber: 'one' }))).not.toBe(null);
  });

  it('has what is bundled and what is installed with the package, and nothing else', () => {
    const { components } = made();
    expect(components.map(({ purl, properties }) => [purl, properties?.[0]?.name])).toEqual([
      ['pkg:npm/%40team/a@1.1.0', 'cdx:npm:package:bundled'],
      ['pkg:npm/b@2.2.0-rc.1%2Bbuild', 'cdx:npm:package:bundled'],
      ['pkg:npm/below@4.0.0', undefined],
      ['pkg:npm/beside@3.3.0', undefined],
    ]);
    expect(components[0]?.hashes).toEqual([{ alg: 'SHA-512', content: '01'.repeat(64) }]);
    expect(components.map(({ licenses }) => licenses[0])).toEqual([
      { license: { id: 'MIT' } },
      { expression: '(MIT OR Apache-2.0)' },
      { license: { id: 'MIT' } },
      { license: { id: 'MIT' } },
    ]);
  });

  it('says what needs what', () => {
    expect(made().dependencies).toEqual([
      {
        ref: 'fw@1.0.0',
        dependsOn: ['@team/a@1.1.0', 'b@2.2.0-rc.1+build', 'below@4.0.0', 'beside@3.3.0'],
      },
      { ref: '@team/a@1.1.0', dependsOn: ['b@2.2.0-rc.1+build'] },
      { ref: 'b@2.2.0-rc.1+build', dependsOn: [] },
      { ref: 'below@4.0.0', dependsOn: [] },
      { ref: 'beside@3.3.0', dependsOn: ['below@4.0.0'] },
    ]);
  });

  it('is the same for the same packages, with a number of its own for others', () => {
    expect(JSON.stringify(made())).toBe(JSON.stringify(made()));
    const { serialNumber } = made(lock, ['node_modules/b']);
    expect(serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(serialNumber).not.toBe(made().serialNumber);
  });

  it('is not made of other packages than those of the lock file', () => {
    const other = { packages: { ...lock.packages, 'node_modules/@team/a': { version: '1.2.0', integrity } } };
    expect(() => made(other)).toThrow(
      'node_modules/@team/a has the version 1.1.0, and 1.2.0 in package-lock.json: run npm ci',
    );
    const without = { packages: { ...lock.packages, 'node_modules/@team/a': { version: '1.1.0' } } };
    expect(() => made(without)).toThrow('package-lock.json has no hash of node_modules/@team/a');
  });
});
