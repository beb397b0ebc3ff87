// Which parts of an error of the app are sent to the terminal, in a real worker.
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { FwError } from '../../framework/http/errors.js';
import { notePlaceOf } from '../../framework/tracing/error-places.js';
import { makeProject, startTrialApp, type TrialApp } from '../dev/trial-app.js';
import { describeError } from './app-error.js';

let app: TrialApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

describe('a failed start', () => {
  it('shows the frames of the app, but not those of the worker', async () => {
    app = await startTrialApp({
      'src/main.ts': "import http from 'node:http';\nhttp.createServer().listen(70_000);\n",
    });
    const { text } = await app.get('/');
    expect(text.replaceAll('\\', '/')).toMatch(
      /RangeError: [^\n]*\n {2}at [^\n]*src\/main\.ts:2:\d+\)?\n {2}… \d+ frames of packages and of Node\.js\n$/,
    );
    expect(app.printed()).not.toContain('worker');
  });
});

describe('a failed import', () => {
  it('shows where the app imports what a package does not export', async () => {
    app = await startTrialApp({
      'src/main.ts': "import './sub.ts';\n",
      'src/sub.ts': "import {\n  there,\n  missing,\n} from 'odd';\nconsole.log(there, missing);\n",
      'node_modules/odd/package.json': '{"type":"module","exports":"./index.js"}',
      'node_modules/odd/index.js': 'export const there = 1;',
    });
    const { text } = await app.get('/');
    expect(text).toContain("does not provide an export named 'missing'");
    expect(text.replaceAll('\\', '/')).toMatch(/\n {2}at src\/sub\.ts:3\b/);
    expect(text).not.toContain('node:internal');
  });
});

describe('describeError', () => {
  it('shows the message of an error of syntax whose stack throws', () => {
    const error = Object.defineProperty(new SyntaxError('x'), 'stack', {
      get() {
        throw new Error('again');
      },
    });
    expect(describeError(error)).toEqual({ title: 'SyntaxError: x', frames: [], details: '' });
  });

  it('keeps all frames if none belongs to the app', () => {
    const error = new Error('of Node');
    error.stack = 'Error: of Node\n    at a (node:internal/x:1:2)\n    at b (node:internal/y:3:4)';
    expect(describeError(error).frames).toEqual(['at a (node:internal/x:1:2)', 'at b (node:internal/y:3:4)']);
  });

  it('omits the frames of the package', () => {
    const own = new URL('../../dist/framework/index.js', import.meta.url).href;
    const error = new Error('route');
    error.stack = `Error: route\n    at App.get (${own}:1:2)\n    at main (/app/src/main.ts:3:4)`;
    expect(describeError(error).frames).toEqual(['at main (/app/src/main.ts:3:4)']);
  });

  it('shows the message of an error whose stack throws', () => {
    const error = Object.defineProperty(new Error('x'), 'stack', {
      get() {
        throw new Error('again');
      },
    });
    expect(describeError(error)).toEqual({ title: 'Error: x', frames: [], details: '' });
  });

  it('shows a thrown value that is not an error', () => {
    expect(describeError({ a: 1 })).toEqual({ title: 'thrown: { a: 1 }', frames: [], details: '' });
  });
});

it.each([
  ["Cannot find package 'x' imported from /home/My Name/app/node_modules/.fw/dev-12/app.3.mjs", true],
  ["Cannot find package 'x' imported from C:\\My Name\\app\\node_modules\\.fw\\dev-12\\app.3.mjs", true],
  ["Cannot find package 'x' imported from /home/My Name/app/src/a.ts", false],
])('leaves the bundle out of %j', (message, isBundle) => {
  const { title } = describeError(new Error(message));
  expect(title.includes(' imported from ')).toBe(!isBundle);
  expect(title).toContain('Is it installed? ');
});

