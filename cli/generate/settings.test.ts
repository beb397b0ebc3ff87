import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settleGenerate } from './settings.js';
import { textOf, writeChanged } from './write-changed.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fw-generate-')));
  write('package.json', '{}');
  write('src/generate-client.ts', '');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe('settleGenerate', () => {
  it('takes flags before fw.toml', () => {
    write('fw.toml', '[generate]\noutput_path = "web/client.ts"\nbase_url = "/api/rpc"\n');
    const settings = settleGenerate({}, join(folder, 'src'));
    expect(settings).toEqual({
      root: folder,
      entry: join(folder, 'src/generate-client.ts'),
      files: { source: join(folder, 'web/client.ts') },
      contract: join(folder, 'src/rpc-contract.json'),
      baseUrl: '/api/rpc',
    });
    expect(settleGenerate({ output: 'here.ts' }, folder).files).toEqual({ source: join(folder, 'here.ts') });
  });

  it('finds the app of fw.toml and of the flag', () => {
    write('front/fw.toml', '[generate]\nbackend_path = ".."\noutput_path = "client.ts"\n');
    expect(settleGenerate({}, join(folder, 'front'))).toMatchObject({
      root: folder,
      files: { source: join(folder, 'front/client.ts') },
    });
    expect(settleGenerate({ project: '..', output: 'c.ts' }, join(folder, 'front')).root).toBe(folder);
  });

  it('writes JavaScript with declarations where the flag, fw.toml or the name asks for it', () => {
    const declared = (stem: string, m = '') => ({
      script: join(folder, `${stem}.${m}js`),
      types: join(folder, `${stem}.d.${m}ts`),
      map: join(folder, `${stem}.d.${m}ts.map`),
    });
    const files = (output: string, declarations?: boolean) =>
      settleGenerate({ output, ...(declarations && { declarations }) }, folder).files;
    expect(files('client.js')).toEqual({ declared: declared('client') });
    expect(files('web/client.mjs', true)).toEqual({ declared: declared('web/client', 'm') });
    expect(files('c.mts', true)).toEqual({ source: join(folder, 'c.mts'), declared: declared('c', 'm') });
    write('fw.toml', '[generate]\noutput_path = "c.ts"\ndeclarations = true\n');
    expect(settleGenerate({}, folder).files).toEqual({
      source: join(folder, 'c.ts'),
      declared: declared('c'),
    });
  });

  it('refuses a client in JavaScript that an older one in TypeScript would hide', () => {
    write('src/client.ts', '');
    expect(() => settleGenerate({ output: 'src/client.js' }, folder)).toThrow(
      'src/client.ts is there, and TypeScript would read it in place of client.d.ts',
    );
  });

  it.each([
    [{ output: 'c.d.mts' }, 'c.d.mts names declarations, and a client is more'],
    [{ output: 'c.tsx', declarations: true }, 'c.tsx is no name to write them beside'],
    [{}, 'where to write the client is not said'],
    [{ output: 'src' }, 'is a directory'],
    [{ output: 'c.ts', project: 'nowhere' }, '--project nowhere: no such directory'],
    [{ output: 'c.ts', watch: true, check: true }, '--watch writes, --check does not'],
    [{ output: 'c.ts', watch: true, diff: true }, '--watch writes, --diff does not'],
  ])('refuses %j', (flags, message) => {
    expect(() => settleGenerate(flags, folder)).toThrow(message);
  });

  it('says what to create where the program is missing', () => {
    rmSync(join(folder, 'src/generate-client.ts'));
    expect(() => settleGenerate({ output: 'c.ts' }, folder)).toThrow('generate-client.ts is missing');
  });
});

describe('writeChanged', () => {
  it('writes what differs, and nothing else', () => {
    const file = join(folder, 'deep/er/client.ts');
    expect(textOf(file)).toBeUndefined();
    expect(writeChanged(file, 'one')).toBe(true);
    expect(writeChanged(file, 'one')).toBe(false);
    expect(writeChanged(file, 'two')).toBe(true);
    expect(textOf(file)).toBe('two');
  });
});
