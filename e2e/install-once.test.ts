import { existsSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installOnce, keyOfApp } from './install-once.js';
import { temporaryDirectory } from './packed.js';

test('what was installed once is copied, with its links, and something else is installed', () => {
  const store = temporaryDirectory();
  const installed: string[] = [];
  const into = (key: string): string => {
    const directory = temporaryDirectory();
    installOnce(store, key, directory, () => {
      installed.push(key);
      mkdirSync(join(directory, 'node_modules/.bin'), { recursive: true });
      symlinkSync('../tool/main.js', join(directory, 'node_modules/.bin/tool'));
      writeFileSync(join(directory, 'package-lock.json'), '{}');
    });
    expect(existsSync(join(directory, 'package-lock.json'))).toBe(true);
    return directory;
  };
  into('one');
  expect(readlinkSync(join(into('one'), 'node_modules/.bin/tool'))).toBe('../tool/main.js');
  into('other');
  expect(installed).toEqual(['one', 'other']);
});

test('apps install the same if they differ by their name alone', () => {
  const key = (manifest: object, carried: string): string => {
    const app = temporaryDirectory();
    mkdirSync(join(app, 'vendor'));
    writeFileSync(join(app, 'vendor/fw.tgz'), carried);
    writeFileSync(join(app, 'package.json'), JSON.stringify(manifest));
    return keyOfApp(app);
  };
  const dependencies = { zod: '^4.0.0' };
  const one = key({ name: 'one', dependencies }, 'fw');
  expect(key({ name: 'two', dependencies }, 'fw')).toBe(one);
  expect(key({ name: 'one', dependencies: {} }, 'fw')).not.toBe(one);
  expect(key({ name: 'one', dependencies }, 'another fw')).not.toBe(one);
});
