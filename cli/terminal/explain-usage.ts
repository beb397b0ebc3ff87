// Says of an option or a word that a command does not take what does the same here.
import type { Command } from 'commander';
import { UsageError } from './errors.js';

/** Options of other tools, and what they are called here. They are suggested only by commands that have these. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['-H', '--host'],
  ['-b', '--host'],
  ['--hostname', '--host'],
  ['--address', '--host'],
  ['--bind', '--host'],
  ['--ip', '--host'],
  ['-d', '--inspect'],
  ['--debug', '--inspect'],
  ['--inspect-brk', '--inspect'],
  ['-r', '--preload'],
  ['--require', '--preload'],
  ['--import', '--preload'],
  ['--loader', '--preload'],
  ['--browser', '--open'],
  ['--launch', '--open'],
  ['--out', '--output'],
  ['--outfile', '--output'],
  ['--skip-install', '--no-install'],
  ['--skip-git', '--no-git'],
  ['--pm', '--package-manager'],
  ['--overwrite', '--force'],
]);

/** What `fw dev` does without an option, or by a setting. */
const DEV: ReadonlyMap<string, string> = new Map([
  ['-w', 'fw dev reloads on every change without an option'],
  ['--watch', 'fw dev reloads on every change without an option'],
  ['--hot', 'fw dev reloads on every change without an option'],
  ['--no-watch', 'hot_reload = false under [dev] of fw.toml turns the reload off'],
  ['--entry', 'name the file that starts the app in fw.toml: [dev] entry'],
  ['--entryFile', 'name the file that starts the app in fw.toml: [dev] entry'],
  ['-c', 'the settings are in fw.toml, in the directory of the app; see: fw docs fw-toml'],
  ['--config', 'the settings are in fw.toml, in the directory of the app; see: fw docs fw-toml'],
  ['--env-file', 'fw dev reads .env, in the directory of the app, without an option'],
  ['--poll', 'set poll_interval under [dev] of fw.toml'],
  ['--strictPort', 'fw dev takes no other port than the one that it is told'],
]);

/** The error of commander with the remedy, or another error as it is. */
export function explainUsage(error: unknown, command: Command): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const all = `${command.name()} --help`;
  if (error.code === 'commander.excessArguments') {
    const extra = command.args.slice(command.registeredArguments.length);
    return new UsageError(unexpected(extra), wordHelp(command.name()) ?? `see: ${all}`);
  }
  if (error.code === 'commander.unknownOption') {
    const given = /'(-[^']*)'/.exec(error.message)?.[1]?.split('=')[0];
    const help = given === undefined ? undefined : optionHelp(given, command);
    return help === undefined
      ? error
      : new UsageError(
          `unknown option '${given}'`,
          `${help}${help.endsWith('?') ? ' All options:' : '; see:'} ${all}`,
        );
  }
  if (error.code === 'commander.optionMissingArgument') {
    const option = command.options.find(({ flags }) => error.message.includes(`'${flags}'`));
    if (option === undefined) return error;
    return new UsageError(
      `the option ${option.long} needs a value`,
      `${option.flags} is: ${option.description}; see: ${all}`,
    );
  }
  return error;
}

/** "unexpected arguments 'a', 'b'" */
export function unexpected(extra: readonly string[]): string {
  return `unexpected argument${extra.length > 1 ? 's' : ''} ${extra.map((one) => `'${one}'`).join(', ')}`;
}

function wordHelp(name: string): string | undefined {
  if (name !== 'fw generate') return undefined;
  return 'fw generate takes no words: it writes the typed client; routes and procedures are written by hand, see: fw docs tutorial';
}

function optionHelp(given: string, command: Command): string | undefined {
  const known = command.options.flatMap(({ long }) => (long ? [long] : []));
  const here = ELSEWHERE.get(given);
  if (here !== undefined && known.includes(here)) return `did you mean ${here}?`;
  const note = command.name() === 'fw dev' ? DEV.get(given) : undefined;
  if (note !== undefined) return note;
  // A letter by which others shorten an option, such as -p.
  const letter = /^-([a-z])/i.exec(given)?.[1]?.toLowerCase();
  const meant = letter === undefined ? [] : known.filter((long) => long.startsWith(`--${letter}`));
  return meant.length === 0 ? undefined : `did you mean ${meant.join(' or ')}?`;
}
