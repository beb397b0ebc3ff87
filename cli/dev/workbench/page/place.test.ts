import { expect, it } from 'vitest';
import { linkTo, readPlace } from './place.js';

it('reads the places that it makes links to', () => {
  expect(readPlace(linkTo('requests', 12))).toEqual({ section: 'requests', item: '12' });
  expect(readPlace(linkTo('app', 'routes'))).toEqual({ section: 'app', item: 'routes' });
  expect(readPlace(linkTo('cycle'))).toEqual({ section: 'cycle', item: '' });
});

it.each(['', '#', '#/other/1', '#/requests/<b>', 'javascript:1'])('leads %j to the requests', (hash) => {
  expect(readPlace(hash)).toEqual({ section: 'requests', item: '' });
});
