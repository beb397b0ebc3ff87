// What `fw doctor` says of the `fw` that an app depends on.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkFw } from './check-fw.js';

let folder: string;
let app: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fw-check-'));
  app = join(folder, 'app');
  put('app/package.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(path: string, text = ''): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const manifest = (version: string): string =>
  JSON.stringify({
    name: 'fw',
    version,
    bin: { fw: 'dist/cli/main.js' },
    exports: { './fw-toml.schema.json': './x.json' },
  });
const installed = (version = '1.0.0'): void => put('app/node_modules/fw/package.json', manifest(version));
const look = (spec: string | undefined): [string, string, string?][] =>
  checkFw(app, spec, 'pnpm exec', 'pnpm install').map(({ status, message, fix }) =>
    fix === undefined ? [status, message] : [status, message, fix],
  );
const said = (spec: string): unknown[] => look(spec).map((one) => one.slice(0, 2));
const upgrade = 'pnpm exec fw upgrade, which puts the fw that runs it into vendor/';

describe('an app is in order', () => {
  it('that carries the fw that is installed', () => {
    installed();
    put('app/vendor/fw-1.0.0.tgz');
    expect(look('file:vendor/fw-1.0.0.tgz')).toEqual([['ok', 'package.json has file:vendor/fw-1.0.0.tgz']]);
    // As bun and yarn write it.
    expect(said('./vendor/fw-1.0.0.tgz')).toEqual([['ok', expect.any(String)]]);
    expect(said('file:vendor/fw-1.0.0.tgz::locator=app%40workspace%3A.')).toEqual([
      ['ok', expect.any(String)],
    ]);
  });

  it.each(['^1.0.0', 'https://example.com/fw-1.0.0.tgz', 'git+https://example.com/fw.git', 'github:me/fw'])(
    'with %s',
    (spec) => {
      installed();
      expect(said(spec)).toEqual([['ok', expect.any(String)]]);
    },
  );

  it.each([
    'http://example.com/fw-1.0.0.tgz',
    'https://example.com/fw-1.0.0.tgz',
    'git://example.com/fw.git',
    'git+ssh://git@example.com/fw.git',
    'ssh://git@example.com/fw.git',
    'github:me/fw',
    'gitlab:me/fw',
    'bitbucket:me/fw',
    'workspace:*',
  ])('with %s, which is not installed yet, and comes from no registry', (spec) => {
    expect(look(spec)).toEqual([['ok', `package.json has ${spec}`]]);
  });

  it('in a workspace, whose packages are installed above it', () => {
    put('node_modules/fw/package.json', manifest('1.0.0'));
    put('app/vendor/fw-1.0.0.tgz');
    expect(said('file:vendor/fw-1.0.0.tgz')).toEqual([['ok', expect.any(String)]]);
  });

  it.each(['1.0.0-beta.1', '10.20.30', '1.0.0+build.7'])('with the version %s', (version) => {
    installed(version);
    put(`app/vendor/fw-${version}.tgz`);
    expect(said(`file:vendor/fw-${version}.tgz`)).toEqual([['ok', expect.any(String)]]);
    installed('1.0.0');
    expect(said(`file:vendor/fw-${version}.tgz`)).toEqual([
      ['error', `package.json has fw ${version}, and fw 1.0.0 is installed`],
    ]);
  });

  it('without fw, and with Plug and Play', () => {
    expect(look(undefined)).toEqual([]);
    put('app/.pnp.cjs');
    expect(said('^1.0.0')).toEqual([['ok', expect.any(String)]]);
  });

  it('with a tarball elsewhere in its repository', () => {
    installed();
    put('vendor/fw-1.0.0.tgz');
    expect(said('file:../vendor/fw-1.0.0.tgz')).toEqual([['error', expect.any(String)]]);
    put('.git/HEAD');
    expect(said('file:../vendor/fw-1.0.0.tgz')).toEqual([['ok', expect.any(String)]]);
  });
});

describe('an app cannot be installed elsewhere', () => {
  it('with an absolute path', () => {
    installed();
    put('fw-1.0.0.tgz');
    const path = join(folder, 'fw-1.0.0.tgz');
    expect(look(`file:${path}`)).toEqual([
      [
        'error',
        `package.json has fw from an absolute path, ${path}, which other machines do not have`,
        upgrade,
      ],
    ]);
  });

  it('with a path out of it', () => {
    installed();
    put('fw-1.0.0.tgz');
    expect(look('file:../fw-1.0.0.tgz')).toEqual([
      [
        'error',
        'package.json has fw from a path outside of the app, ../fw-1.0.0.tgz, which other machines do not have',
        upgrade,
      ],
    ]);
  });

  it.each(['file:../clone', 'link:../clone', 'portal:../clone', '../clone'])('with a link: %s', (spec) => {
    put('clone/package.json', manifest('1.0.0'));
    mkdirSync(join(app, 'node_modules'));
    symlinkSync(join(folder, 'clone'), join(app, 'node_modules/fw'), 'junction');
    expect(look(spec)).toEqual([
      [
        'warning',
        'package.json links fw to the directory ../clone: the app cannot be installed elsewhere',
        upgrade,
      ],
    ]);
  });

  it.each(['C:\\x\\fw-1.0.0.tgz', 'C:/x/fw-1.0.0.tgz', 'file:c:/x/fw-1.0.0.tgz', 'file:///x/fw-1.0.0.tgz'])(
    'with a path of one machine: %s',
    (spec) => {
      installed();
      const path = spec.replace(/^file:(?:\/\/)?/, '');
      expect(said(spec)).toEqual([
        ['error', expect.stringContaining(`, ${path}, which other machines do not have`)],
      ]);
    },
  );

  it.each(['vendor/fw-1.0.0.tgz', './fw-1.0.0.tar.gz', 'fw-1.0.0.TGZ'])(
    'with %s, which is not there',
    (spec) => {
      installed();
      expect(said(spec)).toEqual([['error', `package.json has fw from ${spec}, and there is no such file`]]);
    },
  );

  it('with a tarball that is not there', () => {
    installed();
    expect(said('file:vendor/fw-1.0.0.tgz')).toEqual([
      ['error', 'package.json has fw from vendor/fw-1.0.0.tgz, and there is no such file'],
    ]);
  });
});

describe('what is installed is not what package.json has', () => {
  it('but another package of that name', () => {
    put('app/node_modules/fw/package.json', '{"name":"fw","version":"0.1.2","description":"a firewall"}');
    expect(said('^0.1.0')).toEqual([['error', 'the installed fw 0.1.2 is another package: a firewall']]);
  });

  it('but another version', () => {
    installed('0.9.0');
    put('app/vendor/fw-1.0.0.tgz');
    expect(look('file:vendor/fw-1.0.0.tgz')).toEqual([
      ['error', 'package.json has fw 1.0.0, and fw 0.9.0 is installed', 'pnpm install'],
    ]);
  });

  it('but a link to a clone', () => {
    put('clone/package.json', manifest('1.0.0'));
    put('app/vendor/fw-1.0.0.tgz');
    mkdirSync(join(app, 'node_modules'));
    symlinkSync(join(folder, 'clone'), join(app, 'node_modules/fw'), 'junction');
    expect(said('file:vendor/fw-1.0.0.tgz')).toEqual([['warning', expect.stringContaining('is a link to')]]);
  });

  it('and a link within node_modules, as pnpm makes it, is right', () => {
    put('app/node_modules/.pnpm/fw@1.0.0/node_modules/fw/package.json', manifest('1.0.0'));
    put('app/vendor/fw-1.0.0.tgz');
    const target = join(app, 'node_modules/.pnpm/fw@1.0.0/node_modules/fw');
    symlinkSync(target, join(app, 'node_modules/fw'), 'junction');
    expect(said('file:vendor/fw-1.0.0.tgz')).toEqual([['ok', 'package.json has file:vendor/fw-1.0.0.tgz']]);
  });

  it('and what a registry has under that name is not known before', () => {
    expect(said('^1.0.0')).toEqual([
      ['warning', 'fw ^1.0.0 is asked from a registry; on npm, that name belongs to another project'],
    ]);
  });
});

it('a tarball of another version is left over', () => {
  installed();
  put('app/vendor/fw-1.0.0.tgz');
  put('app/vendor/fw-0.9.0.tgz');
  expect(look('file:vendor/fw-1.0.0.tgz')).toEqual([
    ['warning', 'vendor/fw-0.9.0.tgz is not used: package.json has another fw', 'remove vendor/fw-0.9.0.tgz'],
  ]);
});
