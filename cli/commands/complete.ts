// `fw complete`: what the completion scripts ask for the candidates of the word that is being typed.
import { Command } from 'commander';
import { candidateLines, candidates, knownProcedures } from '../completion/candidates.js';
import { readPages } from '../manual/pages.js';
import { listTemplates } from '../new/templates.js';
import type { CommandEntry } from '../terminal/command-entry.js';

/** @param commands those that are offered */
export function completeCommand(commands: readonly CommandEntry[]): Command {
  return new Command('complete')
    .description('Print the words that can follow, one per line, for completion scripts.')
    .argument('[words...]', 'the words after fw; the last one is being typed')
    .action(async (args: string[]) => {
      const found = await candidates(wordsOf(process.env.FW_COMPLETE) ?? args, {
        commands,
        load: async (name) => {
          const { command } = await (commands.find((one) => one.name === name) as CommandEntry).load();
          return command;
        },
        templates: listTemplates,
        pages: readPages,
        procedures: () => knownProcedures(process.cwd()),
      });
      process.stdout.write(candidateLines(found));
    });
}

/** What PowerShell passes in a variable, a word per line, because it changes arguments. */
function wordsOf(text: string | undefined): string[] | undefined {
  return text?.split('\n');
}
