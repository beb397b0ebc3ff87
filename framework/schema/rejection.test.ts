import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FwError, type StandardSchemaV1, validate } from '../index.js';

function refusal(schema: StandardSchemaV1, value: unknown): FwError {
  try {
    validate(schema, value);
  } catch (error) {
    if (error instanceof FwError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** A schema that returns these issues for every value. */
function finding(...issues: StandardSchemaV1.Issue[]): StandardSchemaV1 {
  return { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) } };
}

describe('validate', () => {
  it('returns the output', () => {
    expect(validate(z.object({ at: z.coerce.number() }), { at: '1', more: true })).toEqual({ at: 1 });
    expect(validate(v.pipe(v.string(), v.trim()), ' a ')).toBe('a');
    expect(validate(type('string.numeric.parse'), '7')).toBe(7);
  });

  it('throws a ValidationError with one line and one issue per field', () => {
    const User = z.object({
      name: z
        .string()
        .min(3)
        .regex(/^[A-Z]/),
      tags: z.array(z.string()),
    });
    const error = refusal(User, { name: 'a', tags: ['x', 1] });
    expect(error).toMatchObject({ variant: 'ValidationError', status: 400 });
    expect(error.message).toBe(
      'name: Too small: expected string to have >=3 characters; Invalid string: must match pattern /^[A-Z]/\n' +
        'tags[1]: Invalid input: expected string, received number',
    );
    expect(error.issues?.map(({ path }) => path)).toEqual([['name'], ['tags', 1]]);
  });

  it('describes the value if an issue has no path', () => {
    expect(refusal(z.string(), 1).message).toBe('value: Invalid input: expected string, received number');
    expect(refusal(finding(), 1).message).toBe('value: invalid');
  });

  it('keeps the message short, however many issues there are', () => {
    const issues = Array.from({ length: 1_000 }, (_, index) => ({
      message: 'x'.repeat(2_000),
      path: [`field${index}`],
    }));
    const error = refusal(finding(...issues), 1);
    const lines = error.message.split('\n');
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('and 980 more');
    expect(Math.max(...lines.map(({ length }) => length))).toBe(501);
    // An onError handler of the application may show all of them.
    expect(error.issues).toHaveLength(1_000);
  });

  it('does not mention more issues if all are shown', () => {
    const issues = Array.from({ length: 20 }, (_, index) => ({ message: 'wrong', path: [`field${index}`] }));
    expect(refusal(finding(...issues), 1).message.split('\n')).toHaveLength(20);
  });

  it('refuses an asynchronous schema, before its result is known', () => {
    const schema = z.string().refine(async () => false);
    expect(() => validate(schema, 'x')).toThrow('answered with a promise: it has asynchronous checks');
  });

  it('rethrows the error of a schema', () => {
    const broken = v.pipe(
      v.string(),
      v.transform(() => {
        throw new TypeError('broken');
      }),
    );
    expect(() => validate(broken, 'x')).toThrow(TypeError);
  });
});

describe('messages', () => {
  it('quote keys that are not plain names, so that a key cannot add a line', () => {
    const error = refusal(
      finding(
        { message: 'bad\nname: fine', path: ['a\nb', { key: 'x.y' }] },
        { message: 'bad', path: [Symbol('s'), '__proto__'] },
      ),
      1,
    );
    expect(error.message.split('\n')).toEqual([
      '["a\\nb"]["x.y"]: bad name: fine',
      '["Symbol(s)"].__proto__: bad',
    ]);
    expect(error.issues?.[1]?.path).toEqual(['Symbol(s)', '__proto__']);
  });

  it('do not grow with the size of the value', () => {
    const many = refusal(z.array(z.string()), Array(10_000).fill(1));
    expect(many.message.split('\n')).toHaveLength(21);
    expect(many.message).toMatch(/\nand 9980 more$/);
    expect(many.issues).toHaveLength(10_000);
    expect(refusal(v.number(), 'x'.repeat(100_000)).message.length).toBeLessThan(600);
  });
});
