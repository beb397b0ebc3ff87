import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { makeProject } from '../dev/trial-app.js';
import { pollEvery, pollingInterval } from './polling.js';
import { Watcher } from './watch.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  [{}, undefined],
  [{ CHOKIDAR_USEPOLLING: '1' }, 300],
  [{ CHOKIDAR_USEPOLLING: 'true', CHOKIDAR_INTERVAL: '500' }, 500],
  [{ CHOKIDAR_USEPOLLING: 'false', CHOKIDAR_INTERVAL: '500' }, undefined],
  [{ CHOKIDAR_USEPOLLING: '0' }, undefined],
])('the variables %j mean an interval of %s', (env, interval) => {
  expect(pollingInterval(env)).toBe(interval);
});

it('sees changes where the system reports none', async () => {
  vi.stubEnv('CHOKIDAR_USEPOLLING', '');
  vi.stubEnv('CHOKIDAR_INTERVAL', '');
  pollEvery(undefined);
  expect(pollingInterval()).toBeUndefined();
  pollEvery(50);
  expect(pollingInterval()).toBe(50);
  const root = makeProject({ 'src/main.ts': 'one' });
  let seen: (files: string[]) => void = () => {};
  const changed = new Promise<string[]>((resolve) => {
    seen = resolve;
  });
  const watcher = await Watcher.open({
    root,
    configFile: undefined,
    onFirst: () => {},
    onNothing: () => {},
    onProblem: (text) => {
      throw new Error(text);
    },
    onChange: (files) => seen(files),
  });
  // What is written before the first look is nothing new to it.
  let count = 0;
  const writing = setInterval(() => {
    count += 1;
    writeFileSync(join(root, 'src/main.ts'), `text ${count}`);
  }, 200);
  try {
    expect(await changed).toEqual([join(root, 'src/main.ts')]);
  } finally {
    clearInterval(writing);
    await watcher.close();
    rmSync(root, { recursive: true });
  }
});
