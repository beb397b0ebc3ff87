// What every run tries of an operation: callers, limits, choices, what may be left out, and telling texts.
import { describe, expect, it } from 'vitest';
import type { Detail } from '../../api-model/detail.js';
import type { WireType } from '../../wire/wire-type.js';
import { coveringCasesOf } from './covering-cases.js';
import { TELLING_TEXTS } from './hostile-values.js';

const field = (name: string, type: WireType, isOptional = false) => ({ name, type, isOptional });
const choice: WireType = {
  kind: 'union',
  members: [{ kind: 'literal', value: 'open' }, { kind: 'literal', value: 'done' }, { kind: 'null' }],
};
const body: WireType = {
  kind: 'object',
  fields: [
    field('title', { kind: 'string', rules: { minLength: 2, maxLength: 30 } }),
    field('count', { kind: 'integer', rules: { minimum: 3, maximum: 9 } }, true),
    field('isDone', { kind: 'boolean' }, true),
    field('status', choice, true),
  ],
};
const parameter = {
  in: 'header',
  name: 'If-Match',
  type: { kind: 'string' },
  isRequired: false,
  description: undefined,
  isDeprecated: false,
  style: 'simple',
  explode: false,
  isJson: false,
} as const;
const detail: Detail = {
  description: undefined,
  deprecated: false,
  access: { isRequired: true, schemes: [], scopes: [] },
  parameters: [parameter],
  bodies: [{ mediaType: 'application/json', type: body, examples: [] }],
  isBodyRequired: true,
  answers: [],
  inputs: () => undefined,
  outputs: () => undefined,
  target: { kind: 'http', method: 'POST', base: '', path: '/tasks', clientName: undefined },
  problems: [],
};
const callers = { identities: ['ada', 'bob'], extras: ['nothing', 'foreign origin'] } as const;
const cases = coveringCasesOf(detail, () => [], callers, 1);
const bodies = cases.map((one) => one.body as Record<string, unknown>);
const valuesOf = (name: string): Set<unknown> => new Set(bodies.map((one) => one[name]));

describe('what every run tries', () => {
  it('has a request without credentials, one with made-up ones, and one with each addition', () => {
    expect(cases.map(({ caller }) => caller)).toEqual(
      expect.arrayContaining(['nobody', 'a stranger', 'ada']),
    );
    expect(cases.filter(({ extra }) => extra === 'foreign origin')).toHaveLength(1);
  });

  it('has both ends of each limit', () => {
    expect([...valuesOf('title')]).toEqual(expect.arrayContaining(['xx', 'x'.repeat(30)]));
    expect([...valuesOf('count')]).toEqual(expect.arrayContaining([3, 9]));
  });

  it('has each choice', () => {
    expect([...valuesOf('isDone')]).toEqual(expect.arrayContaining([true, false]));
    expect([...valuesOf('status')]).toEqual(expect.arrayContaining(['open', 'done', null]));
  });

  it('leaves out all that may be left out', () => {
    const least = cases.filter((one) => Object.keys(one.body as object).length === 1);
    expect(least.some(({ parameters }) => parameters['header If-Match'] === undefined)).toBe(true);
  });

  it('has each telling text that the type allows, also by itself', () => {
    const fitting = TELLING_TEXTS.filter((text) => text.length >= 2 && text.length <= 30);
    expect([...valuesOf('title')]).toEqual(expect.arrayContaining(fitting));
    const [markup] = TELLING_TEXTS;
    const headers = cases.map(({ parameters }) => parameters['header If-Match']);
    const alone = cases.filter((one) => (one.body as { title?: string }).title === markup);
    expect(alone.some(({ parameters }) => parameters['header If-Match'] !== markup)).toBe(true);
    expect(headers).toEqual(expect.arrayContaining(['"fuzz"']));
  });

  it('is valid, as it says', () => {
    expect(cases.filter(({ isValid }) => !isValid)).toEqual([]);
  });
});
