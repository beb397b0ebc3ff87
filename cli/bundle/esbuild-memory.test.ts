// The variable that esbuild's process gets, and that no other process may see.
import { afterEach, expect, it, vi } from 'vitest';
import { withMoreMemory } from './esbuild-memory.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('is set while esbuild starts, and gone afterwards', () => {
  vi.stubEnv('GOGC', undefined);
  expect(withMoreMemory(() => process.env.GOGC)).toBe('400');
  expect('GOGC' in process.env).toBe(false);
});

it('is gone if esbuild does not start', () => {
  vi.stubEnv('GOGC', undefined);
  const fail = () => {
    throw new Error('no esbuild');
  };
  expect(() => withMoreMemory(fail)).toThrow('no esbuild');
  expect('GOGC' in process.env).toBe(false);
});

it('is left as the user has set it', () => {
  vi.stubEnv('GOGC', '50');
  expect(withMoreMemory(() => process.env.GOGC)).toBe('50');
  expect(process.env.GOGC).toBe('50');
});
