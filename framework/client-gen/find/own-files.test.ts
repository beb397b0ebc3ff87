import { describe, expect, it } from 'vitest';
import { isOwnFile, isTestFile } from './own-files.js';

describe('isTestFile', () => {
  it.each([
    ...['src/a.test.ts', 'src/a.spec.tsx', 'src/a.test.mts', 'src/a.spec.js', 'src/a.test.cjs', 'a.test.jsx'],
    ...['src/__tests__/a.ts', '__tests__/deep/a.ts'],
    ...[
      'test/a.ts',
      'tests/helper.ts',
      'tests/deep/a.ts',
      'e2e/app.ts',
      'tests\\a.ts',
      'src\\__tests__\\a.ts',
    ],
  ])('is true for %s', (name) => expect(isTestFile(`/app/${name}`, '/app/tsconfig.json')).toBe(true));

  it.each([
    ...['src/main.ts', 'src/test.ts', 'src/atest.ts', 'src/a.test/main.ts', 'src/a.test.ts.ts'],
    ...['src/tests/a.ts', 'src/e2e/a.ts', 'testing/a.ts', 'e2e.ts', 'src/x__tests__/a.ts'],
  ])('is false for %s', (name) => expect(isTestFile(`/app/${name}`, '/app/tsconfig.json')).toBe(false));

  it('looks at the path from the project alone', () => {
    expect(isTestFile('/e2e/app/src/main.ts', '/e2e/app/tsconfig.json')).toBe(false);
    expect(isTestFile('/tests/a.ts', '/tests/tsconfig.json')).toBe(false);
  });
});

describe('isOwnFile', () => {
  it.each(['/app/src/a.ts', '/app/src/d.ts', '/app/src/node_modules.ts'])('is true for %s', (file) =>
    expect(isOwnFile(file)).toBe(true),
  );
  it.each([
    ...['/app/src/a.d.ts', '/app/src/a.d.mts', '/app/node_modules/x/a.ts', 'C:\\app\\node_modules\\x\\a.ts'],
    'bundled:///libs/lib.d.ts',
  ])('is false for %s', (file) => expect(isOwnFile(file)).toBe(false));
});
