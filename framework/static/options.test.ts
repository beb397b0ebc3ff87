import { describe, expect, it } from 'vitest';
import { checkStaticOptions, type StaticOptions } from './options.js';

describe('checkStaticOptions', () => {
  const byPath = () => undefined;
  it.each<StaticOptions>([
    {},
    { cacheControl: 'max-age=60', precompressed: false },
    { cacheControl: byPath, precompressed: true, dotfiles: ['.well-known'] },
  ])('returns a copy of %j', (options) => {
    const checked = checkStaticOptions("serveStatic('/f')", options);
    expect(checked).toEqual(options);
    expect(checked).not.toBe(options);
  });

  it.each<[unknown, string]>([
    [null, ' takes an object of options, got null'],
    ['x', ' takes an object of options, got a string'],
    [{ maxAge: 1 }, " has no option 'maxAge'; there are cacheControl, precompressed, dotfiles"],
    [{ cacheControl: 1 }, ': cacheControl is 1; give the value of a header field'],
    [{ cacheControl: null }, ': cacheControl is null; give the value of a header field'],
    [{ precompressed: 'no' }, ": precompressed is 'no'; give true or false"],
    [{ precompressed: null }, ': precompressed is null; give true or false'],
    [{ dotfiles: '.well-known' }, ": dotfiles is '.well-known'; give a list of a name such as '.well-known'"],
    ...['well-known', '.', '..', '.a/b', '.a\\b', ''].map((name): [unknown, string] => [
      { dotfiles: [name] },
      ": dotfiles[0] is '",
    ]),
    [{ dotfiles: [1] }, ": dotfiles[0] is 1; give a name such as '.well-known'"],
  ])('refuses %j', (options, why) => {
    expect(() => checkStaticOptions("serveStatic('/f')", options as StaticOptions)).toThrow(
      `serveStatic('/f')${why}`,
    );
  });

  it('refuses an invalid header field value', () => {
    expect(() => checkStaticOptions('x', { cacheControl: 'a\nb' })).toThrow("x: cacheControl is 'a\\nb'");
  });
});
