import { expect, it } from 'vitest';
import { UriTemplate } from './uri-template.js';

it.each([
  ['tasks://all', 'tasks://all', {}],
  ['tasks://all', 'tasks://al', undefined],
  ['tasks://all', 'tasks://alls', undefined],
  ['tasks://{id}', 'tasks://7', { id: '7' }],
  ['tasks://{id}', 'tasks://a%20b%2Fc', { id: 'a b/c' }],
  ['tasks://{id}', 'tasks://', undefined],
  ['tasks://{id}', 'tasks://a/b', undefined],
  ['tasks://{id}', 'tasks://%zz', undefined],
  ['tasks://{id}/full', 'tasks://7/full', { id: '7' }],
  ['tasks://{id}/full', 'tasks:///full', undefined],
  ['tasks://{id}/full', 'tasks://7/full/full', undefined],
  ['tasks://{list}/{id}', 'tasks://a/b', { list: 'a', id: 'b' }],
  ['tasks://{list}/{id}', 'tasks://a', undefined],
  ['tasks://{list}-{id}.json', 'tasks://a-b-c.json', { list: 'a', id: 'b-c' }],
  ['a:{x}{y}', 'a:12', undefined],
  ['tasks://{__proto__}', 'tasks://7', Object.assign(Object.create(null), { ['__proto__']: '7' })],
])('%s matches %s as %j', (template, uri, values) => {
  const found = new UriTemplate(template).match(uri);
  expect(found === undefined ? undefined : Object.entries(found)).toEqual(
    values === undefined ? undefined : Object.entries(values),
  );
});

it('knows whether it is one resource', () => {
  expect(new UriTemplate('tasks://all').isFixed).toBe(true);
  expect(new UriTemplate('tasks://{id}').isFixed).toBe(false);
});
