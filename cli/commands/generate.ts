// `fw generate`: writes the typed client of the app's procedures, and the contract of those whose types are inferred.
import { Command } from 'commander';
import type { GenerateFlags } from '../generate/generate-settings.js';

export const command: Command = new Command('generate')
  .description("write the typed client of the app's procedures")
  .option('-p, --project <dir>', 'the directory of the app (default: fw.toml, then this directory)')
  .option('-o, --output <file>', 'where the client is written (default: output_path of fw.toml)')
  .option(
    '--declarations',
    'write the client as .js, .d.ts and .d.ts.map too, for "go to definition" in the app',
  )
  .option('--watch', 'write again whenever the app changes')
  .option('--check', 'write nothing; fail if the client or the contract is not up to date')
  .option('--diff', 'write nothing; list what would change, and what of it breaks clients')
  .option('--fail-on-breaking', 'with --diff: exit with 1 if a change breaks clients')
  .option('--verbose', 'print what is done and how long it takes')
  .option('--json', 'print the result as one line of JSON')
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    `
Runs src/generate-client.ts of the app with the output path as its first argument. Types of procedures without
a schema are inferred from their handlers and kept in src/rpc-contract.json. An app that has only routes needs no
such program: only the contract is written.

Examples:
  fw generate -o ../web/src/client.ts     write the client into a frontend
  fw generate -o ../web/src/client.js     as JavaScript with declarations that lead into the app
  fw generate --watch                     while a frontend is being developed
  fw generate --check                     in CI: is the committed client up to date?
  fw generate --diff --fail-on-breaking   in CI: does it break existing clients?

Exit codes: 0 done, 1 failed, not up to date or breaking, 2 wrong usage, 130 after Ctrl+C.`,
  )
  .action(async (flags: GenerateFlags) => {
    const { runGenerate } = await import('../generate/generate-session.js');
    process.exit(await runGenerate(flags));
  });
