// Templates of one's own: folders and archives as people have them, and what is refused.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { packTar, type TarHeader } from 'modern-tar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliError } from '../terminal/errors.js';
import { ownTemplate } from './own-template.js';
import { makePlan, type Plan } from './plan.js';
import { completeRequest, type Flags } from './request.js';
import { isTemplatePath } from './template-entries.js';
import { listTemplates } from './templates.js';

const usual: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'starter', dependencies: { fw: '*', zod: '^4.0.0' } }),
  'fw.toml': '[app]\nname = "starter"\n',
  'README.md': '# starter\n\nMade of starter.\n',
  _gitignore: '.env\n',
  '.env.example': 'KEY=<secret>\nPORT=3000\n',
  'src/main.ts': 'export {};\n',
};
const isWindows = process.platform === 'win32';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'fw-own-template-')));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function folder(files: Readonly<Record<string, string>> = usual): string {
  for (const [path, content] of Object.entries(files)) put(path, content);
  return './starter';
}

function put(path: string, content: string): void {
  const place = join(cwd, 'starter', path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, content);
}

type Entries = Readonly<Record<string, string | Partial<TarHeader>>>;

/** A tar archive; an object in place of a text is a header of another kind. */
async function archive(entries: Entries, name = 'starter.tar'): Promise<string> {
  const bytes = await packTar(
    Object.entries(entries).map(([path, value]) => {
      const header = { name: path, size: 0, ...(typeof value === 'string' ? {} : value) };
      return typeof value === 'string'
        ? { header: { ...header, size: Buffer.byteLength(value) }, body: value }
        : { header };
    }),
  );
  writeFileSync(join(cwd, name), name.endsWith('z') ? gzipSync(bytes) : bytes);
  return `./${name}`;
}

async function paths(source: string): Promise<string[]> {
  return (await ownTemplate(source, cwd)).read().map(({ path }) => path);
}

async function problem(source: string): Promise<string> {
  const error = await ownTemplate(source, cwd).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(CliError);
  return `${(error as CliError).message}; ${(error as CliError).help}`;
}

async function planned(source: string, flags: Flags = {}): Promise<Plan> {
  const template = isTemplatePath(source) ? join(cwd, source) : source;
  return makePlan(
    await completeRequest(join(cwd, 'my-app'), { template, ...flags }, listTemplates(), undefined),
    cwd,
  );
}

const textOf = (plan: Plan, path: string): string =>
  String(plan.files.find((file) => file.path === path)?.content);
const made = ['.env.example', '.gitignore', 'README.md', 'fw.toml', 'package.json', 'src/main.ts'];

