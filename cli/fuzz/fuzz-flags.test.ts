import { describe, expect, it } from 'vitest';
import { UsageError } from '../terminal/errors.js';
import { type FuzzFlags, fuzzOptions } from './fuzz-flags.js';

describe('the options of fuzz', () => {
  it('are those of the flags, and nothing without flags', () => {
    expect(fuzzOptions({})).toEqual({});
    expect(
      fuzzOptions({
        only: ['GET /a', 'users.*'],
        except: ['GET /b'],
        open: ['GET /c'],
        shared: ['GET /d'],
        runs: '100',
        seed: '-5',
        timeout: '250',
      }),
    ).toEqual({
      only: ['GET /a', 'users.*'],
      except: ['GET /b'],
      open: ['GET /c'],
      shared: ['GET /d'],
      runs: 100,
      seed: -5,
      timeoutMs: 250,
    });
  });

  it('are whole numbers up to their limits', () => {
    const limits = { runs: [1, 100_000], seed: [-(2 ** 31), 2 ** 31 - 1], timeout: [1, 2 ** 31 - 1] };
    for (const [flag, numbers] of Object.entries(limits)) {
      for (const number of numbers) {
        const name = flag === 'timeout' ? 'timeoutMs' : flag;
        expect(fuzzOptions({ [flag]: String(number) })).toEqual({ [name]: number });
      }
    }
  });

  it('have an identity for each caller whose header fields are given, the first one first', () => {
    const { identities = {} } = fuzzOptions({
      header: ['Authorization: Bearer one', 'X-Tenant: 1'],
      otherHeader: ['Authorization: Bearer two'],
    });
    const sent = Object.entries(identities).map(([name, identity]) => [name, identity({} as never)]);
    expect(sent).toEqual([
      ['you', { authorization: 'Bearer one', 'x-tenant': '1' }],
      ['other', { authorization: 'Bearer two' }],
    ]);
    expect(Object.keys(fuzzOptions({ header: ['A: 1'] }).identities ?? {})).toEqual(['you']);
  });

  it.each<[flags: FuzzFlags, says: string]>([
    [{ runs: '0' }, "--runs is '0'"],
    [{ runs: '100001' }, "--runs is '100001'"],
    [{ runs: 'many' }, "--runs is 'many'"],
    [{ runs: '' }, "--runs is ''"],
    [{ runs: '1e3' }, "--runs is '1e3'"],
    [{ seed: '2147483648' }, "--seed is '2147483648'"],
    [{ seed: '-2147483649' }, "--seed is '-2147483649'"],
    [{ timeout: '2147483648' }, "--timeout is '2147483648'"],
    [{ seed: '0x10' }, "--seed is '0x10'"],
    [{ timeout: '0' }, "--timeout is '0'"],
    [{ only: ['GET /', ''] }, '--only is empty'],
    [{ shared: [''] }, '--shared is empty'],
    [{ otherHeader: ['A: 1'] }, '--other-header is given without --header'],
  ])('%j are wrong usage', (flags, says) => {
    expect(() => fuzzOptions(flags)).toThrow(UsageError);
    expect(() => fuzzOptions(flags)).toThrow(says);
  });
});
