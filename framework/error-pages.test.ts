// The pages of error codes: each code has one, whose example throws that code with the message that the page shows, and
// whose fix does not.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { transformSync } from 'esbuild';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

const root = new URL('..', import.meta.url);
const folder = new URL('docs/errors/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8').replaceAll('\r\n', '\n');
const pages = readdirSync(folder)
  .map((name) => name.replace(/\.md$/, ''))
  .sort();

/** Members of the types of codes, and codes that are given in another way, such as those of warnings. */
function allCodes(): string[] {
  const sources = ['.', '../cli'].flatMap((path) =>
    readdirSync(new URL(`${path}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test(?:-d)?\.ts$/.test(file) && !file.includes('docs'))
      .map((file) => `${path}/${file}`),
  );
  const found = sources.flatMap((file) =>
    [...read(file).matchAll(/^ {2}\| '(FW_\w+)'|\bcode: '(FW_\w+)'/gm)].map(([, one, other]) => one ?? other),
  );
  return [...new Set(found)].sort() as string[];
}

/** What examples need that name another runtime, another environment or other packages. */
const surroundings: Readonly<Record<string, () => void>> = {
  FW_PASSWORD_COST() {
    vi.stubEnv('FW_PASSWORD_COST', '10');
    vi.stubEnv('NODE_ENV', 'production');
  },
  FW_RUNTIME_FILES: () => void vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never),
  FW_PACKAGE_VERSION() {
    vi.doMock('ws', async (original) => ({ ...(await original<object>()), Receiver: undefined }));
    vi.resetModules();
    onTestFinished(() => void vi.resetModules());
  },
  FW_DEPRECATED() {
    vi.resetModules();
    vi.spyOn(process, 'emitWarning').mockImplementation((message, options) => {
      throw Object.assign(new Error(String(message)), options);
    });
  },
};
/** Tests of those whose example needs a project without a package that this one has. */
const elsewhere: Readonly<Record<string, string>> = {
  FW_PACKAGE_MISSING: 'e2e/docs-command.test.ts',
};
/** On Windows, links need the rights of an administrator. */
const withLinks = process.platform === 'win32' ? ['FW_STATIC_LINK', 'FW_STATIC_UNREADABLE'] : [];

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.doUnmock('ws');
});

const { exports } = JSON.parse(read('../package.json')) as { exports: Record<string, { default: string }> };

/** Subpaths of `fw` from the sources. */
function load(name: string): Promise<unknown> {
  if (!/^fw(?:\/|$)/.test(name)) return import(name);
  const { default: file } = exports[name.replace(/^fw/, '.')] as { default: string };
  return import(new URL(file.replace('./dist/', '').replace(/\.js$/, '.ts'), root).href);
}

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (of: typeof load) => Promise<void>;

/** What the program throws. */
async function thrownBy(program: string): Promise<unknown> {
  const { code } = transformSync(program, { loader: 'ts', format: 'esm', target: 'es2022' });
  const body = code.replace(
    /^import \{([^}]*)\} from "([^"]+)";$/gm,
    (_, names: string, from: string) => `const {${names.replaceAll(' as ', ': ')}} = await load("${from}");`,
  );
  return new AsyncFunction('load', body)(load).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Places, paths and limits that differ from machine to machine are as on the page. */
function asOnPage(message: string): string {
  return message
    .replace(/eval at [^\n]*?<anonymous>:\d+:\d+/g, 'src/app.ts:1:1')
    .replaceAll(process.cwd(), '/home/ada/shop')
    .replaceAll(tmpdir(), '/tmp')
    .replaceAll('\\', '/')
    .replace(/shop-\w{6}\b/g, 'shop-1a2b3c')
    .replace(/src\/app\.ts:\d+:\d+/g, 'src/app.ts:1:1')
    .replace(/at most \d+ bytes/g, 'at most 107 bytes');
}

function blocks(page: string, fence: string): string[] {
  return [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
    .filter(([, info]) => info === fence)
    .map(([, , code = '']) => code);
}

describe('the pages of error codes', () => {
  it('are as many as the codes', () => {
    expect(pages.length).toBeGreaterThan(110);
    expect(pages).toEqual(allCodes());
  });

  it('are all linked from the page of all codes, with a cause', () => {
    const rows = read('docs/error-codes.md').matchAll(
      /^\| \[`(FW_\w+)`\]\(errors\/\1\.md\) \| \S[^|]* \|$/gm,
    );
    expect([...rows].map(([, code]) => code).sort()).toEqual(pages);
  });

  it.each(pages)('%s has a cause, the message, one example and a fix', (code) => {
    const page = read(`docs/errors/${code}.md`);
    expect(page).toMatch(
      new RegExp(`^# ${code}\n\n\\S.*\n\n\`\`\`text\n[^]+\n## Example\n\n[^]+\n## Fix\n\n\\S`),
    );
    expect(blocks(page, 'ts fails')).toHaveLength(1);
  });

  it.each(pages.filter((code) => !Object.hasOwn(elsewhere, code) && !withLinks.includes(code)))(
    'the example of %s throws it, with the message of the page',
    async (code) => {
      const page = read(`docs/errors/${code}.md`);
      surroundings[code]?.();
      const error = (await thrownBy(blocks(page, 'ts fails').join('\n'))) as Error;
      expect(error).toMatchObject({ code });
      expect(asOnPage(blocks(page, 'text').join('\n'))).toContain(asOnPage(error.message));
    },
  );

  const fixed = pages.filter((code) => blocks(read(`docs/errors/${code}.md`), 'ts').length > 0);
  it.each(fixed)('the fix of %s throws nothing', async (code) => {
    expect(await thrownBy(blocks(read(`docs/errors/${code}.md`), 'ts').join('\n'))).toBeUndefined();
  });

  it.each(Object.entries(elsewhere))('%s is in %s', (code, test) => {
    expect(readFileSync(new URL(test, root), 'utf8')).toContain(`'${code}'`);
  });
});
