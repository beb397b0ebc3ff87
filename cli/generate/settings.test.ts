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
      output: join(folder, 'web/client.ts'),
      contract: join(folder, 'src/rpc-contract.json'),
      baseUrl: '/api/rpc',
    });
    expect(settleGenerate({ output: 'here.ts' }, folder).output).toBe(join(folder, 'here.ts'));
  });

  it('finds the app of fw.toml and of the flag', () => {
    write('front/fw.toml', '[generate]\nbackend_path = ".."\noutput_path = "client.ts"\n');
    expect(settleGenerate({}, join(folder, 'front'))).toMatchObject({
      root: folder,
      output: join(folder, 'front/client.ts'),
    });
    expect(settleGenerate({ project: '..', output: 'c.ts' }, join(folder, 'front')).root).toBe(folder);
  });

  it.each([
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
