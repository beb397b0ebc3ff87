// Looks whether the app can be installed on another machine with this `fw`: by its tarball, or from a registry.
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { carriedTarballs } from '../upgrade/upgrade-app.js';
import { hasPlugAndPlay, installedManifest, isThisFramework } from '../vendor/fw-dependency.js';
import { type Finding, fault, ok, warning } from './finding.js';

/**
 * @param spec what package.json says of `fw`; undefined if the app does not depend on it
 * @param run the words that run a binary of the app: `npx`, `pnpm exec`
 * @param install the command that installs what package.json has
 */
export function checkFw(root: string, spec: string | undefined, run: string, install: string): Finding[] {
  if (spec === undefined) return [];
  const upgrade = `${run} fw upgrade, which puts the fw that runs it into vendor/`;
  const path = localPath(spec);
  const found = [
    ...(path === undefined ? [] : wherePathLeads(root, path, upgrade)),
    ...whatIsInstalled(root, spec, path, install),
    ...leftOver(root, path),
  ];
  return found.length > 0 ? found : [ok('fw', `package.json has ${spec}`)];
}

/** The path in `file:vendor/fw.tgz`, `link:../fw`, `./fw.tgz` (as bun writes it); undefined for other specs. */
function localPath(spec: string): string | undefined {
  const prefixed = /^(?:file|link|portal):(?:\/\/(?=\/))?(.*)$/.exec(spec)?.[1];
  if (prefixed !== undefined) return prefixed.replace(/::.*$/, '');
  return /^(?:\.{0,2}\/|[a-z]:[\\/])|^(?!https?:).*\.(?:tgz|tar\.gz)$/i.test(spec) ? spec : undefined;
}

function wherePathLeads(root: string, path: string, upgrade: string): Finding[] {
  const target = resolve(root, path);
  const isLink = statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isLink) {
    return [
      warning(
        'fw',
        `package.json links fw to the directory ${path}: the app cannot be installed elsewhere`,
        upgrade,
      ),
    ];
  }
  const whole = repositoryOf(root);
  if (isAbsolute(path) || /^[a-z]:[\\/]/i.test(path) || relative(whole, target).split(sep)[0] === '..') {
    const what = isAbsolute(path) ? 'an absolute path' : 'a path outside of the app';
    return [
      fault('fw', `package.json has fw from ${what}, ${path}, which other machines do not have`, upgrade),
    ];
  }
  if (existsSync(target)) return [];
  return [
    fault(
      'fw',
      `package.json has fw from ${path}, and there is no such file`,
      'bring it back from version control, or put another one there: npx --package=<path of its tarball> fw upgrade',
    ),
  ];
}

/** The folder that is cloned: that of the git repository, or the app. */
function repositoryOf(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return root;
  }
}

function whatIsInstalled(root: string, spec: string, path: string | undefined, install: string): Finding[] {
  if (hasPlugAndPlay(root)) return [];
  const other = 'put this framework there: npx --package=<path of its tarball> fw upgrade';
  const installed = installedManifest(root, 'fw');
  const isRange =
    path === undefined && !/^(?:https?|git|git\+\w+|ssh|github|gitlab|bitbucket|workspace):/.test(spec);
  if (installed === undefined) {
    if (!isRange) return [];
    return [
      warning(
        'fw',
        `fw ${spec} is asked from a registry; on npm, that name belongs to another project`,
        `${other}; or install from a registry that has it`,
      ),
    ];
  }
  if (!isThisFramework(installed)) {
    const { version, description = 'without a description' } = installed;
    return [fault('fw', `the installed fw ${version} is another package: ${description}`, other)];
  }
  const place = join(root, 'node_modules/fw');
  const isLinked =
    path === undefined || !statSync(resolve(root, path), { throwIfNoEntry: false })?.isDirectory();
  if (isLinked && lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const real = realpathSync(place);
    if (!real.split(sep).includes('node_modules')) {
      return [warning('fw', `node_modules/fw is a link to ${real}, not what package.json has`, install)];
    }
  }
  const meant = /fw-(\d{1,9}\.\d{1,9}\.\d{1,9}[\w.+-]{0,100})\.t/.exec(path ?? '')?.[1];
  if (meant === undefined || meant === installed.version) return [];
  return [fault('fw', `package.json has fw ${meant}, and fw ${installed.version} is installed`, install)];
}

function leftOver(root: string, path: string | undefined): Finding[] {
  const used = path === undefined ? '' : relative(root, resolve(root, path)).split(sep).join('/');
  const unused = carriedTarballs(root).filter((one) => one !== used);
  if (unused.length === 0) return [];
  return [
    warning(
      'fw',
      `${unused.join(', ')} is not used: package.json has another fw`,
      `remove ${unused.join(' ')}`,
    ),
  ];
}
