// Which schemes an operation requires, of the methods around it.
import { describe, expect, it } from 'vitest';
import type { SecuritySchemes } from '../extract/description.js';
import { alternativesOf, SecurityCollector, securityOf } from './security.js';

const a = { a: { type: 'http', scheme: 'bearer' } } as const satisfies SecuritySchemes;
const b = { b: { type: 'apiKey', in: 'header', name: 'x-key' } } as const satisfies SecuritySchemes;
const c = { c: { type: 'apiKey', in: 'cookie', name: 'sid' } } as const satisfies SecuritySchemes;

describe('the schemes of an operation', () => {
  it.each<[string, readonly (readonly SecuritySchemes[])[], SecuritySchemes, object | undefined]>([
    ['none without a group', [], c, undefined],
    ['none of empty groups', [[], []], c, undefined],
    [
      'one of each group',
      [[a, b], [c]],
      {},
      [
        { a: [], c: [] },
        { b: [], c: [] },
      ],
    ],
    ['those that all require, too', [[a]], c, [{ c: [], a: [] }]],
    [
      'each combination once',
      [
        [a, b],
        [b, a],
      ],
      {},
      [{ a: [], b: [] }, { a: [] }, { b: [] }],
    ],
    ['nobody, where that is enough', [[a, {}]], {}, [{ a: [] }, {}]],
  ])('are %s', (_, groups, common, expected) => {
    const found = securityOf('GET /', groups, common, new SecurityCollector());
    expect(found).toEqual(expected);
  });

  it('may be named twice if they are the same, and not if they differ', () => {
    const schemes = new SecurityCollector();
    expect(schemes.add('GET /', b)).toEqual(['b']);
    expect(schemes.add('GET /x', { b: { name: 'x-key', in: 'header', type: 'apiKey' } })).toEqual(['b']);
    expect(() => schemes.add('GET /y', { b: { type: 'apiKey', in: 'header', name: 'other' } })).toThrow(
      "another security scheme is already named 'b', which GET /y requires; rename one",
    );
    expect([...schemes.all()]).toHaveLength(1);
  });

  it('are a list, whether a method names one or several', () => {
    expect([alternativesOf(undefined), alternativesOf(a), alternativesOf([a, b])]).toEqual([[], [a], [a, b]]);
  });
});
