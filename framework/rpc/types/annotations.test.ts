// Keywords that restrict nothing: titles, defaults, examples, and marks such as `deprecated`.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { canonicalText } from './canonical.js';
import { fromJsonSchema } from './from-json-schema.js';
import { printType } from './print-typescript.js';
import { schemaTypes } from './standard.js';
import { toJsonSchema } from './to-json-schema.js';
import { toOpenApi } from './to-openapi.js';

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
      id: { type: 'string', description: 'Yours.', readOnly: true },
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

  it('are no part of the type', () => {
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
});
