// Which line of the app ran a statement.
import { expect, it } from 'vitest';
import { appPlaceIn, Steps, shownParameters } from './steps.js';

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

it('leaves out the line in which the framework has printed the error of the request', () => {
  const steps = new Steps();
  const line = (message: string) =>
    ({ time: 0, level: 'error', message, fields: {}, span: {}, from: 'app' }) as const;
  const report = 'GET / → 500 Error: broken';
  steps.log(line(report), () => 'file:///app/node_modules/fw/dist/chunks/app.js:1:2');
  steps.log(line(report), () => 'file:///app/src/app.ts:1:2');
  steps.log(line('a package says so'), () => 'file:///app/node_modules/other/index.js:1:2');
  steps.log(line(report));
  expect(steps.raw(0).log.map(({ message, place }) => [message, place])).toEqual([
    [report, 'file:///app/src/app.ts:1:2'],
    ['a package says so', 'file:///app/node_modules/other/index.js:1:2'],
    [report, undefined],
  ]);
});

it('shows whatever is given as a parameter, and bytes by their number', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const [first, ...others] = shownParameters({ sql: 'select ?', parameters: [proxy, Buffer.from('abc'), 1] });
  expect(Object.is(first, proxy)).toBe(true);
  expect(others).toEqual(['3 bytes', 1]);
});
