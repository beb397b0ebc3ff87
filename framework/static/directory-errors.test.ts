// What the operating system may say of a file: errors that a test cannot have for real, or only without privileges.
import * as fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';

vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  return { ...real, statSync: vi.fn(real.statSync) };
});
// Loaded anew: what was loaded before the mock would go on with the real one.
vi.resetModules();
const { FwError } = await import('../http/errors.js');
const { Directory, UnreadableFile } = await import('./directory.js');
afterEach(() => vi.mocked(fs.statSync).mockReset());

/** What looking at a file and opening one throw, or `nothing`, where the operating system gives the code. */
function outcomes(code: string | undefined): unknown[] {
  const cause = Object.assign(new Error(`${code}: no`), code === undefined ? {} : { code });
  const directory = new Directory('/srv');
  return [() => directory.stat('/srv/a'), () => directory.open('/srv/a')].map((look) => {
    vi.mocked(fs.statSync).mockImplementationOnce(() => {
      throw cause;
    });
    try {
      return look() ?? 'nothing';
    } catch (error) {
      return error;
    }
  });
}

describe('a file that the operating system refuses', () => {
  it.each(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ENXIO', 'EINVAL'])('is absent with %s', (code) => {
    expect(outcomes(code)).toEqual(['nothing', 'nothing']);
  });

  it.each(['EACCES', 'EPERM'])('is unreadable with %s', (code) => {
    for (const error of outcomes(code)) {
      expect(error).toBeInstanceOf(UnreadableFile);
      expect(error).toMatchObject({ message: `${code}: no`, cause: { code } });
    }
  });

  it.each(['EMFILE', 'ENFILE', 'ENOMEM'])('may be there in a moment with %s', (code) => {
    for (const error of outcomes(code)) {
      if (!(error instanceof FwError)) throw new Error('no FwError');
      expect(error).toMatchObject({ status: 503, cause: { code } });
      expect(error.headers).toEqual({ 'Retry-After': '1' });
    }
  });

  it.each(['EIO', undefined])('fails with %s', (code) => {
    for (const error of outcomes(code)) {
      expect(error).not.toBeInstanceOf(FwError);
      expect(error).not.toBeInstanceOf(UnreadableFile);
      expect(error).toMatchObject({ message: `${code}: no` });
    }
  });
});
