// The variable that a process of Go gets, and that no other process may see.
import { afterEach, expect, it, vi } from 'vitest';
import { withMoreMemory } from './go-memory.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('is set while the process starts, and gone afterwards', () => {
  vi.stubEnv('GOGC', undefined);
  expect(withMoreMemory(400, () => process.env.GOGC)).toBe('400');
  expect('GOGC' in process.env).toBe(false);
});

it('is gone if the process does not start', () => {
  vi.stubEnv('GOGC', undefined);
  const fail = () => {
    throw new Error('no process');
  };
  expect(() => withMoreMemory(400, fail)).toThrow('no process');
  expect('GOGC' in process.env).toBe(false);
});

it('is left as the user has set it', () => {
  vi.stubEnv('GOGC', '50');
  expect(withMoreMemory(400, () => process.env.GOGC)).toBe('50');
  expect(process.env.GOGC).toBe('50');
});
