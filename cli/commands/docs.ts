// `fw docs`: the documentation of the installed version, in the workbench or in the terminal.
import { Command } from 'commander';
import type { DocsFlags } from '../docs-command/show-docs.js';

export const command: Command = new Command('docs')
  .description('Search the documentation of this version of fw, and show a page.')
  .argument('[words...]', 'the name of a page, the code of an error, or words to search for')
  .option('--print', 'print the page, also if fw dev could show it in the browser')
  .option('--json', 'print the results as one line of JSON')
  .addHelpText(
    'after',
    `
Without words, all pages are listed. While fw dev runs in the project, the page
is opened in the browser; otherwise it is printed, in a pipe as Markdown.

Examples:
  fw docs                    every page
  fw docs sessions           the page with that name
  fw docs FW_ROUTE_CONFLICT  what an error means, and its fix
  fw docs upload a file      the section that answers best

Exit codes: 0 done, 1 no results, 2 wrong usage.`,
  )
  .action(async (words: string[], flags: DocsFlags) => {
    const { showDocs } = await import('../docs-command/show-docs.js');
    await showDocs(words, flags);
  });
