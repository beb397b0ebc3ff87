// The fuzz tests of the templates find most of the faults that are planted into copies of them. Here every fifth fault is
// planted, which takes a minute; `npm run fuzz:faults`, which runs every night, plants all of them.
import { expect, it } from 'vitest';
import { faults } from './faults.js';
import { findFaults, LEAST_FOUND, plantedText } from './find-faults.js';

const some = faults.filter((_fault, index) => index % 5 === 2);

it('finds most of the planted faults', async () => {
  const results = await findFaults(some);
  expect(results).toHaveLength(10);
  const found = results.filter((one) => one.found !== undefined);
  expect(found.length, plantedText(results)).toBeGreaterThanOrEqual(some.length * LEAST_FOUND);
}, 1_200_000);
