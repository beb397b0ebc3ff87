import { describe, expect, it } from 'vitest';
import { isDeepJson, isDeepValue } from './json-depth.js';

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('JSON that is nested too deeply', () => {
  it.each([
    ['lists', lists(1000), false],
    ['deeper lists', lists(1001), true],
    ['objects', `${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`, true],
    ['the shortest objects', `${'{"":'.repeat(1001)}0${'}'.repeat(1001)}`, true],
    ['lists and objects', `${'[{"":'.repeat(500)}[0]${'}]'.repeat(500)}`, true],
    ['fewer of both', `${'[{"":'.repeat(500)}0${'}]'.repeat(500)}`, false],
    ['flat values', `[${'[],{},'.repeat(5000)}0]`, false],
    ['brackets in texts', JSON.stringify(['['.repeat(5000), '\\"{'.repeat(5000), '\\'.repeat(5000)]), false],
    ['lists behind texts', `["\\\\","\\"",${lists(1000)}]`, true],
  ])('is found for %s', (_, text, isDeep) => {
    expect(isDeepJson(text)).toBe(isDeep);
    expect(isDeepValue(JSON.parse(text))).toBe(isDeep);
  });

  it('is not what refers to itself, or has shared parts, or is of a class', () => {
    let shared: object = {};
    for (let i = 0; i < 500; i += 1) shared = { left: shared, right: shared };
    const cyclic: { self?: object } = {};
    cyclic.self = cyclic;
    let chain: Set<unknown> = new Set();
    for (let i = 0; i < 2000; i += 1) chain = Object.assign(new Set(), { chain });
    expect([shared, cyclic, chain, null, 'x'].filter(isDeepValue)).toEqual([]);
  });
});
