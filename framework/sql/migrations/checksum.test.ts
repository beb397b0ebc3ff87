// The checksum of a function depends on what it says, and not on who has printed it.
import { transformSync } from 'esbuild';
import { expect, it } from 'vitest';
import { checksumOf } from './checksum.js';

const SOURCE = `
  // Makes the tables. It isn't "wrong" to have quotes here.
  export async function up(db: any): Promise<void> {
    const size = 1_000;
    const add = (column: any) => column.notNull().defaultTo('it\\'s');
    await db.schema
      .createTable('users') /* the people */
      .addColumn("id", \`text\`, (column) => column.primaryKey())
      .addColumn('age', 'integer', add)
      .execute();
    if (db.isBig === true) await db.fill({ rows: size, kind: 'x' });
  }
`;

type Up = (...args: never[]) => unknown;

function printed(source: string, options: Parameters<typeof transformSync>[1] = {}): Up {
  const { code } = transformSync(source, { loader: 'ts', format: 'cjs', ...options });
  const module = { exports: {} as { up: Up } };
  new Function('module', 'exports', code)(module, module.exports);
  return module.exports.up;
}

it('is the same for every printer', () => {
  const plain = checksumOf(printed(SOURCE));
  expect(plain).toMatch(/^[0-9a-f]{64}$/);
  for (const options of [
    { keepNames: true },
    { minifyWhitespace: true },
    { minifyWhitespace: true, keepNames: true },
  ]) {
    expect(checksumOf(printed(SOURCE, options))).toBe(plain);
  }
  // As Node.js itself runs TypeScript: the types become blanks, comments stay.
  const stripped = SOURCE.replaceAll(': any', '     ').replace(': Promise<void>', '               ');
  const withCommentsKept = new Function(
    `return ${stripped.slice(stripped.indexOf('async function'))}`,
  )() as Up;
  expect(checksumOf(withCommentsKept)).toBe(plain);
});

it.each([
  ['a name', "'users'", "'people'"],
  ['a method', '.notNull()', '.unique()'],
  ['a number', '1_000', '2_000'],
  ['a text of a helper', "it\\'s", "it's not"],
  ['a literal', '=== true', '=== false'],
  ['a key', 'rows:', 'lines:'],
])('changes with %s', (_, before, after) => {
  expect(SOURCE).toContain(before);
  const edited = SOURCE.replace(before, after.replaceAll("it's not", "it\\'s not"));
  expect(checksumOf(printed(edited))).not.toBe(checksumOf(printed(SOURCE)));
});

it('tells up from down, and reads whatever a function may be', () => {
  const one = (): string => 'a';
  const other = (): string => 'b';
  expect(checksumOf(one, other)).not.toBe(checksumOf(other, one));
  expect(checksumOf(Math.max)).toMatch(/^[0-9a-f]{64}$/);
});

/** A function that prints itself in a certain way. */
const saying = (source: string): Up => Object.assign(() => {}, { toString: () => source });

it.each<[string, string, string]>([
  ['a comment with a quote, a member and a number', "a() // it isn't a.b or 7\nb.c('x')", "a()\nb.c('x')"],
  ['a comment in a line', "a(/* isn't a.b, 7 **/ 'x').c", "a('x').c"],
  ['an empty comment', "a(/**/'x').c", "a('x').c"],
  ['comments behind each other', "/* a.b */// c.d\n/* e.f */'x'", "'x'"],
  ['a comment at the end', "a.b('x') // it isn't", "a.b('x')"],
  ['a comment that does not end', "a.b('x') /* it isn't a.c", "a.b('x')"],
  ['quotes', "a('it\\'s', \"b\\n\", `c\\td`)", "a(\"it's\", `b\n`, 'c\td')"],
  ['a line that goes on', "a('b\\\nc')", "a('bc')"],
  ['a key with a blank', '({ rows : 1 })', '({ rows: 1 })'],
  ['digits in groups', 'a(1_000, 0x10, 1e3, 2.50)', 'a(1000, 16, 1000, 2.5)'],
  ['names of variables', "const one = 'x'; f(one)", "const two = 'x'; f(two)"],
  ['a name that esbuild keeps', "__name(() => a('x'), 'b')", "(() => a('x'))"],
])('is the same for %s', (_, one, other) => {
  expect(checksumOf(saying(one))).toBe(checksumOf(saying(other)));
});

it.each<[string, string, string]>([
  ['a division and a comment', "a('x') / 2", "a('x') // 2"],
  ['a division and a star', 'a / b.c * d.e', 'a /* b.c */ d.e'],
  ['a large number and a small one', 'a(1n)', 'a(1)'],
  ['a line and the letter n', "a('b\\nc')", "a('bnc')"],
  ['a tab and the letter t', "a('b\\tc')", "a('btc')"],
  ['a text and a name', "a.b('c')", "a.b('d')"],
  ['true and a variable', 'a(true)', 'a(truth)'],
  ['undefined and null', 'a(undefined)', 'a(null)'],
  ['a text of another call', "__name(() => 1, 'b'); f('x')", "__name(() => 1, 'b'); f('y')"],
])('differs for %s', (_, one, other) => {
  expect(checksumOf(saying(one))).not.toBe(checksumOf(saying(other)));
});
