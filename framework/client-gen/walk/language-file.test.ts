import { expect, it } from 'vitest';
import { isLanguageFile } from './language-file.js';

it.each([
  'bundled:///libs/lib.es2023.d.ts',
  '/app/node_modules/typescript/lib/lib.dom.d.ts',
  '/app/node_modules/typescript-6/lib/lib.es5.d.ts',
  '/app/node_modules/@types/node/buffer.d.ts',
  '/app/node_modules/undici-types/fetch.d.ts',
  'C:\\app\\node_modules\\@types\\node\\buffer.d.ts',
])('%s declares types of JavaScript or Node', (path) => {
  expect(isLanguageFile(path)).toBe(true);
});

it.each([
  '/app/src/lib.ts',
  '/app/node_modules/typescript/lib/typescript.d.ts',
  '/app/node_modules/@types/react/index.d.ts',
])('%s does not', (path) => {
  expect(isLanguageFile(path)).toBe(false);
});
