// What the page shows beside requests: the environment, fw.toml, what changed in the contract, and the editor.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeProject } from '../trial-app.js';
import { configInfo } from './app-facts.js';
import { contractChanges } from './contract-changes.js';
import { openInEditor } from './open-editor.js';

let root: string;
beforeEach(() => {
  root = makeProject({});
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

it('shows the values of fw.toml with their lines, and defaults without', () => {
  const file = join(root, 'fw.toml');
  writeFileSync(file, '[project]\nname = "shop"\n\n[dev]\nbackend_port = 4000\n');
  expect(configInfo(root, file)).toEqual([
    { key: 'project.name', value: 'shop', place: { file: 'fw.toml', line: 2, column: 1 } },
    { key: 'dev.backend_port', value: '4000', place: { file: 'fw.toml', line: 5, column: 1 } },
    { key: 'dev.host', value: '127.0.0.1' },
    { key: 'dev.hot_reload', value: 'true' },
  ]);
  writeFileSync(file, 'not toml');
  expect(configInfo(root, file).map(({ key }) => key)).not.toContain('project.name');
});

it('tells what changed in the contract since the last commit', async () => {
  const contract = join(root, 'contract.json');
  expect(await contractChanges({ contract })).toBeUndefined();
  const write = (procedures: object) =>
    writeFileSync(contract, JSON.stringify({ version: 2, procedures, named: {} }));
  write({
    gone: ['query', 'unknown', 'string'],
    get: ['query', '{ id: string }', 'string'],
    same: ['query', 'unknown', 'number'],
  });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  git('init');
  expect(await contractChanges({ contract })).toBeUndefined();
  git('add', 'contract.json');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-m', 'first');
  expect(await contractChanges({ contract })).toEqual([]);
  write({
    get: ['query', '{ id: number }', 'string'],
    new: ['mutation', 'unknown', 'string'],
    same: ['query', 'unknown', 'number'],
  });
  expect(await contractChanges({ contract })).toEqual([
    { procedure: 'get', kind: 'changed', isBreaking: true, lines: ['input.id: was string, is number'] },
    { procedure: 'gone', kind: 'removed', isBreaking: true, lines: ['the query was removed'] },
    { procedure: 'new', kind: 'added', isBreaking: false, lines: ['new mutation'] },
  ]);
});

it('opens files of the project alone, in the editor that a variable names', async () => {
  const log = join(root, 'opened.txt');
  const editor = join(root, 'my-editor');
  writeFileSync(editor, `#!/bin/sh\necho "$@" > '${log}'\n`);
  chmodSync(editor, 0o755);
  vi.stubEnv('LAUNCH_EDITOR', editor);
  const inside = join(root, 'inside');
  mkdirSync(inside);
  writeFileSync(join(inside, 'a.ts'), '');
  symlinkSync(join(root, 'package.json'), join(inside, 'link.ts'));
  await openInEditor({ file: 'a.ts', line: 3, column: 2 }, inside);
  await expect
    .poll(() => existsSync(log) && readFileSync(log, 'utf8'))
    .toContain(join(realpathSync(inside), 'a.ts'));
  for (const file of ['../package.json', 'link.ts', 'gone.ts', '.', '/etc/passwd', 7]) {
    await expect(openInEditor({ file }, inside)).rejects.toThrow(/there is no file|give \{ file/);
  }
  await expect(openInEditor({ file: 'a.ts', line: '1; rm' }, inside)).rejects.toThrow('give { file');
  vi.stubEnv('LAUNCH_EDITOR', '/usr/bin/vim');
  await expect(openInEditor({ file: 'a.ts' }, inside)).rejects.toThrow('vim needs the terminal');
  vi.stubEnv('LAUNCH_EDITOR', join(root, 'missing'));
  await expect(openInEditor({ file: 'a.ts' }, inside)).rejects.toThrow('set EDITOR');
});
