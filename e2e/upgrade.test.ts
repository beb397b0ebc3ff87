// From one version of fw to the next, and back from a path that only one machine has: by `fw upgrade`, with real npm.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { npm, packedTarball, type RunResult, runFw, scaffold } from './packed.js';

const next = packageJson.version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
const path = `vendor/fw-${next}.tgz`;
let app: string;
let tarball: string;

beforeAll(async () => {
  app = await scaffold();
  tarball = join(dirname(app), 'downloads', `fw-${next}.tgz`);
  const folder = join(dirname(tarball), 'unpacked');
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', packedTarball(), '-C', folder]);
  const manifest = join(folder, 'package/package.json');
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version: next }));
  execFileSync('tar', ['-czf', tarball, '-C', folder, 'package']);
});

const own = (): string => join(app, 'node_modules/fw/dist/cli/main.js');
const json = (file: string): { version: string; dependencies: Record<string, string> } =>
  JSON.parse(readFileSync(join(app, file), 'utf8'));
const inApp = (...args: string[]): Promise<RunResult> => runFw(args, { cwd: app, binary: own() });

async function statusOfFw(): Promise<string[]> {
  const { findings } = JSON.parse((await inApp('doctor', '--json')).stdout) as {
    findings: { check: string; status: string }[];
  };
  return findings.filter(({ check }) => check === 'fw').map(({ status }) => status);
}

test('a tarball of the next version takes the place of the one in the app', async () => {
  const result = await inApp('upgrade', `../downloads/fw-${next}.tgz`);
  expect(result, result.stderr).toMatchObject({ exitCode: 0 });
  expect(result.stdout).toContain(
    `fw is file:${path} now, and was file:vendor/fw-${packageJson.version}.tgz`,
  );
  expect(readdirSync(join(app, 'vendor'))).toEqual([`fw-${next}.tgz`]);
  expect(json('package.json').dependencies.fw).toBe(`file:${path}`);
  expect(json('node_modules/fw/package.json').version).toBe(next);
  npm(['ci', '--prefer-offline', '--no-audit', '--no-fund'], app);
  expect(json('node_modules/fw/package.json').version).toBe(next);
  expect(await statusOfFw()).toEqual(['ok']);
});

test('an app whose fw npm has taken from elsewhere carries it again', async () => {
  npm(['install', tarball, '--prefer-offline', '--no-audit', '--no-fund'], app);
  expect(json('package.json').dependencies.fw).toBe(`file:../downloads/fw-${next}.tgz`);
  expect(await statusOfFw()).toEqual(['error', 'warning']);
  const result = await inApp('upgrade');
  expect(result, result.stderr).toMatchObject({ exitCode: 0 });
  expect(json('package.json').dependencies.fw).toBe(`file:${path}`);
  expect(await statusOfFw()).toEqual(['ok']);
});

test('an older version is put there only by force, and another package never', async () => {
  const older = await runFw(['upgrade', '--no-install'], { cwd: app });
  expect(older.exitCode).toBe(1);
  expect(older.stderr).toContain(
    `the app has fw ${next}, and this is fw ${packageJson.version}, which is older`,
  );
  writeFileSync(join(app, 'not-fw.tgz'), 'text');
  const other = await inApp('upgrade', 'not-fw.tgz');
  expect(other.exitCode).toBe(1);
  expect(other.stderr).toContain('not-fw.tgz is not the tarball of a package');
  expect(json('package.json').dependencies.fw).toBe(`file:${path}`);
  const forced = await runFw(['upgrade', '--no-install', '--force'], { cwd: app });
  expect(forced, forced.stderr).toMatchObject({ exitCode: 0 });
  expect(readdirSync(join(app, 'vendor'))).toEqual([`fw-${packageJson.version}.tgz`]);
});
