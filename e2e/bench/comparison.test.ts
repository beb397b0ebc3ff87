import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withFigures } from './comparison.js';

const page = readFileSync(new URL('../../framework/docs/comparison.md', import.meta.url), 'utf8');
const { series } = JSON.parse(readFileSync(new URL('results/results.json', import.meta.url), 'utf8'));

it('the page that compares has the figures of the last run', () => {
  expect(withFigures(page, series)).toBe(page);
});

it('a page without a place for figures, and results without a row, are errors', () => {
  expect(() => withFigures('# A page', series)).toThrow('no place for figures');
  expect(() => withFigures(page, [])).toThrow('no row hello');
});
