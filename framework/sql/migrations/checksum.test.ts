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
