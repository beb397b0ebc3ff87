import { expect, it } from 'vitest';
import { helpFor } from './commands-elsewhere.js';

it.each([
  ['init', 'fw new'],
  ['start', 'fw dev'],
  ['migrate', 'npm run migrate'],
  ['version', 'fw --version'],
  ['client', 'fw generate'],
  ['list', 'fw routes'],
  ['add', 'npm install'],
  ['db:migrate', 'npm run migrate'],
  ['make:controller', 'fw docs tutorial'],
])('leads from %s to %s', (word, meant) => {
  expect(helpFor(word)).toContain(meant);
});

it('knows nothing of other words', () => {
  expect(helpFor('frobnicate')).toBeUndefined();
  expect(helpFor('constructor')).toBeUndefined();
  expect(helpFor('docs:dev')).toBeUndefined();
});
