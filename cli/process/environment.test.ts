// The variables of an app from `.env` and the shell.
import { rmSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { makeProject } from '../dev/trial-app.js';
import { envFileFaults, readEnvironment } from './environment.js';

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

it('have no `export` in their names, with a value and without one', () => {
  root = makeProject({ '.env': 'export A=\nexport B=2\nexport\tC=\n' });
  expect(readEnvironment(root, {}, 'linux')).toEqual({ A: '', B: '2', C: '' });
});

it('leave out those with a NUL, by which no process could be started', () => {
  root = makeProject({ '.env': 'A=1\nB=x\0y\nC\0D=2\nE=3\n' });
  expect(readEnvironment(root, {}, 'linux')).toEqual({ A: '1', E: '3' });
});

const NOT_READ = 'is not read: write NAME=value, or begin a comment with #';

it.each([
  ['A=1\n\n# b\nexport C=\nD = "x # y"\nE="a\nb"\nF=\'x\r\nG=\'\r\nH.i-j=2\n', []],
  ['A=a\u2028b\nB="a\u2029\nb"\n', []],
  ['A=1\nSECRET\n', [`.env:2 ${NOT_READ}`]],
  ['A: secret\n', [`.env:1 ${NOT_READ}`]],
  ['=secret', [`.env:1 ${NOT_READ}`]],
  ['set A=secret', [`.env:1 ${NOT_READ}`]],
  ['A="secret\n', ['.env:1 has a value whose quotation mark is not closed: close it, or remove it']],
  ['A=se\0cret\n', ['.env:1 is not read: remove the NUL character from the value']],
  ['A\0B=secret\n', ['.env:1 is not read: remove the NUL character from the name']],
])('says what is not understood in .env, without values: %j', (text, faults) => {
  root = makeProject({ '.env': text });
  expect(envFileFaults(root)).toEqual(faults);
});

it('says which variables are lost by the line above them', () => {
  root = makeProject({ '.env': 'A\nB=secret\n' });
  const [first, second] = envFileFaults(root);
  expect(first).toBe(`.env:1 ${NOT_READ}`);
  // Newer versions of Node.js read it.
  if (readEnvironment(root, {}, 'linux').B === undefined)
    expect(second).toMatch(/^\.env:2 is not read, because/);
  else expect(second).toBeUndefined();
});

it('says that .env cannot be read', () => {
  root = makeProject({ '.env/a': '' });
  expect(envFileFaults(root)).toEqual(['.env cannot be read: EISDIR']);
});
