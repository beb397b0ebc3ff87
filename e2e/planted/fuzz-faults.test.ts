// The fuzz tests of the templates find at least forty of the fifty faults that are planted into copies of them.
import { expect, it } from 'vitest';
import { findFaults, LEAST_FOUND, plantedText } from './find-faults.js';

it('finds most of the planted faults', async () => {
  const results = await findFaults();
  expect(results).toHaveLength(50);
  const found = results.filter((one) => one.found !== undefined);
  expect(found.length, plantedText(results)).toBeGreaterThanOrEqual(50 * LEAST_FOUND);
}, 1_200_000);
