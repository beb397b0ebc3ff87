// Files that are in use on Windows for a moment.
import { describe, expect, it } from 'vitest';
import { retryBusy, retryBusySync } from './retry-busy.js';

/** Fails so many times, then returns how many tries it took. */
function failing(times: number, code: string): () => number {
  let tries = 0;
  return () => {
    tries += 1;
    if (tries <= times) throw Object.assign(new Error(`${code}, try ${tries}`), { code });
    return tries;
  };
}

describe.each(['EPERM', 'EACCES', 'EBUSY'])('%s on Windows', (code) => {
  it('is tried again', async () => {
    const work = failing(2, code);
    expect(await retryBusy(async () => work(), 'win32')).toBe(3);
    expect(retryBusySync(failing(2, code), 'win32')).toBe(3);
  });
});

it('gives up after eight tries, with the last error', () => {
  expect(() => retryBusySync(failing(8, 'EBUSY'), 'win32')).toThrow('EBUSY, try 8');
});

it('tries nothing again for other errors, and on other systems', async () => {
  const missing = failing(1, 'ENOENT');
  await expect(retryBusy(async () => missing(), 'win32')).rejects.toThrow('ENOENT, try 1');
  expect(() => retryBusySync(failing(1, 'ENOENT'), 'win32')).toThrow('ENOENT, try 1');
  expect(() => retryBusySync(failing(1, 'EPERM'), 'linux')).toThrow('EPERM, try 1');
  await expect(retryBusy(() => Promise.reject(undefined), 'win32')).rejects.toBe(undefined);
});
