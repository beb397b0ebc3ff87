import { describe, expect, it } from 'vitest';
import { SchemaTypes } from './schema-types.js';
import { checkOf } from './type-space.js';
import { typeText } from './type-text.js';

const document = {
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'name', 'secret'],
        properties: {
          id: { type: 'integer', format: 'int64', readOnly: true },
          secret: { type: 'string', writeOnly: true },
          name: { type: 'string', minLength: 1, maxLength: 20, description: 'What it\nis called.' },
          tags: { type: 'array', items: { $ref: '#/components/schemas/Tag' }, maxItems: 3 },
          parent: { nullable: true, allOf: [{ $ref: '#/components/schemas/Pet' }] },
        },
      },
      Tag: { type: 'string', enum: ['a', 'b'] },
      Named: { allOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'object', properties: { more: {} } }] },
      Loop: { $ref: '#/components/schemas/Loop' },
      Self: { allOf: [{ $ref: '#/components/schemas/Self' }, { type: 'object' }] },
      'odd name': { type: 'boolean' },
    },
  },
};

const inputs = () => new SchemaTypes(document, 'input');
const text = (schema: unknown, types = inputs()) => typeText(types.read(schema));
const named = (name: string, types = inputs()) => {
  types.read({ $ref: `#/components/schemas/${name}` });
  return typeText(types.lookup(name) ?? { kind: 'void' });
};

describe('types of schemas', () => {
  it('have the fields of their side, with their rules', () => {
    expect(named('Pet')).toBe(`{
  secret: string;
  // What it
  // is called.
  name: string; // 1–20 characters
  tags?: Tag[]; // at most 3 items
  parent?: Pet | null;
}`);
    expect(named('Pet', new SchemaTypes(document, 'output'))).toMatch(
      /^\{\n {2}id: number; \/\/ integer, int64\n/,
    );
  });

  it.each<[unknown, string]>([
    [{ oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/Tag' }] }, 'string | Tag'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'string', nullable: true }, 'string | null'],
    [{ const: 'x' }, "'x'"],
    [{ enum: [1, 'it\'s "', null] }, "1 | 'it\\'s \"' | null"],
    [{ type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 5 }, 'number // > 1 and ≤ 5'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [{ type: 'object', properties: {}, additionalProperties: false }, '{} // no other keys'],
    [{ type: 'array', prefixItems: [{ type: 'string' }], minItems: 1, items: false }, '[string]'],
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }, '(string | number)[]'],
    [{ type: 'string', format: 'binary' }, 'File'],
    [{ $ref: '#/components/schemas/odd%20name' }, 'odd name'],
    [{ not: {} }, 'never'],
    [false, 'never'],
    [{}, 'unknown'],
  ])('%j is %s', (schema, expected) => expect(text(schema)).toBe(expected));

  it.each<[unknown, string]>([
    [{ $ref: '#/components/schemas/Nothing' }, 'leads to nothing'],
    [{ $ref: 'https://elsewhere.example/a.json' }, 'outside of this document'],
    [{ $ref: '#/components/__proto__/x' }, 'leads to nothing'],
    [{ type: 'objct' }, 'no type is called "objct"'],
    [7, 'not an object'],
    [{ allOf: [{ type: 'array', items: {} }, { type: 'object' }] }, 'cannot be shown'],
  ])('%j is unknown, with the reason', (schema, reason) => {
    expect(inputs().read(schema)).toMatchObject({
      kind: 'unknown',
      description: expect.stringContaining(reason),
    });
  });

  it('end for schemas that lead to themselves', () => {
    for (const name of ['Loop', 'Self', 'Pet', 'Named']) expect(named(name)).not.toBe('');
    let deep: unknown = { type: 'string' };
    for (let depth = 0; depth < 5_000; depth++) deep = { type: 'array', items: deep };
    expect(text(deep)).toContain('unknown');
  });

  it('that refuse other keys are checked for them in requests', () => {
    const closed = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
    const check = (types: SchemaTypes) => checkOf(types.read(closed), types.lookup)({ a: 'x', b: 1 });
    expect(check(inputs())).toEqual([{ path: ['b'], message: 'expected no such key' }]);
    expect(check(new SchemaTypes(document, 'output'))).toEqual([]);
  });

  it('are checked by what they require', () => {
    const types = inputs();
    const check = checkOf(types.read({ $ref: '#/components/schemas/Pet' }), types.lookup);
    const pet = { secret: 's', name: 'Rex', parent: null };
    expect(check(pet)).toEqual([]);
    expect(check({ ...pet, parent: { ...pet, name: '' } })).toMatchObject([{ path: ['parent', 'name'] }]);
    const odd = types.read({ type: 'string', pattern: '(' });
    expect(checkOf(odd, types.lookup)('x')).toEqual([]);
  });
});
