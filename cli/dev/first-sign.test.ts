// At the first sign of a save, its build begins, whose result runs only if the save is complete.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTrialApp, type TrialApp } from './trial-app.js';

const leaf = (value: string): string => `export const leaf: string = '${value}';`;

let app: TrialApp;
beforeEach(async () => {
  app = await startTrialApp({
    'src/main.ts': `import http from 'node:http';
      import { leaf } from './leaf.ts';
      http.createServer((request, response) => response.end(leaf)).listen(4567);`,
    'src/leaf.ts': leaf('old'),
  });
});
afterEach(() => app.close());

function firstSign(value: string): string {
  const file = app.write('src/leaf.ts', leaf(value));
  app.supervisor.expectChange(file);
  return file;
}

async function answer(): Promise<string> {
  return (await app.get('/')).text;
}

it.each([
  ['undone', 'old', 'old'],
  ['written again', 'complete', 'complete'],
])('a change does not run that is %s before it is complete', async (_what, value, expected) => {
  firstSign('first sign');
  await app.save('src/leaf.ts', leaf(value));
  expect(await answer()).toBe(expected);
});

it('a change does not run that turns out to be none', async () => {
  firstSign('first sign');
  app.write('src/leaf.ts', leaf('old'));
  app.supervisor.expectNothing();
  expect(await answer()).toBe('old');
  await app.save('src/leaf.ts', leaf('old'));
  expect(await answer()).toBe('old');
});

it('a change that V8 cannot compile, and esbuild can, is reported, and no older code runs in its place', async () => {
  const broken = `${leaf('broken')} /[b-a]/.exec(leaf);`;
  const file = app.write('src/leaf.ts', broken);
  app.supervisor.expectChange(file);
  const before = app.supervisor.live;
  app.supervisor.change({ what: 'saved', files: [file], rebuild: true, environment: false, began: 0 });
  await app.supervisor.idle();
  expect(app.printed()).toContain('Range out of order in character class');
  expect(app.supervisor.live).toBe(before);
  await app.save('src/leaf.ts', leaf('fixed'));
  expect(await answer()).toBe('fixed');
});
