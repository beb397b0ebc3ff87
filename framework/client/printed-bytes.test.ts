// What is printed for every combination of what a client can have, by its hash. After a change that is meant:
// npx vitest run --project 'unit*' framework/client/printed-bytes.test.ts -u
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { options, rest } from '../conformance/checked-client.js';
import { combinations } from '../conformance/client-combinations.js';
import { printClient } from './print-client.js';
import { printDeclaredClient } from './print-declared-client.js';
import { printQueries } from './print-queries.js';

it('prints the same bytes as before', async () => {
  const hash = (text: string): string =>
    `${createHash('sha256').update(text).digest('hex').slice(0, 16)} ${Buffer.byteLength(text)}`;
  const lines = combinations().flatMap(([name, types]) => [
    ...[options, rest].flatMap((mode) => [
      `${mode.mode}, ${name}: ${hash(printClient(types, mode))}`,
      `${mode.mode}, ${name}, declarations: ${hash(printDeclaredClient(types, mode))}`,
    ]),
    `queries, ${name}: ${hash(printQueries(types, { client: './client.js', version: '0.9.0' }))}`,
  ]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('printed-bytes.txt');
});
