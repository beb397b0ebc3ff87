// What people are told to do about an error: by its code, by its message, by a cause, by the status.
import { describe, expect, it } from 'vitest';
import type { AppError } from '../../process/messages.js';
import { adviceFor } from './error-advice.js';

const error = (title: string, more: Partial<AppError> = {}): AppError => ({
  title,
  frames: [],
  details: '',
  ...more,
});

describe('adviceFor', () => {
  it.each([
    ['the message of SQLite', error('SqliteError: no such table: notes'), 'The table is not there.'],
    ['the code of PostgreSQL', error('error: relation', { code: '42P01' }), 'The table is not there.'],
    ['the code of MySQL', error('Error: x', { code: 'ER_BAD_FIELD_ERROR' }), 'The column is not there.'],
    [
      'the code of a cause',
      error('Error: x', { causes: [error('y', { code: 'ECONNREFUSED' })] }),
      'Nothing listens',
    ],
    [
      'a result with a BigInt',
      error('TypeError: Do not know how to serialize a BigInt'),
      'JSON has no BigInt.',
    ],
    [
      'a result that refers to itself',
      error('TypeError: Converting circular structure to JSON\n    --> starting at'),
      'The value refers to itself',
    ],
  ])('knows %s', (_, given, text) => {
    expect(adviceFor(given, 500)).toEqual([expect.stringContaining(text)]);
  });

  it('says one thing once, and nothing about what it does not know', () => {
    const cause = error('SqliteError: no such table: notes', { code: 'SQLITE_ERROR' });
    expect(adviceFor(error('FwError: no such table: notes', { causes: [cause] }), 500)).toHaveLength(1);
    expect(adviceFor(error('TypeError: x is not a function'), 500)).toEqual([]);
    expect(adviceFor(undefined, 500)).toEqual([]);
  });

  it('falls back on the status', () => {
    expect(adviceFor(error('FwError: no'), 401)).toEqual([expect.stringContaining('Sign in')]);
    expect(adviceFor(undefined, 422)).toEqual([expect.stringContaining('schema')]);
  });

  it('takes no longer than needed for a long title and many causes', () => {
    const causes = Array.from({ length: 100 }, (_, index) => error(`Error: ${index}`));
    const last = error('x', { code: 'ENOENT' });
    expect(adviceFor(error('n'.repeat(1_000_000), { causes: [...causes, last] }), 500)).toEqual([]);
  });
});
