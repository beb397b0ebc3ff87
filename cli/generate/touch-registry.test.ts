// The touch speaks to the package as it is: where that changes, this fails and not silently the warm-up.
import { expect, it, vi } from 'vitest';
import { touchRegistry } from './touch-registry.js';

it('runs through the registry without a word', async () => {
  const asked: string[] = [];
  const load = (specifier: string): Promise<unknown> => {
    asked.push(specifier);
    return import('../../framework/rpc/index.js');
  };
  const said = ['log', 'warn', 'error'].map((name) => vi.spyOn(console, name as 'log'));
  await touchRegistry(load, ['fw/rpc', 'zod', 'other']);
  expect(asked).toEqual(['fw/rpc']);
  for (const spy of said) expect(spy).not.toHaveBeenCalled();
});

it('leaves an app without a registry alone', async () => {
  await touchRegistry(() => Promise.reject(new Error('loaded')), ['zod']);
});
