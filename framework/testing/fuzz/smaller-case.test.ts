// A request that fails is made smaller for as long as it fails.
import { expect, it } from 'vitest';
import type { FuzzCase } from './fuzz-case.js';
import { smallerCase } from './smaller-case.js';

const one: FuzzCase = {
  caller: 'ada',
  isValid: true,
  parameters: { 'path id': 'abcdef', 'query page': 1000 },
  body: { tags: ['one', 'two', 'three'], size: 64, inner: { name: 'long name', isDone: true } },
  mediaType: 'application/json',
  broken: undefined,
  extra: 'foreign origin',
};

it('drops what does not matter', async () => {
  const fails = async ({ body }: FuzzCase) => (body as { size?: number }).size !== undefined;
  const smallest = await smallerCase(one, fails);
  expect(smallest).toEqual({
    ...one,
    parameters: { 'path id': undefined, 'query page': undefined },
    body: { size: 0 },
    extra: 'nothing',
  });
});

it('keeps what does, deep inside too', async () => {
  const fails = async ({ body, extra }: FuzzCase) => {
    const { tags = [], inner } = body as { tags?: string[]; inner?: { name?: string } };
    return extra === 'foreign origin' && tags.length > 1 && (inner?.name?.length ?? 0) > 3;
  };
  const { body, extra } = await smallerCase(one, fails);
  expect(extra).toBe('foreign origin');
  expect(body).toEqual({ tags: ['', ''], inner: { name: 'long' } });
});

it('leaves a body that is broken as it is', async () => {
  const broken = { ...one, body: undefined, broken: ['text/plain', '{}'] as const };
  expect(await smallerCase(broken, async () => true)).toEqual({ ...broken, extra: 'nothing' });
});

it('ends if everything fails, or nothing does', async () => {
  let tries = 0;
  const big = { ...one, body: Array.from({ length: 2000 }, () => 'text') };
  await smallerCase(big, async () => {
    tries += 1;
    return true;
  });
  expect(tries).toBeLessThanOrEqual(300);
  expect(await smallerCase(one, async () => false)).toBe(one);
});
