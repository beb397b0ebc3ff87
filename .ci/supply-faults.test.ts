// What is wrong with the origin of a package: each fault is named, with the package that has it.
import { describe, expect, it } from 'vitest';
import { isPermittedLicence, licenceList, missingInLicenceList } from './licences.js';
import type { Lockfile } from './lockfile.js';
import type { Component, Sbom } from './sbom.js';
import {
  installScriptFaults,
  licenceFaults,
  licencesOfOthers,
  sbomFaults,
  scriptsOfOthers,
} from './supply-faults.js';

const MIT = 'Permission is hereby granted, free of charge,\nto any person';
const mit = (name: string) => ({
  path: `node_modules/${name}`,
  name,
  version: '1.0.0',
  licence: 'MIT',
  licenceText: `Copyright ${name}\n\n${MIT}`,
});
const isc = { ...mit('c'), licence: 'ISC', licenceText: 'ISC License\n\nCopyright c\n\nPermission to use' };

describe('licences', () => {
  it.each(['MIT', '0BSD', '(MIT OR GPL-3.0-only)', 'MIT AND ISC', 'BlueOak-1.0.0', 'Apache-2.0'])(
    '%s is permitted',
    (one) => expect(isPermittedLicence(one)).toBe(true),
  );

  it.each([
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'MPL-2.0',
    'MIT AND LGPL-3.0-only',
    'UNLICENSED',
    'SEE LICENSE IN x',
    '',
  ])('%s is not permitted', (one) => expect(isPermittedLicence(one)).toBe(false));

  it('that are not permitted are named with their package', () => {
    const copyleft = { name: 'b', version: '2.0.0', licence: 'GPL-3.0-only' };
    expect(licenceFaults([mit('a'), copyleft])).toEqual([
      'b 2.0.0 is in the package and has the licence GPL-3.0-only: do without',
    ]);
  });

  it('are listed with each notice, and each text once', () => {
    const list = licenceList([mit('a'), mit('b'), isc]);
    expect(list.match(/Permission is hereby granted/g)).toHaveLength(1);
    expect(missingInLicenceList(list, [mit('a'), mit('b'), isc])).toEqual([]);
  });

  it('that miss in the list are named', () => {
    expect(missingInLicenceList(licenceList([mit('a')]), [mit('a'), isc])).toEqual([
      'c 1.0.0 (ISC) has no heading',
    ]);
    expect(missingInLicenceList(licenceList([mit('a')]).replace('Copyright a', ''), [mit('a')])).toEqual([
      'a 1.0.0 misses of its licence: Copyright a',
    ]);
    const cut = licenceList([isc]).replace('Permission to use', '');
    expect(missingInLicenceList(cut, [isc])).toEqual([
      expect.stringContaining('c 1.0.0 misses of its licence: ISC'),
    ]);
    const without = { ...mit('d'), licenceText: '' };
    expect(missingInLicenceList(licenceList([without]), [without])).toEqual([
      'd 1.0.0 has no file with its licence',
    ]);
  });
});

describe('scripts that run while a package is installed', () => {
  it('are named', () => {
    const scripts = { build: 'tsx', postinstall: 'node a.js', prepare: 'tsx', prepack: 'tsx' };
    expect(installScriptFaults({ scripts }, ['package.json', 'binding.gyp'])).toEqual([
      "package.json of the package has the script 'postinstall': remove it, or call it otherwise",
      "package.json of the package has the script 'prepare': remove it, or call it otherwise",
      'binding.gyp is in the package, for which npm runs node-gyp: leave it out',
    ]);
    expect(installScriptFaults({}, ['package.json', 'docs/binding.gyp'])).toEqual([]);
  });

  const lock: Lockfile = {
    packages: {
      'node_modules/fw': { version: '1.0.0', link: true },
      'node_modules/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/a/node_modules/@team/b': {
        version: '2.0.0',
        hasInstallScript: true,
        license: 'LGPL-3.0',
      },
      'node_modules/c': { version: '3.0.0' },
    },
  };
  const paths = Object.keys(lock.packages);

  it('of other packages must be listed', () => {
    expect(scriptsOfOthers(lock, paths, ['esbuild'], 'the template basic')).toEqual([
      'the template basic installs @team/b 2.0.0, which runs a script then: list it in allowScripts, or do without',
    ]);
    expect(scriptsOfOthers(lock, paths, ['@team/b'], 'fw')).toEqual([]);
    expect(scriptsOfOthers(lock, ['node_modules/a'], [], 'fw')).toEqual([]);
  });

  it('must have permitted licences', () => {
    expect(licencesOfOthers(lock, paths, 'fw')).toEqual([
      'fw installs @team/b 2.0.0 (LGPL-3.0), whose licence is not permitted: do without',
      'fw installs c 3.0.0 (no licence), whose licence is not permitted: do without',
    ]);
  });
});

describe('an SBOM', () => {
  const component = (name: string, isInside: boolean): Component => ({
    'bom-ref': `${name}@1.0.0`,
    type: 'library',
    name,
    version: '1.0.0',
    scope: 'required',
    purl: '',
    licenses: [{ license: { id: 'MIT' } }],
    ...(isInside && { properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }] }),
  });
  const sbom = { components: [component('a', true), component('ws', false)] } as unknown as Sbom;
  const manifest = { dependencies: { ws: '*' }, peerDependencies: { pg: '*' } };
  const imports = (name: string) => new Map([[name, 'cli/main.ts']]);

  it('has nothing to say if all is there', () => {
    for (const name of ['a', 'ws', 'pg', 'fs', 'fw']) {
      expect(sbomFaults(sbom, manifest, [mit('a')], imports(name))).toEqual([]);
    }
  });

  it('names what it misses, and what it has too much', () => {
    expect(sbomFaults(sbom, manifest, [mit('a'), mit('b')], new Map())).toEqual([
      'b@1.0.0 is in the package, and not in the SBOM',
    ]);
    expect(sbomFaults(sbom, manifest, [], new Map())).toEqual([
      'a@1.0.0 is in the SBOM, and not in the package',
    ]);
    expect(sbomFaults(sbom, { dependencies: { jose: '*' } }, [mit('a')], new Map())).toEqual([
      'jose is installed with the package, and not in the SBOM',
    ]);
    expect(sbomFaults(sbom, manifest, [mit('a')], imports('kept'))).toEqual([
      'cli/main.ts imports kept, which is not in the SBOM',
    ]);
  });

  it('of a bundled package needs its version', () => {
    expect(sbomFaults(sbom, manifest, [{ ...mit('a'), version: '2.0.0' }], new Map())).toEqual([
      'a@2.0.0 is in the package, and not in the SBOM',
      'a@1.0.0 is in the SBOM, and not in the package',
    ]);
  });
});
