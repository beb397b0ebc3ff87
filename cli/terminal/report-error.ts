// Prints the error that ended a command, in at most three lines on stderr, and returns the exit code.
import { colorsFor } from './color.js';
import { CliError, ExitCode, systemFault, UsageError } from './errors.js';
import { printable } from './printable.js';

export function reportError(
  thrown: unknown,
  commandLine: string,
  platform: NodeJS.Platform = process.platform,
): ExitCode {
  const error = asCliError(thrown, commandLine, platform);
  // commander throws after it has printed the help of `fw dev --help`.
  if (isCommanderError(thrown) && thrown.exitCode === 0) return ExitCode.done;
  // A prompt has already shown its own message.
  if (error.message === '') return error.exitCode;
  const color = colorsFor(process.stderr);
  const label = error.exitCode === ExitCode.cancelled ? color.yellow('cancelled:') : color.red('error:');
  const lines = printable(error.message).split('\n').slice(0, 2);
  let text = `${color.bold(label)} ${lines.join('\n')}\n`;
  if (error.help)
    text += `${color.bold(color.cyan('help:'))} ${printable(error.help).replaceAll('\n', ' ')}\n`;
  if (process.env.FW_DEBUG && thrown instanceof Error) text += `${thrown.stack}\n`;
  process.stderr.write(text);
  return error.exitCode;
}

function asCliError(thrown: unknown, commandLine: string, platform: NodeJS.Platform): CliError {
  if (thrown instanceof CliError) return thrown;
  if (isCommanderError(thrown)) return usageError(thrown, commandLine);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const fault = systemFault(thrown);
  if (fault !== undefined) {
    const help = `${fault.remedy}, and run it again`;
    return new CliError(`${fault.reason}: ${message.split('\n')[0]}`, { help, cause: thrown });
  }
  return new CliError(`fw failed unexpectedly: ${message.split('\n')[0]}`, {
    help: `this is a bug in fw; to see where, run it again with FW_DEBUG=1: ${debugged(commandLine, platform)}`,
  });
}

/** PowerShell and cmd set a variable by commands of their own, each unknown to the other. */
function debugged(commandLine: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return `FW_DEBUG=1 ${commandLine} …`;
  return `$env:FW_DEBUG = '1' in PowerShell, set FW_DEBUG=1 in cmd, then ${commandLine} …`;
}

interface CommanderError extends Error {
  code: string;
  exitCode: number;
}

/** Recognized by its code, so that this file does not have to load commander. */
function isCommanderError(thrown: unknown): thrown is CommanderError {
  return thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('commander.');
}

/** "error: unknown option '--forse'\n(Did you mean --force?)" → message and help. */
function usageError(error: CommanderError, commandLine: string): UsageError {
  const [first = '', second = ''] = error.message.split('\n');
  const message = first.replace(/^error: /, '').replace(/\.$/, '');
  const meant = /^\(Did you mean (.*)\?\)$/.exec(second)?.[1];
  const all = `${commandLine} --help`;
  return new UsageError(message, meant ? `did you mean ${meant}? All options: ${all}` : `see: ${all}`);
}
