// Which line of the app ran a statement.
import { expect, it } from 'vitest';
import { appPlaceIn } from './steps.js';

it('finds the first frame of the app behind those of packages and of Node.js', () => {
  const frames = [
    'at execute (file:///app/node_modules/kysely/dist/query.js:10:5)',
    'at async node:internal/process/task_queues:95:5',
    'at async requireList (file:///app/src/lists (old)/lists.ts:70:16)',
    'at async file:///app/src/rpc.ts:3:1',
  ];
  const stack = (from: number) =>
    `Error\n${frames
      .slice(from)
      .map((one) => `    ${one}`)
      .join('\n')}`;
  expect(appPlaceIn(stack(0))).toBe('file:///app/src/lists (old)/lists.ts:70:16');
  expect(appPlaceIn(stack(3))).toBe('file:///app/src/rpc.ts:3:1');
  expect([appPlaceIn('Error'), appPlaceIn(undefined)]).toEqual([undefined, undefined]);
});
