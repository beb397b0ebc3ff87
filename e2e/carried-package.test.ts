// However fw was installed, the app that it makes carries the same package.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { checkout, installFw, npm, packedTarball, scaffold, temporaryDirectory } from './packed.js';

describe('an app carries the fw that created it, with the same bytes', () => {
  const path = `vendor/fw-${packageJson.version}.tgz`;
  /** The hash of the tarball in an app. */
  const carriedBy = async (app: string): Promise<string> => {
    const manifest = JSON.parse(await readFile(join(app, 'package.json'), 'utf8'));
    expect(manifest.dependencies.fw).toBe(`file:${path}`);
    return createHash('sha256')
      .update(await readFile(join(app, path)))
      .digest('hex');
  };
  const made = async (binary?: string): Promise<string> =>
    carriedBy(await scaffold({ install: false, ...(binary !== undefined && { binary }) }));
  let expected: string;
  beforeAll(async () => {
    expected = await made();
  });

  test('from a clone', async () => {
    expect(await made(join(checkout, 'dist/cli/main.js'))).toBe(expected);
  });

  test('passed to npx as a tarball', async () => {
    const parent = temporaryDirectory();
    const args = ['exec', '--yes', '--offline', `--package=${packedTarball()}`, '--'];
    npm([...args, 'fw', 'new', 'by-npx', '--template', 'basic', '--no-install', '--no-git'], parent);
    expect(await carriedBy(join(parent, 'by-npx'))).toBe(expected);
  });

  test('installed globally', async () => {
    const prefix = join(temporaryDirectory(), 'global');
    npm(
      ['install', '--global', '--prefer-offline', '--prefix', prefix, packedTarball()],
      temporaryDirectory(),
    );
    const modules = process.platform === 'win32' ? 'node_modules' : 'lib/node_modules';
    expect(await made(join(prefix, modules, 'fw/dist/cli/main.js'))).toBe(expected);
  });

  test('installed from the tarball of an app', async () => {
    const first = await scaffold({ install: false });
    const tools = join(temporaryDirectory(), 'tools');
    expect(await made(installFw(tools, join(first, path)))).toBe(expected);
  });
});
