// Names of operations, as people write them.
import { expect, it } from 'vitest';
import { isNamed } from './fuzz-operation.js';

it.each([
  ['GET /users/:id', 'GET /users/:id', true],
  ['GET /users/:id', 'GET /users/{id}', true],
  ['GET /users/:id', 'GET /users', false],
  ['GET /users/:id', 'GET *', true],
  ['GET /users/:id', '* /users/*', true],
  ['GET /users/:id', '*', true],
  ['GET /users', '* /users', true],
  ['GET /users/mine', '* /users', false],
  ['lists.add', 'lists.*', true],
  ['lists.add', '*.add', true],
  ['lists.addAll', '*.add', false],
  ['aa', 'a*a*a', false],
])("'%s' is named by '%s': %s", (name, pattern, expected) => {
  expect(isNamed(name, pattern)).toBe(expected);
});
