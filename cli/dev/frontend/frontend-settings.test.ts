// Where the frontend of an app is, and what it may import.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AbsolutePath, absolutePath } from '../../../framework/files/absolute-path.js';
import type { Project } from '../../config/load.js';
import { type FrontendSettings, settleFrontend } from './frontend-settings.js';

let root: AbsolutePath;
beforeEach(() => {
  root = absolutePath(mkdtempSync(join(tmpdir(), 'fw-frontend-')));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(folder: string, name: string, text = ''): void {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, name), text);
}

const settle = (dev: Project['settings']['dev']): FrontendSettings | undefined =>
  settleFrontend({ root, settings: { project: {}, generate: {}, dev }, configFile: undefined });

it.each(['ts', 'mts', 'js', 'mjs', 'cts', 'cjs'])('is found by vite.config.%s', (extension) => {
  write('node_modules/vite', 'package.json', '{"bin":{"vite":"bin/vite.js"}}');
  expect(() => settle({ frontend_port: 5173 })).toThrow(/^there is no vite\.config\.ts in /);
  write('web', `vite.config.${extension}`);
  expect(settle({ frontend_port: 5173 })).toEqual({
    root,
    folder: join(root, 'web'),
    allowed: [],
    port: 5173,
    program: join(root, 'node_modules/vite/bin/vite.js'),
  });
});

it('has paths relative to the folder of the app', () => {
  write('node_modules/vite', 'package.json', '{"bin":"vite.js"}');
  write('page', 'vite.config.ts');
  const outside = join(root, '../shared');
  expect(
    settle({ frontend_port: 1, frontend_path: 'page', frontend_allow: ['shared', '../shared', outside] }),
  ).toMatchObject({ folder: join(root, 'page'), allowed: [join(root, 'shared'), outside, outside] });
});

it('is nowhere without a port', () => {
  write('web', 'vite.config.ts');
  expect(settle({ frontend_path: 'web' })).toBeUndefined();
});
