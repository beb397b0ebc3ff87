// `fw doctor`: diagnoses what keeps an app from running, or from being safe, and suggests fixes.
import { Command } from 'commander';
import { exitWhenWritten } from '../terminal/exit.js';

export const command: Command = new Command('doctor')
  .description('Look for what keeps the app from running or from being safe, each with its fix.')
  .option('--json', 'print the findings as one line of JSON')
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    `
Looks at Node.js, fw.toml, packages and optional peers, .env, ports, the client
and contract of fw generate, and routes that are open by mistake. The app is
built and started as by fw dev, without opening its port.

Examples:
  fw doctor          before asking for help
  fw doctor --json   for programs: { findings, errors, warnings }

Exit codes: 0 no errors, 1 errors, 2 wrong usage.`,
  )
  .action(async ({ json = false }: { json?: boolean }) => {
    const { runDoctor } = await import('../doctor/run-doctor.js');
    await exitWhenWritten(await runDoctor(json));
  });
