// touchRegistry calls the package as it is: if the package changes, this test fails, and not silently the warm-up.
import { expect, it, vi } from 'vitest';
import { touchRegistry } from './touch-registry.js';

it('calls the registry without output', async () => {
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

it('ignores an app without a registry', async () => {
  await touchRegistry(() => Promise.reject(new Error('loaded')), ['zod']);
});
