import { expect, it } from 'vitest';
import { capitalized, procedureTypeName } from './type-name.js';

it.each([
  ['getUser', 'GetUser'],
  ['user.getAll', 'UserGetAll'],
  ['a--b..c_d', 'ABCD'],
  ['.x.', 'X'],
  ['2fa.enable', 'Procedure2faEnable'],
  ['größe', 'GrE'],
])('the types of the procedure %s begin with %s', (procedure, name) => {
  expect(procedureTypeName(procedure)).toBe(name);
  expect(capitalized(procedure)).toBe(name.replace('Procedure', ''));
});