describe('a folder as template', () => {
  it('becomes an app with the placeholders of every template', async () => {
    const plan = await planned(folder());
    expect(JSON.parse(textOf(plan, 'package.json'))).toMatchObject({
      name: 'my-app',
      dependencies: { fw: plan.fwSpec, zod: '^4.0.0' },
    });
    expect(textOf(plan, 'fw.toml')).toContain('name = "my-app"');
    expect(textOf(plan, 'README.md')).toBe('# my-app\n\nMade of starter.\n');
    expect(textOf(plan, '.env')).toMatch(/^KEY=[\w-]{43}\nPORT=3000\n$/);
    expect(textOf(plan, '.gitignore')).toBe('.env\n');
    expect(plan.command).toContain('--template');
  });

  it('leaves out what building, running and installing leave, and what git and fw put there', async () => {
    const left = [
      'node_modules/x/index.js',
      'web/node_modules/x/index.js',
      '.git/config',
      'Dist/main.js',
      ...['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'],
      'app.db',
      'app.db-wal',
      '.env',
      '.env.local',
      '.env.production.local',
      'vendor/fw-0.1.0.tgz',
    ];
    folder({ ...usual, ...Object.fromEntries(left.map((path) => [path, 'x'])), 'vendor/other.tgz': 'x' });
    expect(await paths('./starter')).toEqual([...made, 'vendor/other.tgz']);
  });

  it.skipIf(isWindows)('keeps executables, and copies the file that a link inside leads to', async () => {
    folder();
    chmodSync(join(cwd, 'starter/src/main.ts'), 0o755);
    symlinkSync('src/main.ts', join(cwd, 'starter/linked.ts'));
    const files = (await ownTemplate('./starter', cwd)).read();
    const linked = files.find(({ path }) => path === 'linked.ts');
    expect(String(linked?.content)).toBe('export {};\n');
    expect(linked?.executable).toBe(true);
  });

  it.skipIf(isWindows).each(['../secret', '/etc/hostname', 'src', 'nowhere', 'node_modules/x'])(
    'refuses a link to %s',
    async (target) => {
      folder({ ...usual, 'node_modules/x': 'x' });
      writeFileSync(join(cwd, 'secret'), 'x');
      symlinkSync(target, join(cwd, 'starter/link'));
      expect(await problem('./starter')).toContain(`the symbolic link 'link' leads to '${target}'`);
    },
  );

  it('has settings of the package manager that it asks for, unless it has its own', async () => {
    const manifest = { ...JSON.parse(usual['package.json'] ?? ''), packageManager: 'pnpm@10.0.0' };
    folder({ ...usual, 'package.json': JSON.stringify(manifest), 'pnpm-workspace.yaml': 'mine' });
    const plan = await planned('starter/');
    expect(plan.packageManager).toBe('pnpm');
    expect(plan.files.filter(({ path }) => path === 'pnpm-workspace.yaml')).toHaveLength(1);
    expect(textOf(plan, 'pnpm-workspace.yaml')).toBe('mine');
    expect((await planned('./starter', { packageManager: 'npm' })).packageManager).toBe('npm');
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['no package.json', { 'src/main.ts': '' }, 'it has no package.json'],
    ['no JSON', { 'package.json': '{' }, 'its package.json is not JSON'],
    ['no object', { 'package.json': '[]' }, 'its package.json is not an object'],
    ['no name', { 'package.json': '{}' }, 'its package.json has no name'],
    ['no fw', { 'package.json': '{"name":"x"}' }, 'does not depend on fw; add "fw": "*"'],
    [
      'two of one name',
      { ...usual, '.gitignore': '' },
      "'.gitignore' and '_gitignore' would be the same file",
    ],
  ])('with %s is refused', async (_, files, message) => {
    expect(await problem(folder(files))).toContain(message);
  });

  it.skipIf(isWindows).each([
    ['con.txt', 'it is a reserved name on Windows'],
    ['a:b', 'it contains :'],
    ['a\\b', 'it contains \\'],
    ['dot.', 'it ends with a dot'],
    ['a\nb', 'it contains a control character'],
    ['git~1/config', 'it is a name of .git on Windows'],
  ])('with the name %j is refused', async (name, message) => {
    expect(await problem(folder({ ...usual, [name]: 'x' }))).toContain(message);
  });

  it('larger than an app can be is refused before it is read', async () => {
    folder({ ...usual, 'large.bin': '' });
    truncateSync(join(cwd, 'starter/large.bin'), 100_000_001);
    expect(await problem('./starter')).toContain('its files have more than 100 MB');
  });
});

