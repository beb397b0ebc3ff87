import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config-error.js';
import { checkOptions, type StaticOptions } from './options.js';

describe('checkOptions', () => {
  const byPath = () => undefined;
  it.each<StaticOptions>([
    {},
    { cacheControl: 'max-age=60', precompressed: false },
    { cacheControl: byPath, precompressed: true },
  ])('returns a copy of %j', (options) => {
    const checked = checkOptions("serveStatic('/f')", options);
    expect(checked).toEqual(options);
    expect(checked).not.toBe(options);
  });

  it.each<[unknown, string]>([
    [null, 'the options are null; give an object'],
    ['x', 'the options are "x"; give an object'],
    [{ maxAge: 1 }, "unknown option 'maxAge'; there are cacheControl and precompressed"],
    [{ cacheControl: 1 }, 'cacheControl is of type number; give a string or a function'],
    [{ cacheControl: null }, 'cacheControl is of type object; give a string or a function'],
    [{ precompressed: 'no' }, 'precompressed is "no"; give true or false'],
    [{ precompressed: null }, 'precompressed is null; give true or false'],
  ])('refuses %j', (options, why) => {
    expect(() => checkOptions("serveStatic('/f')", options as StaticOptions)).toThrow(
      new ConfigError('FW_OPTION', `serveStatic('/f'): ${why}`),
    );
  });

  it('refuses an invalid header field value', () => {
    expect(() => checkOptions('x', { cacheControl: 'a\nb' })).toThrow(
      "invalid value of header 'Cache-Control'",
    );
  });
});
