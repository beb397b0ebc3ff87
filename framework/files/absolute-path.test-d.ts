// Paths that were not made by `absolutePath` do not compile as keys, or where one is asked for.
import { describe, expectTypeOf, it } from 'vitest';
import { type AbsolutePath, absolutePath, folderOf, isInside } from './absolute-path.js';

describe('AbsolutePath', () => {
  const path = absolutePath('/app/src/main.ts');

  it('is a string, and no string is one', () => {
    expectTypeOf(path).toExtend<string>();
    expectTypeOf<string>().not.toExtend<AbsolutePath>();
    expectTypeOf<'/app'>().not.toExtend<AbsolutePath>();
  });

  it('is not looked up by a string', () => {
    const set = new Set([path]);
    const map = new Map([[path, 1]]);
    const name: string = path;
    // @ts-expect-error
    set.has(name);
    // @ts-expect-error
    map.get(name);
    // @ts-expect-error
    [path].includes(name);
    // @ts-expect-error
    isInside(folderOf(path), name);
    // @ts-expect-error
    isInside('/app', path);
  });
});
