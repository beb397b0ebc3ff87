// Which TypeScript configurations an app has.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeProject } from '../trial-app.js';
import { typeProjects } from './type-check.js';

let root: string;
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('typeProjects', () => {
  it.each([
    ['{ "references": [{ "path": "./x.json" }], "include": ["src"] }', ['tsconfig.json']],
    ['{ "files": ["a.ts"], "references": [{ "path": "./x.json" }] }', ['tsconfig.json']],
    [
      '{ "files": [], /* "references": [] */ "references": [{ "path": "./x.json" }, { "path": "gone" }] }',
      ['x.json'],
    ],
    ['{ "files": [] }', ['tsconfig.json']],
    ['{ "files": [], "references": [{ "path": "x.json" }, ], }', ['x.json']],
    ['{ "note": "// no comment, }", "files": [], "references": [{ "path": "x.json" }] }', ['x.json']],
    // A folder means its tsconfig.json.
    [
      '{ "files": [], "references": [{ "path": "./y" }, { "path": "x.json" }] }',
      ['y/tsconfig.json', 'x.json'],
    ],
    ['{ "files": [], "references": [null, {}, 1] }', []],
    ['{ "files": [', ['tsconfig.json']],
  ])('of %s', (text, expected) => {
    root = makeProject({ 'tsconfig.json': text, 'x.json': '{}', 'y/tsconfig.json': '{}' });
    expect(typeProjects([root])).toEqual(expected.map((name) => join(root, name)));
  });
});
