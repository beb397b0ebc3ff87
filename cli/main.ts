#!/usr/bin/env node
// The binary's entry: argv → command table → exit code. Everything else is loaded only when it is needed, because
// each static import of this file costs `fw --version` about a millisecond.
import packageJson from '../package.json' with { type: 'json' };
import type { CommandEntry } from './terminal/command-entry.js';
import { CliError, ExitCode, UsageError } from './terminal/errors.js';

const commands: readonly CommandEntry[] = [
  { name: 'new', summary: 'Create an app from a template', load: () => import('./commands/new.js') },
  {
    name: 'dev',
    summary: 'Serve the app and reload it on every change',
    load: () => import('./commands/dev.js'),
  },
  {
    name: 'generate',
    summary: 'Write the typed client of the app',
    load: () => import('./commands/generate.js'),
  },
  {
    name: 'routes',
    summary: 'List the routes of the app, and who may call them',
    load: () => import('./commands/routes.js'),
  },
  {
    name: 'fuzz',
    summary: 'Look for requests that break a running app',
    load: () => import('./commands/fuzz.js'),
  },
  {
    name: 'doctor',
    summary: 'Diagnose the app and suggest fixes',
    load: () => import('./commands/doctor.js'),
  },
  {
    name: 'docs',
    summary: 'Search the documentation of this version',
    load: () => import('./commands/docs.js'),
  },
  {
    name: 'mcp',
    summary: 'Give coding agents the tools of the running fw dev',
    load: () => import('./commands/mcp.js'),
  },
  {
    name: 'upgrade',
    summary: 'Put another version of fw into the app',
    load: () => import('./commands/upgrade.js'),
  },
  {
    name: 'completion',
    summary: 'Print the completion script of a shell',
    load: () => import('./commands/completion.js'),
  },
  {
    name: 'build',
    summary: "Run the app's build script (a placeholder)",
    load: () => import('./commands/build.js'),
  },
  {
    name: 'test',
    summary: "Run the app's test script (a placeholder)",
    load: () => import('./commands/test.js'),
  },
  {
    name: 'fmt',
    summary: "Run the app's formatter (a placeholder)",
    load: () => import('./commands/fmt.js'),
  },
  { name: 'lint', summary: "Run the app's linter (a placeholder)", load: () => import('./commands/lint.js') },
];

/** For completion scripts, and for nobody else to see. */
const hidden: CommandEntry = {
  name: 'complete',
  summary: '',
  load: async () => {
    const { completeCommand } = await import('./commands/complete.js');
    return { command: completeCommand(commands) };
  },
};

process.on('uncaughtException', async (error) => {
  const { exitWhenWritten } = await import('./terminal/exit.js');
  await exitWhenWritten(await report(error, 'fw'));
});
// The exit code until the command has settled: if the input ends in the middle of a prompt, the process just exits.
process.exitCode = ExitCode.failed;
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});

async function main(argv: readonly string[]): Promise<ExitCode> {
  const [first = '--help', ...rest] = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  ignoreClosed(process.stdout);
  if (first === '--version' || first === '-v') return print(`${packageJson.version}\n`);
  ignoreClosed(process.stderr);
  if (first === '--help' || first === '-h')
    return print((await import('./terminal/help.js')).overview(commands));
  try {
    await run(await find(first), rest);
    return ExitCode.done;
  } catch (error) {
    const { exitWhenWritten } = await import('./terminal/exit.js');
    // What has failed may have left a server or a timer, which would keep the process.
    return exitWhenWritten(
      await report(error, commands.some(({ name }) => name === first) ? `fw ${first}` : 'fw'),
    );
  }
}

async function find(word: string): Promise<CommandEntry> {
  const entry = [...commands, hidden].find(({ name }) => name === word);
  if (entry) return entry;
  const [{ nearest }, { helpFor }] = await Promise.all([
    import('../framework/options/nearest.js'),
    import('./terminal/commands-elsewhere.js'),
  ]);
  const isFlag = word.startsWith('-');
  const known = isFlag ? ['--help', '--version'] : [...commands.map(({ name }) => name), 'help'];
  const meant = nearest(word, known);
  const message = isFlag ? `unknown option '${word}' before a command` : `unknown command '${word}'`;
  const all = isFlag ? 'options come after a command, such as: fw dev --port 4000' : 'see: fw --help';
  throw new UsageError(message, helpFor(word) ?? (meant ? `did you mean: fw ${meant}` : all));
}

async function run(entry: CommandEntry, args: readonly string[]): Promise<void> {
  checkWorkingDirectory();
  if (process.env.NODE_OPTIONS?.includes('--')) await leaveInspector(entry.name);
  const [{ command }, { colorsFor }] = await Promise.all([entry.load(), import('./terminal/color.js')]);
  const color = colorsFor(process.stdout);
  command
    .name(`fw ${entry.name}`)
    .exitOverride()
    .configureOutput({ writeErr: () => {}, getOutHasColors: () => color.isColorSupported })
    .configureHelp({ styleTitle: color.bold, styleOptionTerm: color.cyan, styleArgumentTerm: color.cyan })
    .helpOption('-h, --help', 'show this help');
  await command.parseAsync(args, { from: 'user' }).catch(async (error: unknown) => {
    const { explainUsage } = await import('./terminal/explain-usage.js');
    throw explainUsage(error, command);
  });
}

/** Node.js has read the variable for this process: debuggers do not attach to the programs that it starts. */
async function leaveInspector(name: string): Promise<void> {
  const { inspectorFlags, withoutInspector } = await import('./config/node-options.js');
  const [flag] = inspectorFlags(process.env.NODE_OPTIONS);
  if (flag === undefined) return;
  const { NODE_OPTIONS } = withoutInspector(process.env);
  if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = NODE_OPTIONS;
  if (name !== 'dev') return;
  process.stderr.write(
    `note: ${flag} of NODE_OPTIONS lets a debugger attach to fw dev itself; to the app it attaches with: fw dev --inspect\n`,
  );
}

async function report(error: unknown, commandLine: string): Promise<ExitCode> {
  const { reportError } = await import('./terminal/report-error.js');
  return reportError(error, commandLine);
}

function checkWorkingDirectory(): void {
  try {
    process.cwd();
  } catch (cause) {
    throw new CliError('the current directory no longer exists', { help: 'change to one that does', cause });
  }
}

function print(text: string): ExitCode {
  process.stdout.write(text);
  return ExitCode.done;
}

/** `fw … | head -1` closes the output early; the command still finishes its work. */
function ignoreClosed(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
