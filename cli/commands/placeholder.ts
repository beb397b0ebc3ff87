// A placeholder command: script of the app → notice → run → exit code. All that follows it is for the script.
import { Command, type ParseOptionsResult } from 'commander';
import { findScript, type Placeholder } from '../scripts/app-script.js';
import { runScript } from '../scripts/run-script.js';
import { exitWhenWritten } from '../terminal/exit.js';

/** A command that runs the first of `scripts` that the app's package.json has. */
export function placeholder(name: Placeholder, scripts: readonly string[], example: string): Command {
  return new ScriptCommand(name)
    .description(`A placeholder: runs the script of the app that does the work (${scripts.join(' or ')}).`)
    .usage('[arguments of the script...]')
    .argument('[args...]')
    .addHelpText(
      'after',
      `
Whatever follows is passed on to the script, but for --help and a first --.
Ends with the exit code of the script; with 1 if there is none.

Examples:
  fw ${name.padEnd(28 - name.length + 3)} in the directory of an app
  ${example}`,
    )
    .action(async (args: string[]) => {
      const script = findScript(name, scripts, process.cwd());
      await exitWhenWritten(await runScript(name, script, args));
    });
}

/** Has no option but that for its help, which is the first word; commander would look for it in all of them. */
class ScriptCommand extends Command {
  override parseOptions(words: string[]): ParseOptionsResult {
    const [first = ''] = words;
    if (first === '--help' || first === '-h') return { operands: [], unknown: [first] };
    return { operands: first === '--' ? words.slice(1) : words, unknown: [] };
  }
}
