// Which bodies an outline leaves out, compared with what TypeScript's parser finds, and which changes it shows.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-6';
import { describe, expect, it } from 'vitest';
import { outlineOf } from './outline.js';

/** The bodies of functions with a written return type, as `start,end`. */
function parsedBodies(text: string): Set<string> {
  const found = new Set<string>();
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && node.type && 'body' in node && node.body && ts.isBlock(node.body)) {
      found.add(`${node.body.getStart()},${node.body.end}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The text with every body that is left out as `{…}`. */
function short(text: string): string | undefined {
  const outline = outlineOf(text, false);
  if (outline === undefined) return undefined;
  let at = 0;
  let kept = '';
  for (const [start, end] of outline.bodies) {
    kept += `${text.slice(at, start)}{…}`;
    at = end;
  }
  return kept + text.slice(at);
}

function isSame(before: string, after: string, withRoutes = false): boolean {
  const [one, other] = [before, after].map((text) => outlineOf(text, withRoutes));
  return one !== undefined && one.text === other?.text;
}

describe('an outline', () => {
  it('leaves out only bodies of functions with a written return type', { timeout: 60_000 }, () => {
    let count = 0;
    const folder = fileURLToPath(new URL('../..', import.meta.url));
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const text = readFileSync(join(folder, file), 'utf8');
      const parsed = parsedBodies(text);
      for (const [start, end] of outlineOf(text, false)?.bodies ?? []) {
        expect([file, start, parsed.has(`${start},${end}`)]).toEqual([file, start, true]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(500);
  });

  it.each([
    ['function f(a: A): Promise<Array<B>> { return 1; }', 'function f(a: A): Promise<Array<B>> {…}'],
    ['function f(): { a: 1 } { return 1; }', 'function f(): { a: 1 } {…}'],
    ["const f = (a): a is 'x' | B['y'][] => { return 1; };", "const f = (a): a is 'x' | B['y'][] => {…};"],
    ['class A { m(): this { return 1; } }', 'class A { m(): this {…} }'],
    [
      `const o = { get a(): N { return \`}\${\`{\${1}\`}\`; }, b: 1 };`,
      'const o = { get a(): N {…}, b: 1 };',
    ],
    ['function f(): void { a = b / 2; return /[/}]/.test(x); }', 'function f(): void {…}'],
    ["async function* f(): G<() => void> { yield '}'; /* } */ }", 'async function* f(): G<() => void> {…}'],
  ])('leaves out the body in %j', (text, expected) => {
    expect(parsedBodies(text).size).toBe(1);
    expect(short(text)).toBe(expected);
  });

  it.each([
    'function f() { return 1; }',
    'const f = () => { return 1; };',
    'class A { constructor() { this.a = 1; } set a(b) { c(); } }',
    'const x = y ? (z) : { a: 1 };',
    'const x = y ? f(z) : (b) => { return b; };',
    'const x = y ? f(z) : b => { return b; };',
    'switch (x) { case f(y): { g(); } case (z): b => { h(); } }',
    'interface A { m?(a: B): C; n(): D } \n{ f(); }',
    'const f = (): (() => void) => () => {};',
    "const f = (): X => { rpc.query('a', () => 1); };",
    "const f = (): X => { app.websocket('/a', b); };",
    "const f = (): X => { return import('./a.ts'); };",
    'const f = (): X => { [a, b] = c; };',
    'const f = (): X => { ({ a } = c); };',
    'const f = (): X => { (a as B) = c; };',
    'const f = (): X => { for ([a] of b) c(); };',
  ])('keeps all of %j', (text) => {
    expect(short(text)).toBe(text);
  });

  it.each([
    'const a = ");',
    '/* a',
    'f({)};',
    'a = (b) /c/ d;',
    'const a = `${b;',
    '\0',
    'const \\u0061 = 1;',
  ])('is not made of %j', (text) => {
    expect(outlineOf(text, false)).toBeUndefined();
  });

  it('shows which outer variables a body assigns, and whether it uses this', () => {
    const body = (code: string): string => `const f = { g(a): X { ${code} } };`;
    for (const code of [
      'x = 1;',
      'x ??= 1;',
      'x++;',
      '--x;',
      'for (x of y) {}',
      'for (x in y) {}',
      'this.x();',
    ])
      expect([code, isSame(body(''), body(code))]).toEqual([code, false]);
    for (const code of ['const x = 1;', 'let x: Y[] = [];', 'y.x = 1;', 'y[0] = 1;', 'for (const x of y) {}'])
      expect([code, isSame(body(''), body(code))]).toEqual([code, true]);
    expect(isSame(body('x = 1;'), body('y(); x += 2;'))).toBe(true);
  });

  it('shows what is read in the code of routes, if routes are inferred', () => {
    for (const code of ['ctx.status(201);', "app.get('/a', b);"]) {
      const after = `const f = (): X => { ${code} };`;
      expect(isSame('const f = (): X => {};', after, false)).toBe(true);
      expect(isSame('const f = (): X => {};', after, true)).toBe(false);
    }
  });
});