describe('an archive as template', () => {
  it.each(['starter.tar', 'starter.tgz', 'starter.tar.gz'])('%s becomes an app', async (name) => {
    const plan = await planned(await archive({ 'src/': { type: 'directory' }, ...usual }, name));
    expect(textOf(plan, 'README.md')).toMatch(/^# my-app\n/);
  });

  it('may have all of it in one folder, and names as tar writes them', async () => {
    const entries = Object.entries(usual);
    const inFolder = Object.fromEntries(entries.map(([path, text]) => [`starter-1.0/${path}`, text]));
    expect(await paths(await archive({ 'starter-1.0/': { type: 'directory' }, ...inFolder }))).toEqual(made);
    const dotted = Object.fromEntries(entries.map(([path, text]) => [`./${path}`, text]));
    expect(await paths(await archive({ './': { type: 'directory' }, ...dotted }))).toEqual(made);
  });

  it('has long names with spaces and = whole', async () => {
    const long = `src/${'a b=c/'.repeat(40)}x.ts`;
    expect(await paths(await archive({ ...usual, [long]: 'x' }))).toContain(long);
  });

  it.each<[string, Entries, string]>([
    ['leads out', { '../x': 'x' }, "'../x' leads out of it"],
    ['leads out from within', { 'src/../../x': 'x' }, 'leads out of it'],
    ['leads out with the other separator', { 'src\\..\\..\\x': 'x' }, 'leads out of it'],
    ['is absolute', { '/etc/x': 'x' }, "'/etc/x' leads out of it"],
    ['is absolute on Windows', { 'C:/x': 'x' }, "'C:/x' leads out of it"],
    ['has a share of Windows', { '\\\\host\\x': 'x' }, 'leads out of it'],
    ['is too long', { [`${'a/'.repeat(500)}b`]: 'x' }, 'has more than 1000 characters'],
    ['has a backslash', { 'a\\b': 'x' }, 'it contains \\'],
    ['has an empty part', { 'a//b': 'x' }, 'a part of it has no name'],
    ['is a device', { tty: { type: 'character-device' } }, "'tty' is a device or pipe"],
    ['is a pipe', { pipe: { type: 'fifo' } }, "'pipe' is a device or pipe"],
    ['is a hard link', { hard: { type: 'link', linkname: 'fw.toml' } }, "'hard' is a hard link"],
    ['links out', { out: { type: 'symlink', linkname: '../../x' } }, "leads to '../../x'"],
    ['links to a link', { a: { type: 'symlink', linkname: 'a' } }, "leads to 'a'"],
    [
      'differs in case alone',
      { 'SRC/Main.ts': 'x' },
      "'src/main.ts' and 'SRC/Main.ts' would be the same file",
    ],
    ['differs in composition alone', { é: 'x', 'e\u0301': 'y' }, 'would be the same file'],
    ['is a file and a folder', { src: 'x' }, "'src' is a file, and a folder of 'src/main.ts'"],
    ['opens the console', { 'src/nul': 'x' }, 'it is a reserved name on Windows'],
  ])('is refused if an entry %s', async (_, entries, message) => {
    expect(await problem(await archive({ ...usual, ...entries }))).toContain(message);
  });

  it('cannot write into .git by another spelling', async () => {
    const entries = { ...usual, '.git/hooks/a': 'x', 'a/.GIT/config': 'x' };
    expect(await paths(await archive(entries))).toEqual(made);
  });

  it('is refused if it has an entry twice', async () => {
    const source = await archive(usual);
    const header = { name: 'fw.toml', size: 1 };
    writeFileSync(
      join(cwd, source),
      await packTar([
        { header, body: 'a' },
        { header, body: 'b' },
      ]),
    );
    expect(await problem(source)).toContain("'fw.toml' is in it twice");
  });

  it('is refused if it is a zip archive, nothing, or broken, with the command that makes one', async () => {
    const wrong = async (name: string, bytes: Uint8Array): Promise<string> => {
      writeFileSync(join(cwd, name), bytes);
      return problem(`./${name}`);
    };
    const how = 'git archive --format=tar.gz -o template.tar.gz HEAD';
    expect(await wrong('a.zip', Buffer.from('PK\u0003\u0004'))).toMatch(/it is a zip archive.*git archive/);
    expect(await wrong('a.tar', Buffer.from('text'.repeat(1000)))).toContain(how);
    expect(await wrong('a.tgz', Buffer.from([0x1f, 0x8b, 1, 2]))).toContain(how);
    await archive(usual, 'whole.tar');
    truncateSync(join(cwd, 'whole.tar'), 1000);
    expect(await problem('./whole.tar')).toContain('it is not a whole tar archive');
  });

  it('is refused if it unpacks to more than fits', async () => {
    // Compresses one of its 201 megabytes, and repeats it: an end of it is never read.
    const first = gzipSync(Buffer.alloc(1_000_000), { finishFlush: constants.Z_FULL_FLUSH });
    const headSize = 10;
    const more = Array<Buffer>(200).fill(first.subarray(headSize));
    writeFileSync(join(cwd, 'bomb.tgz'), Buffer.concat([first, ...more]));
    expect(await problem('./bomb.tgz')).toContain('it unpacks to more than 200 MB');
  });
});

describe('--template', () => {
  it.each([
    './x',
    '../x',
    '.',
    '..',
    '/x',
    '~',
    '~/x',
    '~\\x',
    'C:\\x',
    'd:x',
    'a/b',
    'a\\b',
    'x.tgz',
    'x.tar.gz',
  ])('takes %s for a path', (value) => {
    expect(isTemplatePath(value)).toBe(true);
  });

  it('says what is wrong with a path', async () => {
    expect(await problem('./nowhere')).toContain(`there is no folder or archive '${join(cwd, 'nowhere')}'`);
    for (const address of ['https://example.org/x.tgz', 'git@example.org:a/b.git']) {
      expect(await problem(address)).toContain('fw new downloads nothing');
    }
  });

  it.each(listTemplates())('does not take $name for a path', ({ name }) => {
    expect(isTemplatePath(name)).toBe(false);
  });
});
