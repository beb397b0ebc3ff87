// `fw generate`: writes the typed client of the app's procedures, and the contract of those whose types are inferred.
import { Command, Option } from 'commander';
import { CLIENT_FORMS } from '../config/schema.js';
import type { GenerateFlags } from '../generate/generate-settings.js';
import { exitWhenWritten } from '../terminal/exit.js';

export const command: Command = new Command('generate')
  .description("Write the typed client of the app's procedures.")
  .option('-p, --project <dir>', 'directory of the app (default: fw.toml, this one)')
  .option('-o, --output <file>', 'file of the client (default: output_path of fw.toml)')
  .addOption(new Option('--client <form>', 'form (default: fw.toml)').choices(CLIENT_FORMS))
  .option('--declarations', 'write it as .js, .d.ts and .d.ts.map too')
  .option('--watch', 'write again whenever the app changes')
  .option('--check', 'write nothing; fail if a file is not up to date')
  .option('--diff', 'write nothing; list what changes, and what breaks clients')
  .option('--fail-on-breaking', 'with --diff: fail if a change breaks clients')
  .option('--force', 'infer the types again although nothing has changed')
  .option('--verbose', 'print what is done and how long it takes')
  .option('--json', 'print the result as one line of JSON')
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    `
Examples:
  fw generate --check                     in CI: is the client up to date?
  fw generate --diff --fail-on-breaking   in CI: does it break clients?

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 after Ctrl+C.`,
  )
  .action(async (flags: GenerateFlags) => {
    const { runGenerate } = await import('../generate/generate-session.js');
    await exitWhenWritten(await runGenerate(flags));
  });
