import { expect, it } from 'vitest';
import { linkTo, readPlace } from './place.js';

it('reads the places that it makes links to', () => {
  expect(readPlace(linkTo('requests', 12))).toEqual({ section: 'requests', item: '12' });
  expect(readPlace(linkTo('app', 'routes'))).toEqual({ section: 'app', item: 'routes' });
  expect(readPlace(linkTo('docs', 'errors/FW_ENV:fix'))).toEqual({
    section: 'docs',
    item: 'errors/FW_ENV:fix',
  });
  expect(readPlace(linkTo('restarts'))).toEqual({ section: 'restarts', item: '' });
});

it.each(['', '#', '#/other/1', '#/requests/<b>', '#/docs/<b>', '#/requests/a/b', 'javascript:1'])(
  'leads %j to the requests',
  (hash) => {
    expect(readPlace(hash)).toEqual({ section: 'requests', item: '' });
  },
);
