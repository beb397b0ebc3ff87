// The page of the documentation lists the cases as they are.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { conformancePage } from './report.js';

it('is current; if not: npx tsx .ci/autobahn.ts --update', () => {
  const page = new URL('../../docs/websocket-conformance.md', import.meta.url);
  expect(readFileSync(page, 'utf8')).toBe(conformancePage());
});
