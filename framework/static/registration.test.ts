import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { missingDirectory } from './check-directory.js';
import type { StaticOptions } from './options.js';

const outer = mkdtempSync(join(tmpdir(), 'fw-registration-'));
const dir = join(outer, 'public');
mkdirSync(join(dir, 'sub'), { recursive: true });
writeFileSync(join(dir, 'index.html'), '<p>index</p>');
writeFileSync(join(outer, 'outside.html'), '<p>outside</p>');
symlinkSync('../outside.html', join(dir, 'link.html'));
afterAll(() => rmSync(outer, { recursive: true, force: true }));

describe('serveStatic', () => {
  it('says who serves files on Workers', () => {
    const { code, message } = missingDirectory("serveStatic('/', 'public')", '/public', 'Workers');
    expect([code, message]).toEqual(['FW_RUNTIME_FILES', expect.stringContaining('wrangler.jsonc')]);
    expect(missingDirectory("serveStatic('/', 'public')", '/public', 'Deno').code).toBe('FW_STATIC_MISSING');
  });

  it('reports the resolved path of a missing directory', () => {
    expect(() => new App().serveStatic('/assets', 'no/such/dir')).toThrow(
      `serveStatic('/assets', 'no/such/dir'): there is no directory ${join(process.cwd(), 'no/such/dir')}; create it`,
    );
  });

  it.each([
    ['an empty text', '', "invalid directory ''; give the path of a directory"],
    ['nothing', undefined, 'invalid directory undefined; give the path of a directory'],
    [
      'a file',
      join(dir, 'index.html'),
      `${join(dir, 'index.html')} is not a directory; give the path of a directory`,
    ],
    ['a path below a file', join(dir, 'index.html/x'), `there is no directory ${join(dir, 'index.html/x')}`],
    ['a name with a NUL', 'a\0b', 'without null bytes'],
    ['a name that is too long', 'n'.repeat(300), 'ENAMETOOLONG'],
  ])('refuses %s as a directory', (_what, given, message) => {
    expect(() => new App().serveStatic('/a', given as string)).toThrow(message);
  });

  it.each(['', 'assets', '/assets/', '//', '/as#sets', '/a/../b', '/:', '/a?b', '/*rest'])(
    'refuses the prefix %j',
    (prefix) => {
      expect(() => new App().serveStatic(prefix, dir)).toThrow(/malformed (?:prefix|route pattern) '/);
    },
  );

  it.each<[unknown, string]>([
    [{ maxAge: 3 }, "has no option 'maxAge'; there are cacheControl, precompressed, dotfiles"],
    [{ cacheControl: 60 }, 'cacheControl is 60; give'],
    [{ cacheControl: 'a\r\nb' }, 'cacheControl is'],
    [{ precompressed: 'br' }, "precompressed is 'br'; give true or false"],
    [null, 'takes an object of options, got null'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new App().serveStatic('/a', dir, options as StaticOptions)).toThrow(message);
    expect(() => new App().serveSpa(dir, 'index.html', options as StaticOptions)).toThrow(message);
  });

  it('conflicts like a route, and reports both places', () => {
    const place = String.raw`\(.*registration\.test\.ts:\d+:\d+\)`;
    expect(() => new App().serveStatic('/a', dir).serveStatic('/a', outer)).toThrow(
      new RegExp(String.raw`route conflict: GET /a/\*\$file ${place} matches .* GET /a/\*\$file ${place}`),
    );
    expect(() => new App().get('/a/*path', () => 'x').serveStatic('/a', dir)).toThrow('route conflict');
  });

  it('throws after the first request', async () => {
    const app = new App();
    await app.oneshot(new Request('http://x/'));
    expect(() => app.serveStatic('/a', dir)).toThrow(`serveStatic('/a', '${dir}') came too late`);
    expect(() => app.serveSpa(dir, 'index.html')).toThrow(`serveSpa('${dir}', 'index.html') came too late`);
  });

  it('reports what is missing in a runtime without a file system', () => {
    const spy = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    expect(() => new App().serveStatic('/a', dir)).toThrow('this runtime has no node:fs');
    spy.mockRestore();
  });
});

describe('serveSpa', () => {
  it.each([
    ['nope.html', `there is no file ${join(dir, 'nope.html')}; build the page first`],
    ['sub', `${join(dir, 'sub')} is not a file; give the path of a file`],
    ['link.html', `${join(dir, 'link.html')} is a symbolic link to a file outside of the directory`],
    ['../outside.html', "invalid fallback '../outside.html'; give a path inside the directory"],
    ['/index.html', "such as 'index.html'"],
    ['./index.html', "invalid fallback './index.html'"],
    ['', "invalid fallback ''"],
    [undefined, 'invalid fallback undefined'],
  ])('refuses the fallback %j', (fallback, message) => {
    expect(() => new App().serveSpa(dir, fallback as string)).toThrow(message);
  });

  it('reports the resolved path of a missing directory', () => {
    expect(() => new App().serveSpa('no/such/dir', 'index.html')).toThrow(
      `there is no directory ${join(process.cwd(), 'no/such/dir')}`,
    );
  });

  it('is allowed once per App, and reports both places', () => {
    const place = String.raw`\(.*registration\.test\.ts:\d+:\d+\)`;
    expect(() => new App().serveSpa(dir, 'index.html').serveSpa(dir, 'index.html')).toThrow(
      new RegExp(`route conflict: serveSpa ${place} answers the same requests as serveSpa ${place}`),
    );
    const mounted = new App().serveSpa(dir, 'index.html');
    expect(() => new App().serveSpa(dir, 'index.html').route('/admin', mounted)).not.toThrow();
  });
});

describe('the bundled framework', () => {
  const bundle = join(outer, 'bundle');
  let metafile: Metafile;

  beforeAll(async () => {
    const result = await build({
      entryPoints: [fileURLToPath(new URL('../index.ts', import.meta.url))],
      outdir: bundle,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      outExtension: { '.js': '.mjs' },
      metafile: true,
    });
    metafile = result.metafile;
  });

  /** The sources and the modules of Node that importing `fw` loads; with `lazy`, also those that it may load later. */
  function loaded(lazy: boolean): string[] {
    const seen = new Set<string>();
    const visit = (output: string): void => {
      if (seen.has(output)) return;
      seen.add(output);
      const { inputs = {}, imports = [] } = metafile.outputs[output] ?? {};
      for (const input of Object.keys(inputs)) seen.add(input);
      for (const { path, kind } of imports) if (lazy || kind === 'import-statement') visit(path);
    };
    visit(Object.keys(metafile.outputs).find((output) => output.endsWith('/index.mjs')) ?? '');
    return [...seen];
  }

  it('loads neither node:fs nor the table of media types before files are served', () => {
    for (const part of [/^node:fs$/, /\/mime\//, /static\/file-server\.ts$/]) {
      // It is in the list with `lazy`, which shows that the list is complete.
      expect(loaded(true).some((path) => part.test(path))).toBe(true);
      expect(loaded(false).filter((path) => part.test(path))).toEqual([]);
    }
  });

  it('answers with 503 while no descriptor is available, except for cached files', () => {
    writeFileSync(join(dir, 'cached.txt'), 'cached');
    writeFileSync(join(dir, 'other.txt'), 'other');
    const script = join(bundle, 'script.mjs');
    writeFileSync(
      script,
      `import { closeSync, openSync } from 'node:fs';
      import { App } from './index.mjs';
      const now = Date.now();
      Date.now = () => now + 60_000;
      const app = new App().serveStatic('/', ${JSON.stringify(dir)});
      const ask = async (path) => {
        const answer = await app.fetch(new Request('http://x' + path));
        return [answer.status, answer.headers.get('retry-after'), await answer.text()];
      };
      console.log(...await ask('/cached.txt'));
      const taken = [];
      try {
        for (;;) taken.push(openSync('/dev/null'));
      } catch (error) {
        console.log(error.code);
      }
      const answers = [await ask('/cached.txt'), await ask('/other.txt')];
      for (const fd of taken) closeSync(fd);
      for (const answer of answers) console.log(...answer);
      console.log(...await ask('/other.txt'));`,
    );
    const command = `ulimit -n 64 && exec "$0" "$1" 2>&1`;
    const output = execFileSync('sh', ['-c', command, process.execPath, script], {
      encoding: 'utf8',
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    const lines = output.split('\n').filter((line) => /^\d{3} |^E/.test(line));
    expect(lines).toEqual([
      '200 null cached',
      'EMFILE',
      '200 null cached',
      '503 1 {"error":"ServiceUnavailable","message":"too many files are open; try again in a moment"}',
      '200 null other',
    ]);
    expect(output).toContain('GET /other.txt → 503');
    expect(output).toContain("code: 'EMFILE'");
  });
});
