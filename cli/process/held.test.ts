// Which failures another process may be the cause of.
import { expect, it } from 'vitest';
import { isOfHeld, namesHeld } from './held.js';

it.each([
  'bind EADDRINUSE 127.0.0.1:45999',
  'Lock file is already being held',
  'IO Error: Could not set lock on file "/app/data.duckdb": Conflicting lock is held in node (PID 4711)',
  'database is locked',
  'EBUSY: resource busy or locked, open data.db',
  "EEXIST: file already exists, open 'app.pid'",
  'Resource temporarily unavailable',
  'another instance is running',
  'The process cannot access the file because it is being used by another process.',
  'the server is already running with pid 4711',
  'RESOURCE_LOCKED - cannot obtain exclusive access to locked queue',
])('may be the cause of "%s"', (text) => expect(namesHeld(text)).toBe(true));

it.each([
  'connect ECONNREFUSED 127.0.0.1:5432',
  'users is not defined',
  'Cannot read properties of undefined',
  'the clock is wrong',
  'DATABASE_URL is missing',
  'unexpected block comment',
])('is not the cause of "%s"', (text) => expect(namesHeld(text)).toBe(false));

it('may be named by the code, or by a cause', () => {
  const error = { title: 'Error: Database failed to open', frames: [], details: '' };
  expect(isOfHeld(error)).toBe(false);
  expect(isOfHeld({ ...error, code: 'LEVEL_LOCKED' })).toBe(true);
  expect(
    isOfHeld({ ...error, details: "cause: Error: IO error: lock app/LOCK\n  code: 'LEVEL_LOCKED'" }),
  ).toBe(true);
});
