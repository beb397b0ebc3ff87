// Completion: the candidates, and the scripts in the shells that they are for.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument, Command, Option } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtBinary } from '../dev/trial-session.js';
import { packageRoot } from '../process/package-root.js';
import {
  type Candidate,
  candidateLines,
  candidates,
  type KnownWords,
  knownProcedures,
} from './candidates.js';
import { scripts } from './scripts.js';

const made = new Command('new')
  .argument('[name]')
  .option('-t, --template <template>', 'the template')
  .addOption(new Option('--package-manager <pm>').choices(['npm', 'yarn']))
  .addOption(new Option('--git').hideHelp())
  .option('--inspect [port]', 'a debugger')
  .option('--preload <module>', 'a module', (value, all: string[] = []) => [...all, value])
  .option('--output <file>', 'a file')
  .option('--document <file>', 'a file')
  .option('--project <dir>', 'a directory')
  .option('-y, --yes', 'ask nothing');
const completion = new Command('completion').addArgument(new Argument('<shell>').choices(['bash', 'zsh']));
const placeholder = new Command('test').argument('[args...]');
const ofName: Readonly<Record<string, Command>> = { new: made, completion, test: placeholder };
const known: KnownWords = {
  commands: ['new', 'dev', 'routes', 'docs', 'completion', 'upgrade', 'test'].map((name) => ({
    name,
    summary: `about ${name}`,
  })),
  load: async (name) => ofName[name] ?? new Command(name),
  templates: () => [
    { name: 'basic', description: 'small' },
    { name: 'rpc', description: 'typed' },
  ],
  pages: () => [
    { name: 'sessions', title: 'Sessions' },
    { name: 'cli/dev', title: 'fw dev' },
    { name: 'errors/FW_ENV', title: 'FW_ENV' },
  ],
  procedures: () => ['addTask', 'tasks.list'],
};
const texts = (found: readonly Candidate[]): string[] =>
  found.map((one) => ('paths' in one ? `:${one.paths}` : one.word));

describe('candidates', () => {
  it.each<[words: string[], expected: string[]]>([
    [[], ['new', 'dev', 'routes', 'docs', 'completion', 'upgrade', 'test']],

    [[''], ['new', 'dev', 'routes', 'docs', 'completion', 'upgrade', 'test']],

    [['n'], ['new']],
    [['-'], ['--help', '--version']],
    [['help', 'de'], ['dev']],
    [['dev', '--', ''], [':files']],
    [['dev', '--open', '--', 'a', '--s'], [':files']],
    [['new', '--', ''], [':directories']],
    [['help', 'dev', ''], []],
    [
      ['docs', ''],
      ['sessions', 'cli/dev'],
    ],
    [['docs', 'FW'], ['FW_ENV']],
    [['docs', 'upload', 'ses'], ['sessions']],
    [['unknown', ''], []],
    [['new', ''], [':directories']],
    [['test', '--run', ''], [':files']],
    [
      ['new', 'app', '--template', ''],
      ['basic', 'rpc'],
    ],
    [['new', '-t', 'r'], ['rpc']],
    [['new', '-t', './st'], [':files']],
    [
      ['new', '--package-manager', ''],
      ['npm', 'yarn'],
    ],
    [['new', '--output', ''], [':files']],
    [['new', '--document', ''], [':files']],
    [['new', '--project', ''], [':directories']],
    [['new', '--preload', ''], [':files']],
    [['new', '--inspect', ''], [':directories']],
    [
      ['new', '-'],
      [
        ...['--template', '--package-manager', '--inspect', '--preload', '--output', '--document'],
        ...['--project', '--yes', '--help'],
      ],
    ],
    [['new', '--preload', 'a', '-y', '--te'], ['--template']],
    [['new', '--template', 'rpc', '--te'], []],
    [['new', '--preload', 'a', '--pre'], ['--preload']],
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
    [['upgrade', ''], [':files']],
  ])('after fw %j', async (words, expected) => {
    expect(texts(await candidates(words, known))).toEqual(expected);
  });
});