describe('the remedy for an import that leads nowhere', () => {
  let root: string;
  afterEach(() => rmSync(root, { recursive: true }));

  it('has the file that imports in its place alone', () => {
    root = makeProject({ 'my src/a.mjs': "import 'x';\n" });
    const importer = join(root, 'my src/a.mjs');
    const error = new Error(`Cannot find package 'x' imported from ${importer}\nHint`);
    error.stack = error.message;
    const { title, frames } = describeError(Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' }));
    expect(frames).toEqual([`at ${pathToFileURL(importer).href}:1:8`]);
    expect(title).toMatch(/^Error: Cannot find package 'x'\nHint\nIs it installed\? /);
  });

  it.each([
    ['Cannot find module', { build: 'tsc' }, "Is '@team/shared' built? Run its build in "],
    ['Cannot find package', { build: 'tsc' }, "Is '@team/shared' built? Run its build in "],
    ['Cannot find module', undefined, "'@team/shared' has no such file: is the one right that "],
    ['Cannot find module', { build: 1 }, "'@team/shared' has no such file: is the one right that "],
  ])('says what a linked package needs: %s, with the scripts %j', (what, scripts, remedy) => {
    const manifest = JSON.stringify({ name: '@team/shared', main: 'dist/index.js', scripts });
    root = makeProject({ 'packages/shared/package.json': manifest, 'app/node_modules/@team/x': '' });
    const linked = join(root, 'app/node_modules/@team/shared');
    symlinkSync(join(root, 'packages/shared'), linked, 'junction');
    const { title } = describeError(new Error(`${what} '${join(linked, 'dist/index.js')}'`));
    expect(title.split('\n')[1]?.startsWith(remedy)).toBe(true);
    expect(title.replaceAll('\\', '/')).toMatch(/packages\/shared/);
  });

  it('says nothing about a file that an installed package does not have', () => {
    root = makeProject({
      'node_modules/lib/package.json': '{ "name": "lib", "scripts": { "build": "tsc" } }',
    });
    const { title } = describeError(new Error(`Cannot find module '${join(root, 'node_modules/lib/a.js')}'`));
    expect(title).not.toContain('\n');
  });

  it.each([
    ['Cannot find module', 'src/util', 'util.js'],
    ['Cannot find module', 'src/utli.js', 'util.js'],
    ['Directory import', 'src/parts', 'parts/index.js'],
    ['Cannot find module', 'src/other.js', undefined],
    ['Cannot find module', 'src/ordertest', undefined],
    ['Cannot find module', 'src/order.tset.js', undefined],
    ['Cannot find module', 'nowhere/util', undefined],
  ])('names the file that is meant by: %s %s', (what, path, meant) => {
    root = makeProject({ 'src/util.js': '', 'src/order.test.js': '', 'src/parts/index.js': '' });
    const { title } = describeError(new Error(`${what} '${join(root, path)}' imported from /app/src/a.js`));
    expect(title.split('\n')[1]).toBe(meant && `Did you mean '${meant}'?`);
  });

  it.each(['@/rpc.ts', '~', '$lib', 'src'])('installs no package for the alias %s', (name) => {
    root = makeProject({});
    const { title } = describeError(new Error(`Cannot find package '${name}' imported from /app/src/a.ts`));
    expect(title.split('\n')[1]).toMatch(/^It is not a package: give a relative path, or name its folder by/);
  });

  it('names the path of a package that is meant', () => {
    root = makeProject({
      'package.json': '{"name":"@of/odd","exports":{".":"./a.js","./middleware":"./b.js"}}',
    });
    const titleOf = (subpath: string): string =>
      describeError(
        new Error(
          `Package subpath './${subpath}' is not defined by "exports" in ${join(root, 'package.json')}`,
        ),
      ).title;
    expect(titleOf('midleware')).toMatch(/\nDid you mean '@of\/odd\/middleware'\?$/);
    expect(titleOf('zzz')).not.toContain('Did you mean');
  });
});

describe('the frames that are shown', () => {
  it('counts the frames of packages and of Node.js, and leaves them out of causes', () => {
    const cause = new Error('below');
    cause.stack = 'Error: below\n    at run (/app/node_modules/pg/x.js:1:2)\n    at a (node:net:1:2)';
    const error = new Error('above', { cause });
    error.stack =
      'Error: above\n    at pg (/app/node_modules/pg/x.js:1:2)\n    at node:internal/a:1:1\n    at main (/app/src/main.ts:3:4)\n    at Array.map (<anonymous>)';
    expect(describeError(error)).toMatchObject({
      frames: ['at main (/app/src/main.ts:3:4)'],
      folded: 3,
      details: 'cause: Error: below',
      causes: [{ title: 'Error: below', frames: ['at run (/app/node_modules/pg/x.js:1:2)'], folded: 1 }],
    });
  });

  it('shows of a refused request the places that refused it, and not the middleware around it', () => {
    const own = new URL('../../dist/framework/index.js', import.meta.url).href;
    const stack = (first: string) =>
      `FwError: no\n    at FwError.notFound (${own}:1:2)\n    at ${first}\n    at middleware (/app/src/main.ts:3:4)`;
    const inside = FwError.badRequest('no');
    inside.stack = stack(`extract (${own}:5:6)`);
    notePlaceOf(inside, 'schema', 'schema', () => '/app/src/app.ts:7:8');
    expect(describeError(inside)).toMatchObject({ frames: ['at schema (/app/src/app.ts:7:8)'], folded: 3 });
    const thrown = FwError.notFound('no');
    thrown.stack = stack('handler (/app/src/app.ts:9:1)');
    expect(describeError(thrown).frames[0]).toBe('at handler (/app/src/app.ts:9:1)');
    const query = FwError.conflict('no', { sql: 'insert' });
    query.stack = stack(`run (${own}:5:6)`);
    notePlaceOf(query, 'route', 'route POST /', () => '/app/src/app.ts:7:8');
    expect(describeError(query).frames).toEqual(['at middleware (/app/src/main.ts:3:4)']);
  });
});
