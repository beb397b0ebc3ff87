import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { canonicalText } from '../canonical.js';
import { parseType } from '../read/parse-type.js';
import type { NamedTypes, WireType } from '../wire-type.js';
import { printComment, printDeclarations, printType } from './print-typescript.js';

const dir = mkdtempSync(join(tmpdir(), 'fw-print-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const tsc = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));

const types = [
  'string',
  'number | null',
  'void',
  'string | undefined',
  'unknown',
  'never',
  "'a' | 'b' | 1 | -1.5 | 1e21 | true | null",
  'boolean | null',
  "'it\\'s' | '\"' | '\\\\' | '\\n' | '\\u2028'",
  'Array<string | null>',
  'Array<Array<{ a: string }>>',
  '[]',
  '[string, (number | null)?, ...Array<boolean>]',
  '{ a: string; b?: number | null; c: { d?: Array<string> } }',
  "{ 'b-c': string; '1': number; '': string; __proto__: string; constructor: number; class?: string; ä: string }",
  'Record<string, number>',
  'Record<string, Record<string, never>>',
  '{ a: string; b?: number; [key: string]: unknown }',
  "{ kind: 'a'; x: number } | { kind: 'b' }",
  'User | null',
];

describe('printType', () => {
  it.each(types)('prints %s unchanged', (text) => {
    const type = parseType(text);
    const printed = printType(type);
    expect(canonicalText(parseType(printed))).toBe(canonicalText(type));
    expect(printType(parseType(printed))).toBe(printed);
  });

  it('prints objects on lines, sorted, with descriptions', () => {
    const type: WireType = {
      kind: 'object',
      fields: [
        { name: 'b', type: { kind: 'integer' }, isOptional: true, description: 'Ends */ here.\nTwo.' },
        {
          name: 'a',
          type: parseType('null | { d: string; c: string }'),
          isOptional: false,
          description: 'One.',
        },
      ],
    };
    expect(printType(type, '  ')).toBe(
      [
        '{',
        '    /** One. */',
        '    a: {',
        '      c: string;',
        '      d: string;',
        '    } | null;',
        '    /**',
        '     * Ends *\\/ here.',
        '     * Two.',
        '     */',
        '    b?: number;',
        '  }',
      ].join('\n'),
    );
  });

  it('does not depend on the order in which a type was written', () => {
    expect(printType(parseType("{ b: 'y' | null | 'x'; a: string | number }"))).toBe(
      printType(parseType("{ a: number | string; b: 'x' | 'y' | null }")),
    );
  });

  it('prints members that differ only in rules once', () => {
    expect(printType({ kind: 'union', members: [{ kind: 'integer' }, { kind: 'number' }] })).toBe('number');
  });

  it.each<[string | undefined, string]>([
    [undefined, ''],
    ['', ''],
    [' \n\t\n', ''],
    ['  One. ', '  /**   One. */\n'],
    ['*/ alert(1) /*', '  /** *\\/ alert(1) /* */\n'],
    ['\u0007bell \u202eltr\u009b', '  /** \\u0007bell \\u202eltr\\u009b */\n'],
    ['One.\r\n\r\n Two. \u2028Three.', '  /**\n   * One.\n   *\n   *  Two.\n   * Three.\n   */\n'],
  ])('comments %j', (description, comment) => expect(printComment(description, '  ')).toBe(comment));

  it.each<[string, string]>([
    ['string | undefined | null', 'string | null | undefined'],
    ['[string?, (string | null)?]', '[string?, (string | null)?]'],
    [
      "{ '2a': string; $b: string; 'it\\'s \"c\"': string }",
      `{ $b: string; '2a': string; 'it\\'s "c"': string; }`,
    ],
    ['{ a: string; [key: string]: string }', '{ a: string; [key: string]: string; }'],
    ['{ a: unknown; [key: string]: string }', '{ a: unknown; [key: string]: unknown; }'],
    [
      '{ a: string; b: unknown; [key: string]: string }',
      '{ a: string; b: unknown; [key: string]: unknown; }',
    ],
    ['{ a: User; [key: string]: string }', '{ a: User; [key: string]: User | string; }'],
    ['{ a?: User; [key: string]: unknown }', '{ a?: User; [key: string]: unknown; }'],
    ['Record<string, User>', 'Record<string, User>'],
  ])('prints %s', (text, printed) => {
    expect(printType(parseType(text)).replace(/\s+/g, ' ')).toBe(printed);
  });

  it('prints the description of a field, or else that of its type, but not that of a named type', () => {
    const described: WireType = { kind: 'string', description: 'A type.' };
    const fields = [
      { name: 'a', type: described, isOptional: false, description: 'A field.' },
      { name: 'b', type: described, isOptional: false },
      { name: 'c', type: { ...described, kind: 'ref', name: 'User' }, isOptional: false },
    ] as const;
    expect(printType({ kind: 'object', fields })).toBe(
      '{\n  /** A field. */\n  a: string;\n  /** A type. */\n  b: string;\n  c: User;\n}',
    );
  });

  it('adds the types of fields to the type of the values beside them', () => {
    expect(printType(parseType('{ a: string; b?: boolean; [key: string]: number }'))).toBe(
      '{\n  a: string;\n  b?: boolean;\n  [key: string]: boolean | number | string | undefined;\n}',
    );
  });
});

describe('printDeclarations', () => {
  const named: NamedTypes = {
    User: {
      ...parseType('{ id: string; friends: Array<User>; boss?: User | null }'),
      description: 'A person.',
    },
    Json: parseType('null | string | number | boolean | Json[] | Record<string, Json>'),
    Tree: parseType('Record<string, Leaf>'),
    Leaf: parseType("Tree | 'leaf'"),
    Pair: parseType('[string, Pair?]'),
    Plain: parseType('Record<string, User>'),
    Mixed: parseType('{ a: string; b?: boolean; [key: string]: number }'),
    ...Object.fromEntries(types.map((text, index) => [`Type${index}`, parseType(text)])),
  };

  it('prints the names in order', () => {
    const { User, Plain } = named as { User: WireType; Plain: WireType };
    expect(printDeclarations({ User, Plain })).toBe(
      'export type Plain = Record<string, User>;\n\n' +
        '/** A person. */\nexport type User = {\n  boss?: User | null;\n  friends: Array<User>;\n  id: string;\n};\n',
    );
  });

  it('prints records as Record, unless they are recursive', () => {
    const of = (texts: Record<string, string>): string =>
      printDeclarations(
        Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseType(text)])),
      );
    expect(of({ A: 'Record<string, B>', B: 'Array<C>', C: 'Array<C>' })).toContain('A = Record<string, B>;');
    expect(of({ A: 'Record<string, B>', B: 'Array<A>' })).toContain('A = {\n  [key: string]: B;\n};');
    expect(of({ A: 'Record<string, Array<B | C>>', B: 'A | null', C: 'Nobody' })).toContain(
      '[key: string]: Array<B | C>;',
    );
    expect(of({ A: '{ a: A; b: Record<string, B> }', B: 'string' })).toContain('b: Record<string, B>;');
  });

  it('prints recursive records in a form that TypeScript accepts', () => {
    const { Json } = named as { Json: WireType };
    expect(printDeclarations({ Json })).toContain('[key: string]: Json;');
  });

  it('compiles under the strictest options', () => {
    const use = `
const user: User = { id: '1', friends: [], boss: null };
// @ts-expect-error a friend is a user
user.friends.push('x');
const json: Json = { a: [1, { b: null }] };
// @ts-expect-error no function is JSON
const broken: Json = () => undefined;
export const all = [user, json, broken];
`;
    const file = join(dir, 'types.mts');
    writeFileSync(file, printDeclarations(named) + use);
    const flags =
      '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noPropertyAccessFromIndexSignature --verbatimModuleSyntax --module nodenext --target es2022 --lib es2022';
    const run = () =>
      execFileSync(process.execPath, [tsc, ...flags.split(' '), '--types', '', file], {
        cwd: dir,
        encoding: 'utf8',
        stdio: 'pipe',
        timeout: 120_000,
      });
    let output = '';
    try {
      output = run();
    } catch (error) {
      output = (error as { stdout: string }).stdout;
    }
    expect(output).toBe('');
  });
});
