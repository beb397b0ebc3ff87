import { expect, it } from 'vitest';
import { itemAfter } from './menu-button.js';

const titles = ['curl', 'PowerShell', 'fetch', 'test', 'Python'];
const after = (key: string, at: number, more: object = {}, all = titles) =>
  itemAfter({ key, ctrlKey: false, metaKey: false, altKey: false, ...more }, at, all);

it.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 4, 0],
  ['ArrowDown', -1, 0],
  ['ArrowUp', 1, 0],
  ['ArrowUp', 0, 4],
  ['ArrowUp', -1, 4],
  ['Home', 3, 0],
  ['End', 0, 4],
  ['p', 0, 1],
  ['P', 1, 4],
  ['p', 4, 1],
  ['t', 3, 3],
])('%s moves from item %i to item %i', (key, at, to) => {
  expect(after(key, at)).toBe(to);
});

it('other keys do not move, nor do shortcuts of the browser', () => {
  for (const key of ['Enter', ' ', 'x', 'F5', 'Shift']) expect(after(key, 0), key).toBeUndefined();
  for (const held of ['ctrlKey', 'metaKey', 'altKey'])
    expect(after('ArrowDown', 0, { [held]: true }), held).toBeUndefined();
  expect(after('ArrowDown', -1, {}, [])).toBeUndefined();
});