describe('candidateLines', () => {
  it('has no word that a shell or a script could take for something else', () => {
    const words = ['addTask', 'tasks.list', '--yes', '-y', '@a/b', '_x', 'x9'];
    const hostile = [
      '$(touch$IFS.PWNED)',
      '`x`',
      'a\nb',
      ':files',
      'a b',
      'a;b',
      'a$b',
      '$x',
      '~',
      '*',
      'a:b',
      '\u001b',
      '',
    ];
    const found = [...words, ...hostile].map((word) => ({ word }));
    expect(candidateLines(found).split('\n').slice(0, -1)).toEqual(words);
    expect(candidateLines([{ word: 'a', description: 'one\n:files\u001b' }])).toBe('a\tone :files \n');
    expect(candidateLines([{ paths: 'files' }])).toBe(':files\n');
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

  function run(shell: string, code: string, cwd = join(packageRoot(), 'templates/rpc')): string[] {
    const { stdout, stderr } = spawnSync(shell, ['-c', code], {
      encoding: 'utf8',
      cwd,
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
    // Also of an installed version that offers more.
    const offer = `printf '%s\\n' 'ok\\tx' '$(touch PWNED)' 'a b' '~' 'a;b'`;
    const old = `compopt() { :; }; source ${folder}/bash; old() { ${offer}; }; COMP_WORDS=(old ''); COMP_CWORD=1; _fw; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(run('bash', old.replace('\\t', '\t'))).toEqual(['ok']);
  });

  it.skipIf(!has('bash'))('of bash names files without compopt, as on macOS', () => {
    const place = join(folder, 'files');
    mkdirSync(join(place, 'out-dir'), { recursive: true });
    for (const name of ['output.ts', 'out$(touch PWNED)', 'out a', 'other'])
      writeFileSync(join(place, name), '');
    const complete = (words: string): string[] =>
      run(
        'bash',
        `enable -n compopt; source ${folder}/bash; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _fw; printf '%s\\n' "\${COMPREPLY[@]}"`,
        place,
      ).sort();
    expect(complete('fw generate --output out')).toEqual(['out-dir', 'output.ts']);
    expect(complete('fw new out')).toEqual(['out-dir']);
  });

  it.each(['bash', 'zsh', 'fish'].filter(has))('of %s offer no hostile name of a procedure', (shell) => {
    const app = join(folder, `hostile-${shell}`);
    mkdirSync(join(app, 'src'), { recursive: true });
    writeFileSync(join(app, 'package.json'), '{}');
    const names = [
      'fine.one',
      '$(touch$IFS.PWNED)',
      'x\n:files',
      ':files',
      '`touch PWNED`',
      'a b',
      'a;touch PWNED',
    ];
    const procedures = Object.fromEntries(names.map((name) => [name, []]));
    writeFileSync(join(app, 'src/rpc-contract.json'), JSON.stringify({ procedures }));
    const code = {
      bash: `source ${folder}/bash; COMP_WORDS=(fw routes ''); COMP_CWORD=2; _fw; printf '%s\\n' "\${COMPREPLY[@]}"`,
      zsh: `compdef() {}; _files() { print files }; _describe() { print -l -- "\${(@P)2}" }; source ${folder}/zsh; words=(fw routes ''); CURRENT=3; _fw`,
      fish: `source ${folder}/fish; complete -C 'fw routes '`,
    };
    expect(run(shell, code[shell as 'bash'], app)).toEqual(['fine.one']);
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

  // PowerShell is not there: what it runs is tried, and what it reads is looked at.
  it('of PowerShell: fw takes the words from a variable', async () => {
    const binary = await builtBinary();
    const complete = (...words: readonly string[]): string[] => {
      const { FW_COMPLETE: _, ...env } = process.env;
      // Without text, PowerShell has no variable.
      if (words.join('') !== '') env.FW_COMPLETE = words.join('\n');
      const { stdout } = spawnSync(process.execPath, [binary, 'complete'], {
        encoding: 'utf8',
        cwd: join(packageRoot(), 'templates/rpc'),
        env,
      });
      return stdout.trim().split('\n');
    };
    expect(complete('ne')).toEqual(['new\tCreate an app from a template']);
    expect(complete('')).toContain('new\tCreate an app from a template');
    expect(complete('routes', '')).toContain('onTaskChanged');
    expect(complete('generate', '--output', '')).toEqual([':files']);
    expect(complete('dev', '--', 'a&calc')).toEqual([':files']);
  });

  it('of PowerShell is one that version 5.1 reads', () => {
    const text = scripts.powershell;
    const code = text.replace(/^ *#.*$/gm, '').replace(/"[^"]*"|'[^']*'/g, "''");
    expect(code).toMatch(/^\s*Register-ArgumentCompleter -Native -CommandName fw -ScriptBlock \{/);
    const stack: string[] = [];
    const ends: Readonly<Record<string, string>> = { '}': '{', ')': '(', ']': '[' };
    for (const char of code) {
      if ('{(['.includes(char)) stack.push(char);
      else if (char in ends) expect(stack.pop()).toBe(ends[char]);
    }
    expect(stack).toEqual([]);
    // Operators of later versions.
    expect(code).not.toMatch(/&&|\|\||\?\?|\?\s[^:]*:\s/);
    expect(text).toContain('-join "`n"');
    // Nothing that was typed is an argument.
    expect(code).toContain('& $line.GetCommandName() complete 2>$null');
  });
});
