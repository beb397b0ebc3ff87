// Holds that everybody makes the same package of a commit: npm run check:reproducible. Two clones of HEAD at different
// paths are packed, as on two machines: with other time zones, languages, masks of permissions, homes and processors,
// on another day, and with folders that are listed in another order. The tarballs must be the same, byte by byte.
// What was published is compared too, with the Node.js and npm that made it:
// npm run check:reproducible -- fw-0.9.0.tgz
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { tarballDifferences } from './tarball-difference.js';
import { cloneCheckout } from './temporary-clone.js';

interface Machine {
  /** Of the folder, whose length differs too. */
  readonly name: string;
  readonly umask: number;
  readonly env: NodeJS.ProcessEnv;
  readonly isOther: boolean;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const machines: readonly Machine[] = [
  { name: 'a', umask: 0o022, env: { TZ: 'UTC', LC_ALL: 'C', GOMAXPROCS: '1' }, isOther: false },
  {
    name: 'a folder with ä long name/of another machine',
    umask: 0o077,
    env: { TZ: 'Pacific/Apia', LC_ALL: 'sv_SE.UTF-8', RAYON_NUM_THREADS: '1', UV_THREADPOOL_SIZE: '1' },
    isOther: true,
  },
];
const published = process.argv.slice(2).map((path) => [path, readGiven(path)] as const);

const place = realpathSync(mkdtempSync(join(tmpdir(), 'fw-reproducible-')));
process.on('exit', () => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const commit = git('rev-parse', '--short', 'HEAD');
if (git('status', '--porcelain') !== '')
  console.log(`Changes that are not committed are left out of ${commit}.`);
const [first = new Uint8Array(), second = new Uint8Array()] = machines.map(pack);
const own = tarballDifferences(first, second);
const ofPublished = published.flatMap(([path, bytes]) =>
  tarballDifferences(first, bytes).map((fault) => `${path}: ${fault}`),
);
for (const fault of [...own, ...ofPublished]) console.error(fault);
if (own.length > 0)
  console.error(
    `The package of ${commit} is not reproducible: remove from the build what makes these differ.`,
  );
else {
  const integrity = createHash('sha512').update(first).digest('base64');
  console.log(`${commit} packs to the same ${first.length} bytes on different machines: sha512-${integrity}`);
}
if (ofPublished.length > 0)
  console.error(
    `That was not made of ${commit} with this Node.js and npm: check out its tag, and use those of it.`,
  );
if (own.length + ofPublished.length > 0) process.exitCode = 1;

/** Clones, builds and packs as on that machine. */
function pack({ name, umask, env, isOther }: Machine): Uint8Array {
  const own = join(place, name);
  const [clone, home, temporary, out] = ['fw', 'home', 'tmp', 'out'].map((folder) => join(own, folder));
  if (!clone || !home || !temporary || !out) throw new Error('a machine has four folders');
  for (const folder of [home, temporary, out]) mkdirSync(folder, { recursive: true });
  const before = process.umask(umask);
  cloneCheckout(root, clone);
  const other = pathToFileURL(join(clone, '.ci/other-machine.mjs')).href;
  execFileSync('npm', ['pack', '--silent', '--pack-destination', out], {
    cwd: clone,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TMPDIR: temporary,
      ...env,
      ...(isOther && { NODE_OPTIONS: `--import ${other}` }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.umask(before);
  const tarball = readdirSync(out).find((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm pack wrote no tarball into ${basename(out)}`);
  return readFileSync(join(out, tarball));
}

function readGiven(path: string): Uint8Array {
  if (!existsSync(path)) throw new Error(`there is no ${path}: give a tarball, as of npm pack fw@0.9.0`);
  return readFileSync(path);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
