import { expect, it } from 'vitest';
import { absolutePath } from '../../files/absolute-path.js';
import { comparePlaces, placeOf } from './place-of.js';

it('finds lines and columns in the text that a file has now', () => {
  expect(placeOf('/app/a.ts', 'one\ntwo', 4)).toMatchObject({ line: 2, column: 1 });
  expect(placeOf('/app/a.ts', 'ones\ntwo', 4)).toMatchObject({ line: 1, column: 5 });
  expect(placeOf('/app/a.ts', 'ones\ntwo', 7)).toMatchObject({ line: 2, column: 3 });
});

it('has an order by file, line and column', () => {
  const place = (name: string, line: number, column: number) => ({ file: absolutePath(name), line, column });
  const places = [place('/a.ts', 1, 2), place('/a.ts', 1, 10), place('/a.ts', 2, 1), place('/b.ts', 1, 1)];
  expect(places.toReversed().sort(comparePlaces)).toEqual(places);
});
