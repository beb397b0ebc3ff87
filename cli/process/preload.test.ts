// Which missing modules are reported before a process is started with them.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject } from '../dev/trial-app.js';
import { onWindows } from '../files/trial-windows.js';
import { checkPreload } from './preload.js';

let root: string;
beforeEach(() => {
  root = makeProject({
    'tracer.mjs': '',
    'node_modules/@acme/tracer/register.js': '',
    'node_modules/plain/index.js': '',
    'app/x': '',
  });
});
afterEach(() => rmSync(root, { recursive: true }));

describe('checkPreload', () => {
  it('takes paths of Windows for paths', async () => {
    const code = `
      import { checkPreload } from './cli/process/preload.ts';
      const said = (name: string) => {
        try {
          return checkPreload([name], 'C:\\\\app', 'x');
        } catch (error) {
          return [(error as Error).message];
        }
      };
      const names = ['C:\\\\app\\\\t.mjs', 'c:/app/t.mjs', '.\\\\t.mjs', './t.mjs', '..\\\\app\\\\t.mjs', '.\\\\none.mjs', 'Z:/none.mjs'];
      console.log(JSON.stringify(names.flatMap(said)));
    `;
    // The URLs are those of this system, which are right on Windows.
    const found = expect.stringMatching(/^file:\/\/.*t\.mjs$/);
    expect(await onWindows(code, { 'app/t.mjs': '' })).toEqual([
      ...[found, found, found, found, found],
      'there is no file .\\none.mjs, which x',
      'there is no file Z:/none.mjs, which x',
    ]);
  });

  it('accepts files, packages of this and parent directories, and modules of Node', () => {
    const url = pathToFileURL(join(root, 'tracer.mjs')).href;
    const found = [
      './tracer.mjs',
      join(root, 'tracer.mjs'),
      url,
      'plain',
      '@acme/tracer/register.js',
      'node:fs',
    ];
    expect(checkPreload(found, root, 'x')).toEqual([url, url, url, ...found.slice(3)]);
    expect(checkPreload(['plain', '../tracer.mjs'], join(root, 'app'), 'x')).toEqual(['plain', url]);
  });

  it.each([
    ['./nope.js', 'there is no file ./nope.js, which --preload names', /^give its path from /],
    [
      '@acme/none/x.js',
      'there is no package @acme/none/x.js, which --preload names',
      /install --save-dev @acme\/none$/,
    ],
    ['nobody', 'there is no package nobody, which --preload names', /npm install --save-dev nobody$/],
  ])('reports the missing module %s', (name, message, help) => {
    expect(() => checkPreload([name], root, '--preload names')).toThrow(
      expect.objectContaining({ message, help: expect.stringMatching(help) }),
    );
  });
});
