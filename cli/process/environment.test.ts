// The variables of an app from `.env` and the shell.
import { rmSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { makeProject } from '../dev/trial-app.js';
import { readEnvironment } from './environment.js';

let root: string;
afterEach(() => rmSync(root, { recursive: true }));

const shell = { port: '4000', Path: 'C:\\bin', API_key: 'shell', node_options: '--inspect --no-warnings' };
const file = { '.env': 'PORT=3000\nApi_Key=file\nother=1\n' };

it('are the same in any case on Windows, where those of the shell count', () => {
  root = makeProject(file);
  expect(readEnvironment(root, shell, 'win32')).toEqual({
    PORT: '4000',
    PATH: 'C:\\bin',
    Api_Key: 'shell',
    other: '1',
    NODE_OPTIONS: '--no-warnings',
  });
});

it('differ by case elsewhere', () => {
  root = makeProject(file);
  expect(readEnvironment(root, shell, 'linux')).toEqual({
    ...shell,
    PORT: '3000',
    Api_Key: 'file',
    other: '1',
  });
});
