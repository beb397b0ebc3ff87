// Which missing modules are reported before a process is started with them.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject } from '../dev/trial-app.js';
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
    expect(checkPreload(found, root, 'x')).toEqual(found);
    expect(checkPreload(['plain', '../tracer.mjs'], join(root, 'app'), 'x')).toHaveLength(2);
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
