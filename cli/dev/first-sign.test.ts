// At the first sign of a save, the process that will run it links the modules, which run when the save is complete.
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { WorkerProcess } from '../process/worker-process.js';
import { startTrialApp, type TrialApp } from './trial-app.js';

const leaf = (value: string): string => `export const leaf: string = '${value}';`;

const { link } = WorkerProcess.prototype;

let app: TrialApp;
let linked: MockInstance<typeof link>;
beforeEach(async () => {
  const learned = vi.spyOn(WorkerProcess.prototype, 'learn');
  linked = vi.spyOn(WorkerProcess.prototype, 'link');
  app = await startTrialApp({
    'src/main.ts': `import http from 'node:http';
      import { leaf } from './leaf.ts';
      http.createServer((request, response) => response.end(leaf)).listen(4567);`,
    'src/leaf.ts': leaf('old'),
  });
  await expect.poll(() => learned.mock.calls.length, { timeout: 5000 }).toBe(2);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
});

async function firstSign(value: string): Promise<string> {
  const file = app.write('src/leaf.ts', leaf(value));
  app.supervisor.expectChange(file);
  await expect.poll(() => linked.mock.calls.length, { timeout: 5000 }).toBe(1);
  return file;
}

async function answer(): Promise<string> {
  return (await app.get('/')).text;
}

it('the process links the changed module, gets it only once, and runs it', async () => {
  linked.mockImplementation(function marked(this: WorkerProcess, order) {
    // What the process has linked differs from what it would be sent again.
    const codes = order.modules.map(({ code }) => code);
    for (const one of order.modules) Object.assign(one, { code: one.code.replace('unmarked', 'linked') });
    link.call(this, order);
    order.modules.forEach((one, index) => void Object.assign(one, { code: codes[index] }));
  });
  const file = await firstSign('unmarked');
  app.supervisor.change({ what: 'saved', files: [file], rebuild: true, environment: false, began: 0 });
  await app.supervisor.idle();
  expect(await answer()).toBe('linked');
  expect(app.supervisor.live).toBe(linked.mock.contexts[0]);
});

it.each([
  ['undone', 'old', 'old'],
  ['written again', 'complete', 'complete'],
])('a change does not run that is %s before it is complete', async (_what, value, expected) => {
  await firstSign('first sign');
  await app.save('src/leaf.ts', leaf(value));
  expect(await answer()).toBe(expected);
});

it('a change does not run that turns out to be none', async () => {
  await firstSign('first sign');
  app.write('src/leaf.ts', leaf('old'));
  app.supervisor.expectNothing();
  expect(await answer()).toBe('old');
  await app.save('src/leaf.ts', leaf('old'));
  expect(await answer()).toBe('old');
});

it('nothing is linked for a change that is complete before its compilation', async () => {
  app.supervisor.expectChange(app.write('src/leaf.ts', leaf('new')));
  await app.save('src/leaf.ts', leaf('new'));
  expect(await answer()).toBe('new');
  expect(linked).not.toHaveBeenCalled();
});

it('a change that V8 cannot compile, and esbuild can, is reported, and no older code runs in its place', async () => {
  const broken = `${leaf('broken')} /[b-a]/.exec(leaf);`;
  const file = app.write('src/leaf.ts', broken);
  app.supervisor.expectChange(file);
  await expect.poll(() => linked.mock.calls.length, { timeout: 5000 }).toBe(1);
  const before = app.supervisor.live;
  app.supervisor.change({ what: 'saved', files: [file], rebuild: true, environment: false, began: 0 });
  await app.supervisor.idle();
  expect(app.printed()).toContain('Range out of order in character class');
  expect(app.supervisor.live).toBe(before);
  await app.save('src/leaf.ts', leaf('mended'));
  expect(await answer()).toBe('mended');
});
