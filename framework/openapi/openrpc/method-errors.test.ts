// The errors of a method in OpenRPC, of which each code has one entry.
import { describe, expect, it } from 'vitest';
import { errorCode } from '../../rpc/protocol/rpc-error.js';
import { parseType } from '../../wire/read/parse-type.js';
import type { ProcedureTypes } from '../../wire/wire-type.js';
import { methodErrors } from './method-errors.js';

const errorsOf = (errors: ProcedureTypes['errors'], input = 'void') =>
  methodErrors({
    kind: 'query',
    input: parseType(input),
    output: parseType('void'),
    ...(errors && { errors }),
  });
const [internal, invalid] = [
  { code: errorCode.internalError, message: 'Internal error' },
  { code: errorCode.invalidParams, message: 'Invalid input' },
];

describe('the errors of a method', () => {
  it('have an invalid input only if there is an input', () => {
    expect(errorsOf(undefined)).toEqual([internal]);
    expect(errorsOf(undefined, 'string')).toEqual([invalid, internal]);
  });

  it('have no value that is valid for one without data', () => {
    expect(errorsOf({ gone: { data: parseType('void') } })).toEqual([
      internal,
      { code: errorCode.declared, message: 'gone', data: { not: {}, title: 'gone' } },
    ]);
  });

  it('have what is said of one beside a reference in draft-07', () => {
    const gone = { data: parseType('User'), message: 'It is gone', description: 'It was deleted.' };
    const about = { title: 'gone', description: 'It was deleted.' };
    const [, found] = errorsOf({ gone });
    expect(found?.message).toBe('It is gone');
    expect(found?.data).toEqual({ ...about, allOf: [{ $ref: expect.stringContaining('User') }] });
    const [, plain] = errorsOf({ gone: { ...gone, data: parseType('string') } });
    expect(plain?.data).toEqual({ type: 'string', ...about });
  });

  it('have one entry for all of a code', () => {
    const errors = {
      gone: { data: parseType('string'), code: 7 },
      away: { data: parseType('number'), code: 7, message: 'Nobody is here' },
      other: { data: parseType('void') },
    };
    const found = errorsOf(errors);
    expect(found.map(({ code, message }) => [code, message])).toEqual([
      [internal.code, internal.message],
      [7, 'gone / Nobody is here'],
      [errorCode.declared, 'other'],
    ]);
    expect(found[1]?.data).toEqual({
      anyOf: [
        { type: 'string', title: 'gone' },
        { type: 'number', title: 'away' },
      ],
    });
  });
});
