import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allParts } from '../framework/client/runtime-parts.js';
import { clientText, textFile } from './client-text.js';

it('the text of the client’s run time is that of its sources: npm run build writes it', () => {
  expect(readFileSync(textFile, 'utf8') === clientText()).toBe(true);
});

it('has no two declarations of one name, and each after those that its module imports', () => {
  const names = allParts().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.indexOf('FwRpcHttpError')).toBeLessThan(names.indexOf('FwRouteError'));
  expect(names.indexOf('FwSocket')).toBeLessThan(names.indexOf('FwRpcSocket'));
});
