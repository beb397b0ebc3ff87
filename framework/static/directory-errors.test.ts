// Errors of the operating system that a test cannot cause, or only with privileges.
import * as fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';

vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  return { ...real, statSync: vi.fn(real.statSync) };
});
// Imported here, because a module that was loaded before the mock would use the real functions.
vi.resetModules();
const { FwError } = await import('../http/errors.js');
const { Directory, UnreadableFile } = await import('./directory.js');
afterEach(() => vi.mocked(fs.statSync).mockReset());

/** The results of stat and open: what they throw, or `nothing` if they return undefined. */
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

describe('a file for which the operating system reports an error', () => {
  it.each(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ENXIO', 'EINVAL'])(
    'does not exist with %s',
    (code) => {
      expect(outcomes(code)).toEqual(['nothing', 'nothing']);
    },
  );

  it.each(['EACCES', 'EPERM'])('cannot be read with %s', (code) => {
    for (const error of outcomes(code)) {
      expect(error).toBeInstanceOf(UnreadableFile);
      expect(error).toMatchObject({ message: `${code}: no`, cause: { code } });
    }
  });

  it.each(['EMFILE', 'ENFILE', 'ENOMEM'])('may be available later with %s', (code) => {
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
