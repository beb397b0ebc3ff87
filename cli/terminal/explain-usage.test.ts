import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { command as dev } from '../commands/dev.js';
import { command as generate } from '../commands/generate.js';
import { command as make } from '../commands/new.js';
import { UsageError } from './errors.js';
import { explainUsage } from './explain-usage.js';

async function explained(command: Command, name: string, args: readonly string[]): Promise<UsageError> {
  command
    .name(name)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  const error = await command.parseAsync(args, { from: 'user' }).catch((thrown: unknown) => thrown);
  return explainUsage(error, command) as UsageError;
}

describe('an option that fw dev does not have', () => {
  it.each([
    [['-p', '4000'], 'did you mean --port or --preload?'],
    [['-o'], 'did you mean --open? All options: fw dev --help'],
    [['-O'], 'did you mean --open?'],
    [['-H', '0.0.0.0'], 'did you mean --host?'],
    [['--hostname=0.0.0.0'], 'did you mean --host?'],
    [['--debug'], 'did you mean --inspect?'],
    [['--watch'], 'fw dev reloads on every change without an option; see: fw dev --help'],
    [['--entry', 'x.ts'], 'in fw.toml: [dev] entry'],
  ])('%j leads to what does the same', async (args, help) => {
    const error = await explained(dev, 'fw dev', args);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toBe(`unknown option '${args[0]?.split('=')[0]}'`);
    expect(error.help).toContain(help);
  });

  it.each([['--frobnicate'], ['--private'], ['-z']])('%s stays unknown', async (flag) => {
    const error = await explained(dev, 'fw dev', [flag]);
    expect(error.message).toBe(`error: unknown option '${flag}'`);
  });

  it('leads only to options of that command', async () => {
    expect((await explained(make, 'fw new', ['--skip-install'])).help).toContain('--no-install');
    expect((await explained(generate, 'fw generate', ['--hostname'])).help).toBeUndefined();
    expect((await explained(generate, 'fw generate', ['--hot'])).help).toBeUndefined();
  });
});

describe('an option without its value', () => {
  it('is described', async () => {
    const error = await explained(dev, 'fw dev', ['--host']);
    expect(error.message).toBe('the option --host needs a value');
    expect(error.help).toContain('0.0.0.0');
  });
});

describe('words', () => {
  it('fw generate says what it writes', async () => {
    const error = await explained(generate, 'fw generate', ['resource', 'users']);
    expect(error.message).toBe("unexpected arguments 'resource', 'users'");
    expect(error.help).toContain('the typed client');
  });

  it('of a command that takes some are those after them', async () => {
    const error = await explained(make, 'fw new', ['shop', 'extra']);
    expect([error.message, error.help]).toEqual(["unexpected argument 'extra'", 'see: fw new --help']);
  });

  it.each([
    ['4000', 'fw dev --port 4000'],
    ['src/server.ts', "entry = 'src/server.ts' under [dev]"],
    ['seed', 'fw dev -- seed'],
  ])('fw dev %s says where that is given', async (word, help) => {
    expect((await explained(dev, 'fw dev', [word])).help).toContain(help);
  });
});

describe('an error that says nothing about an option', () => {
  const from = (code: string, message: string): Error => Object.assign(new Error(message), { code });
  it.each([
    ['of the command itself', new Error('the port is taken')],
    ['that is not an error', { code: 'commander.unknownOption', message: "unknown option '-p'" }],
    ['that names no option', from('commander.unknownOption', 'unknown option')],
    [
      'about a value of no option here',
      from('commander.optionMissingArgument', "option '--size <n>' needs one"),
    ],
    ['of another kind', from('commander.conflictingOption', "option '-p' conflicts")],
  ])('%s stays as it is', (_what, error) => {
    expect(explainUsage(error, dev)).toBe(error);
  });
});
