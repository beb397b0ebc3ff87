// Completion: the candidates, and the scripts in the shells that they are for.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument, Command, Option } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtBinary } from '../dev/trial-session.js';
import { packageRoot } from '../process/package-root.js';
import { type Candidate, candidates, type KnownWords } from './candidates.js';
import { knownProcedures } from './known-procedures.js';
import { scripts } from './scripts.js';

const made = new Command('new')
  .argument('[name]')
  .option('-t, --template <template>', 'the template')
  .addOption(new Option('--package-manager <pm>').choices(['npm', 'yarn']))
  .addOption(new Option('--git').hideHelp())
  .option('--inspect [port]', 'a debugger')
  .option('--preload <module>', 'a module', (value, all: string[] = []) => [...all, value])
  .option('--output <file>', 'a file')
  .option('-y, --yes', 'ask nothing');
const completion = new Command('completion').addArgument(new Argument('<shell>').choices(['bash', 'zsh']));
const known: KnownWords = {
  commands: ['new', 'dev', 'routes', 'completion'].map((name) => ({ name, summary: `about ${name}` })),
  load: async (name) => (name === 'new' ? made : name === 'completion' ? completion : new Command(name)),
  templates: () => [
    { name: 'basic', description: 'small' },
    { name: 'rpc', description: 'typed' },
  ],
  procedures: () => ['addTask', 'tasks.list'],
};
const texts = (found: readonly Candidate[]): string[] =>
  found.map((one) => ('paths' in one ? `:${one.paths}` : one.word));

describe('candidates', () => {
  it.each<[words: string[], expected: string[]]>([
    [[], ['new', 'dev', 'routes', 'completion']],
    [[''], ['new', 'dev', 'routes', 'completion']],
    [['n'], ['new']],
    [['-'], ['--help', '--version']],
    [['help', 'd'], ['dev']],
    [['help', 'dev', ''], []],
    [['unknown', ''], []],
    [['new', ''], [':directories']],
    [
      ['new', 'app', '--template', ''],
      ['basic', 'rpc'],
    ],
    [['new', '-t', 'r'], ['rpc']],
    [
      ['new', '--package-manager', ''],
      ['npm', 'yarn'],
    ],
    [['new', '--output', ''], [':files']],
    [['new', '--inspect', ''], [':directories']],
    [
      ['new', '-'],
      ['--template', '--package-manager', '--inspect', '--preload', '--output', '--yes', '--help'],
    ],
    [['new', '--preload', 'a', '-y', '--te'], ['--template']],
    [['new', '--template', 'rpc', '--te'], []],
    [['new', '--preload', 'a', '--pr'], ['--preload']],
    [
      ['routes', ''],
      ['addTask', 'tasks.list'],
    ],
    [['routes', 'tasks.'], ['tasks.list']],
    [
      ['completion', ''],
      ['bash', 'zsh'],
    ],
    [['dev', 'x', ''], []],
  ])('after fw %j', async (words, expected) => {
    expect(texts(await candidates(words, known))).toEqual(expected);
  });
});

describe('the procedures of an app', () => {
  let root: string;
  const template = join(packageRoot(), 'templates/rpc');
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'fw-completion-'));
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, 'package.json'), '{}');
    writeFileSync(join(root, 'fw.toml'), '[generate]\noutput_path = "src/client.ts"\n');
    writeFileSync(join(root, 'src/generate-client.ts'), '');
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('are those of the client, else of the contract, else none', () => {
    expect(knownProcedures(root)).toEqual([]);
    writeFileSync(join(root, 'src/rpc-contract.json'), '{"procedures":{"fromContract":[]}}');
    expect(knownProcedures(root)).toEqual(['fromContract']);
    writeFileSync(join(root, 'src/client.ts'), readFileSync(join(template, 'src/client.ts')));
    expect(knownProcedures(root)).toContain('countTasks');
    writeFileSync(join(root, 'src/client.ts'), 'not a client');
    expect(knownProcedures(root)).toEqual([]);
  });
});

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

describe('the scripts', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fw-shells-'));
    writeFileSync(
      join(folder, 'fw'),
      `#!/bin/sh\nexec "${process.execPath}" "${await builtBinary()}" "$@"\n`,
      { mode: 0o755 },
    );
    for (const [shell, text] of Object.entries(scripts)) writeFileSync(join(folder, shell), text);
    symlinkSync(join(packageRoot(), 'templates'), join(folder, 'templates'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function run(shell: string, code: string): string[] {
    const { stdout, stderr } = spawnSync(shell, ['-c', code], {
      encoding: 'utf8',
      cwd: join(packageRoot(), 'templates/rpc'),
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, HOME: folder },
    });
    expect(stderr).toBe('');
    return stdout.trim().split('\n');
  }

  it.skipIf(!has('bash'))('of bash', () => {
    const complete = (words: string): string[] =>
      run(
        'bash',
        `compopt() { echo "$@"; }; source ${folder}/bash; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _fw; printf '%s\\n' "\${COMPREPLY[@]}"`,
      );
    expect(complete('fw ne')).toEqual(['new']);
    expect(complete("fw routes ''")).toContain('onTaskChanged');
    expect(complete("fw generate --output ''")).toEqual(['-o default']);
  });

  it.skipIf(!has('zsh'))('of zsh', () => {
    const complete = (words: string): string[] =>
      run(
        'zsh',
        `compdef() {}; _files() { print files "$@" }; _describe() { print -l -- "\${(@P)2}" }; source ${folder}/zsh; words=(${words}); CURRENT=$#words; _fw`,
      );
    expect(complete('fw ne')).toEqual(['new:Create an app from a template']);
    expect(complete("fw routes ''")).toContain('onTaskChanged');
    expect(complete("fw generate --project ''")).toEqual(['files -/']);
  });

  it.skipIf(!has('fish'))('of fish', () => {
    const complete = (line: string): string[] => run('fish', `source ${folder}/fish; complete -C "${line}"`);
    expect(complete('fw ne')).toEqual(['new\tCreate an app from a template']);
    expect(complete('fw routes ')).toContain('onTaskChanged');
    expect(complete('fw generate --output fw.t')).toEqual(['fw.toml']);
  });
});
