// Keywords that restrict nothing: titles, defaults, examples, and marks such as `deprecated`.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toJsonSchema } from '../../openapi/to-json-schema.js';
import { toOpenApi } from '../../openapi/to-openapi.js';
import { canonicalText } from '../canonical.js';
import { printType } from '../print/print-typescript.js';
import { fromJsonSchema } from './from-json-schema.js';
import { schemaTypes } from './standard.js';

describe('annotations', () => {
  const Page = z.object({
    size: z
      .number()
      .default(10)
      .meta({ title: 'Page size', examples: [10, 50], deprecated: true }),
    id: z.string().meta({ description: 'Yours.', readOnly: true }),
  });
  const notes = { title: 'Page size', examples: [10, 50], deprecated: true };

  it('reach OpenAPI, JSON Schema and the comments of TypeScript', () => {
    const { type } = schemaTypes(Page, 'input');
    const { examples, ...others } = notes;
    expect(toOpenApi(type, {}).properties).toEqual({
      id: { type: 'string', description: 'Yours.' },
      size: { type: 'number', ...others, default: 10, example: 10 },
    });
    expect(toJsonSchema(type).properties).toMatchObject({ size: { ...notes, default: 10 } });
    expect(printType(type).replace(/\s+/g, ' ')).toBe(
      '{ /** Yours. */ id: string; /** * @deprecated * @default 10 */ size?: number; }',
    );
    expect(toOpenApi({ kind: 'ref', name: 'A', notes: { deprecated: true } }, {})).toEqual({
      deprecated: true,
      allOf: [{ $ref: '#/components/schemas/A' }],
    });
  });

  it('are not part of the type', () => {
    const bare = schemaTypes(z.object({ size: z.number().default(1), id: z.string() }), 'input');
    expect(canonicalText(schemaTypes(Page, 'input').type)).toBe(canonicalText(bare.type));
    const { type } = schemaTypes(Page, 'output');
    expect(toOpenApi(type, {}).properties).toMatchObject({ size: { title: 'Page size' } });
    expect(toOpenApi(type, {}).properties).not.toHaveProperty('size.default');
  });

  it.each([{ title: '' }, { title: 1 }, { examples: [] }, { examples: 'x' }, { deprecated: false }])(
    '%j is none',
    (schema) => expect(fromJsonSchema({ type: 'string', ...schema }, {})).toStrictEqual({ kind: 'string' }),
  );

  it.each<['input' | 'output', Record<string, unknown>, Record<string, unknown>]>([
    ['input', { writeOnly: true }, { readOnly: true }],
    ['output', { readOnly: true }, { writeOnly: true }],
  ])('of an %s do not say that it is never sent', (io, kept, dropped) => {
    const Secret = z.object({
      kept: z.string().meta(kept),
      dropped: z.string().meta(dropped),
      list: z.array(z.string()).readonly(),
      inside: z
        .object({ map: z.record(z.string(), z.number()).readonly() })
        .readonly()
        .optional(),
    });
    const { type } = schemaTypes(Secret, io);
    for (const document of [toOpenApi(type, {}), toJsonSchema(type)]) {
      expect(document).toMatchObject({ properties: { kept, dropped: { type: 'string' } } });
      expect(document).not.toHaveProperty(['properties', 'dropped', Object.keys(dropped)[0] ?? '']);
      expect(JSON.stringify(document).includes('"readOnly":true')).toBe(io === 'output');
    }
  });

  it('of a type with a name are those of both sides', () => {
    const Item = z
      .object({ id: z.string().meta({ readOnly: true, title: 'Id' }), list: z.array(z.string()).readonly() })
      .meta({ id: 'Item' });
    for (const io of ['input', 'output'] as const) {
      const { named } = schemaTypes(z.object({ item: Item.readonly() }), io);
      expect(JSON.stringify(named)).not.toContain('readOnly');
      expect(toOpenApi(named.Item ?? { kind: 'void' }, {})).toMatchObject({
        properties: { id: { title: 'Id' } },
      });
    }
  });
});
