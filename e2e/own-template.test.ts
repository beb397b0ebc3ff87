// A team's own template, from an app of theirs: as a folder, and as the archive that git makes of it, with the packed
// package. The app that comes of it installs, and its tests pass.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { manifest, ok, tree } from './made-app.js';
import { run, runFw, scaffold } from './packed.js';

const carried = `vendor/fw-${packageJson.version}.tgz`;

/** Where the template is, in a folder of its own. */
let place: string;

beforeAll(async () => {
  const starter = await scaffold({ name: 'starter', install: false });
  place = dirname(starter);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(starter, path)), { recursive: true });
    writeFileSync(join(starter, path), text);
  };
  put('src/company.ts', "export const company = 'Acme';\n");
  put('.env.example', 'API_KEY=<secret>\n');
  appendFileSync(join(starter, 'README.md'), '\nAsk the platform team.\n');
  const git = (...args: string[]): void => {
    const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    execFileSync('git', [...author, ...args], { cwd: starter });
  };
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  git('archive', '--format=tar.gz', '-o', '../starter.tar.gz', 'HEAD');
  git('archive', '--format=zip', '-o', '../starter.zip', 'HEAD');
  // What a checkout has besides.
  put('node_modules/x/index.js', 'x');
  put('dist/main.js', 'x');
  put('.env', 'API_KEY=of-the-team\n');
});

describe('an app of the template of a team', () => {
  test('from the archive that git makes installs, and its tests pass', async () => {
    const result = await runFw(['new', 'shop', '--template', './starter.tar.gz'], { cwd: place });
    ok(result);
    expect(result.stdout).toMatch(/^Created shop from the template \.\/starter\.tar\.gz \(\d+ files\)$/m);
    expect(result.stdout).toContain('fw new shop --template ./starter.tar.gz\n');
    const shop = join(place, 'shop');
    expect(manifest(shop)).toMatchObject({ name: 'shop', dependencies: { fw: `file:${carried}` } });
    expect(readFileSync(join(shop, 'README.md'), 'utf8')).toMatch(
      /^# shop\n[\s\S]*Ask the platform team\.\n$/,
    );
    expect(readFileSync(join(shop, '.env'), 'utf8')).toMatch(/^API_KEY=[\w-]{43}\n$/);
    const tests = await run('npm', ['test'], { cwd: shop });
    ok(tests);
    expect(tests.stdout).toMatch(/Tests +\d+ passed/);
  });

  test('from the folder has the same files, and nothing that running it has left', async () => {
    ok(await runFw(['new', 'a', '-t', './starter', '--no-install', '--no-git'], { cwd: place }));
    ok(await runFw(['new', 'b', '-t', 'starter.tar.gz', '--no-install', '--no-git'], { cwd: place }));
    expect(tree(join(place, 'a'))).toEqual(tree(join(place, 'b')));
    expect(tree(join(place, 'a'))).toEqual(expect.arrayContaining([carried, '.env', 'src/company.ts']));
    expect(readFileSync(join(place, 'a/.env'), 'utf8')).not.toContain('of-the-team');
  });

  test('is not made of a zip archive, or of a name without a path', async () => {
    const zip = await runFw(['new', 'c', '-t', './starter.zip'], { cwd: place });
    expect(zip.exitCode).toBe(1);
    expect(zip.stderr).toContain('git archive --format=tar.gz');
    const name = await runFw(['new', 'c', '-t', 'starter'], { cwd: place });
    expect(name.exitCode).toBe(2);
    expect(name.stderr).toContain('--template ./starter');
    expect(existsSync(join(place, 'c'))).toBe(false);
  });
});
