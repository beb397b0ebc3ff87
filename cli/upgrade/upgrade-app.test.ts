// What `fw upgrade` changes in an app, and what it refuses, with real files.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownPackage } from '../vendor/own-package.js';
import { readTarball } from './given-tarball.js';
import { findApp, type Upgrade, upgradeApp } from './upgrade-app.js';

let app: string;
beforeEach(() => {
  app = mkdtempSync(join(tmpdir(), 'fw-upgrade-'));
  mkdirSync(join(app, 'vendor'));
});
afterEach(() => rmSync(app, { recursive: true }));

const manifest = (spec: string): string => `{\r\n\t"name": "x",\r\n\t"dependencies": { "fw":"${spec}" }\r\n}`;
const put = (path: string, text: string): void => writeFileSync(join(app, path), text);
const text = (path: string): string => readFileSync(join(app, path), 'utf8');
const to = (version: string, force = false): Upgrade =>
  upgradeApp(app, { version, content: Buffer.from(version) }, { source: 'vendor', manager: 'npm', force });

describe('upgradeApp', () => {
  it.each(['file:vendor/fw-0.9.0.tgz', 'file:/tmp/fw-0.9.0.tgz', 'link:../fw', '^0.9.0', '*', './fw.tgz'])(
    'puts the new tarball in the place of %s, and leaves the rest of package.json as it is',
    (spec) => {
      put('package.json', manifest(spec));
      put('vendor/fw-0.9.0.tgz', 'old');
      put('vendor/fw-0.8.0-beta.1.tgz', 'old');
      put('vendor/fw-plugin-1.0.0.tgz', 'mine');
      expect(to('1.0.0')).toMatchObject({
        before: spec,
        after: 'file:vendor/fw-1.0.0.tgz',
        written: ['vendor/fw-1.0.0.tgz', 'package.json'],
        isSameSpec: false,
      });
      expect(text('package.json')).toBe(manifest('file:vendor/fw-1.0.0.tgz'));
      expect(readdirSync(join(app, 'vendor')).sort()).toEqual(['fw-1.0.0.tgz', 'fw-plugin-1.0.0.tgz']);
      expect(to('1.0.0')).toMatchObject({ written: [], removed: [], isSameSpec: false });
    },
  );

  it('replaces a tarball of the same name that has other bytes', () => {
    put('package.json', manifest('file:vendor/fw-1.0.0.tgz'));
    put('vendor/fw-1.0.0.tgz', 'other');
    expect(to('1.0.0')).toMatchObject({ written: ['vendor/fw-1.0.0.tgz'], isSameSpec: true });
    expect(text('vendor/fw-1.0.0.tgz')).toBe('1.0.0');
  });

  it('puts no older version there, unless it is forced', () => {
    put('package.json', manifest('file:vendor/fw-1.10.0.tgz'));
    expect(() => to('1.9.9')).toThrow('the app has fw 1.10.0, and this is fw 1.9.9, which is older');
    expect(text('package.json')).toBe(manifest('file:vendor/fw-1.10.0.tgz'));
    expect(to('1.9.9', true).after).toBe('file:vendor/fw-1.9.9.tgz');
  });

  it('removes the tarball of an app that goes to a registry', () => {
    put('package.json', manifest('file:vendor/fw-0.1.0.tgz'));
    const names = ['fw-0.1.0.tgz', `fw-${ownPackage().version}.tgz`];
    for (const name of names) put(`vendor/${name}`, 'old');
    const done = upgradeApp(app, ownPackage(), { source: 'registry', manager: 'npm', force: false });
    expect(done.after).toBe(`^${ownPackage().version}`);
    expect([...done.removed].sort()).toEqual(names.map((name) => `vendor/${name}`));
    expect(readdirSync(join(app, 'vendor'))).toEqual([]);
  });

  it('says which line to change where it cannot', () => {
    put('package.json', '{"dependencies":{"\\u0066w":"*"}}');
    expect(() => to('1.0.0')).toThrow('writes "fw" in a way that fw upgrade does not find');
  });
});

describe('findApp', () => {
  it('looks above too, for a package.json that depends on fw', () => {
    put('package.json', '{"devDependencies":{"fw":"*"}}');
    mkdirSync(join(app, 'src'));
    put('src/package.json', '{"dependencies":{}}');
    expect(findApp(join(app, 'src'))).toBe(app);
    put('package.json', '{}');
    expect(() => findApp(join(app, 'src'))).toThrow('depends on fw');
  });
});

describe('readTarball', () => {
  const packed = (manifest: string, name = 'package/package.json'): string => {
    const path = join(app, 'x.tgz');
    writeFileSync(path, gzipSync(createTar([{ name, data: manifest }])));
    return path;
  };

  it('gives the version and the bytes of a tarball of fw', () => {
    writeFileSync(join(app, 'fw.tgz'), ownPackage().content);
    const { version, content } = readTarball(join(app, 'fw.tgz'));
    expect(version).toBe(ownPackage().version);
    expect(Buffer.compare(content, ownPackage().content)).toBe(0);
  });

  it('refuses what is none', () => {
    expect(() => readTarball(join(app, 'gone.tgz'))).toThrow(`cannot read ${join(app, 'gone.tgz')}`);
    put('text.tgz', 'text');
    expect(() => readTarball(join(app, 'text.tgz'))).toThrow('is not the tarball of a package');
    expect(() => readTarball(packed('{}', 'other/package.json'))).toThrow('has no package/package.json');
    expect(() => readTarball(packed('{'))).toThrow('is not the tarball of a package');
    expect(() => readTarball(packed('{"name":"left-pad","version":"1.0.0"}'))).toThrow(
      'is the package left-pad, not this framework',
    );
    // The one on npm.
    expect(() => readTarball(packed('{"name":"fw","version":"0.1.2"}'))).toThrow('not this framework');
  });
});
