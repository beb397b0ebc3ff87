// Which changes others usually follow.
import { expect, it } from 'vitest';
import { absolutePath } from '../../framework/files/absolute-path.js';
import { isBurst } from './change.js';

const names = ['/app/src/a.ts', '/app/src/b.ts', '/app/src/c.ts'];
const change = (count: number, environment: boolean) => ({
  what: 'changed',
  files: names.slice(0, count).map((name) => absolutePath(name)),
  rebuild: false,
  environment,
  began: 1,
});

it('takes three files, and any of the settings or packages, for the begin of more', () => {
  expect([1, 2, 3].map((count) => isBurst(change(count, false)))).toEqual([false, false, true]);
  // A key that restarts the app changes no file.
  expect([0, 1].map((count) => isBurst(change(count, true)))).toEqual([false, true]);
});
