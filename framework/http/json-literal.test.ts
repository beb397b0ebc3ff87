import { EventEmitter, on } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isLiteral } from './json-form.js';

describe('isLiteral', () => {
  class Account {
    readonly id = 1;
  }

  it.each([
    ['an empty object', {}],
    ['an object with members', { id: 1 }],
    ['data with a member named constructor', { constructor: 'Ferrari' }],
    ['data with a constructor of undefined', { constructor: undefined }],
  ])('is true for %s', (_what, value) => {
    expect(isLiteral(value)).toBe(true);
  });

  it.each([
    ['an instance of a class', new Account()],
    ['an object without a prototype', Object.create(null)],
    ['a list', []],
    ['a Map', new Map()],
    ['an error', new Error('x')],
    ['an async iterator that inherits the constructor of objects', on(new EventEmitter(), 'x')],
    ['the same with members', Object.assign(on(new EventEmitter(), 'x'), { size: 1 })],
    ['an async generator', (async function* () {})()],
  ])('is false for %s', (_what, value) => {
    expect(isLiteral(value as object)).toBe(false);
  });
});
