// `fw new`: flags → prompts → plan → write → install → git → next steps.
import { Command, Option } from 'commander';
import { packageManagers } from '../manager/package-manager.js';
import { install } from '../new/install.js';
import { type Interrupt, type Left, listenForInterrupts } from '../new/interrupt.js';
import {
  createdText,
  gitText,
  installingText,
  nextText,
  type Outcome,
  planText,
  resultJson,
  templateList,
  templatesJson,
  untouched,
} from '../new/new-report.js';
import { makePlan, nextAfterFailure, type Plan, retryInstall } from '../new/plan.js';
import { commandIn } from '../new/quote.js';
import { completeRequest, type Flags, refuseBesideList } from '../new/request.js';
import { gitInit, startApp } from '../new/run-in-app.js';
import { listTemplates, type Template } from '../new/templates.js';
import { LeftError } from '../new/undo.js';
import { type Written, write } from '../new/write.js';
import { packageVersion } from '../process/package-root.js';
import { printableColored } from '../terminal/printable.js';
import { canSpin } from '../terminal/spinner.js';

export const command: Command = new Command('new')
  .description('Create an app from a template. The name is a directory: my-app, ../x/y or .')
  .argument('[name]')
  .option('-t, --template <template>', 'name of one, or path of a folder or tar archive')
  .option('--name <name>', "package name, if not the directory's")
  .addOption(new Option('--install').hideHelp())
  .option('--no-install', 'do not install the dependencies')
  .addOption(
    new Option('--package-manager <pm>', "default: the project's, else the caller's").choices(
      packageManagers,
    ),
  )
  .option('--from-registry', 'take fw from a registry, not as a tarball')
  .addOption(new Option('--link', 'link the app to this clone, to work on fw itself').hideHelp())
  .addOption(new Option('--git').hideHelp())
  .option('--no-git', 'do not run git init')
  .option('--start', 'install, then run fw dev')
  .option('-f, --force', 'overwrite files of the same name')
  .option('-y, --yes', 'ask nothing, take the defaults')
  .option('--dry-run', 'print what would be done, write nothing')
  .option('--list', 'list the templates')
  .option('--json', 'print the result as JSON, ask nothing')
  .addHelpText(
    'after',
    `
Examples:
  fw new my-app                             ask for the rest
  fw new my-app --template ./starter        a template of your own`,
  )
  .action(createApp);

async function createApp(argument: string | undefined, flags: Flags): Promise<void> {
  const templates = listTemplates();
  if (flags.list) refuseBesideList(argument, flags);
  if (flags.list) return print(flags.json ? templatesJson(templates) : templateList(templates));
  const request = await completeRequest(argument, flags, templates, prompter(flags, templates));
  const plan = makePlan(request, process.cwd());
  if (flags.dryRun) return print(flags.json ? resultJson(plan, untouched) : planText(plan));
  const { failure, ...outcome } = await carryOut(plan, flags.json ?? false);
  const next = failure ? nextAfterFailure(plan) : plan.next;
  if (flags.json) print(resultJson({ ...plan, next }, outcome));
  if (failure) throw failure;
  if (!flags.json) print(nextText(plan, flags.start ?? false));
  if (flags.start) await startApp(plan.directory, plan.packageManager);
}

type Prompter = Parameters<typeof completeRequest>[3];

/** Undefined without a terminal, where a prompt would wait for an answer forever. */
function prompter(flags: Flags, templates: readonly Template[]): Prompter {
  if (flags.json || !process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  return async (known, managerOf) => {
    const { askForMissing } = await import('../new/prompts.js');
    return askForMissing(known, managerOf, templates, flags.name);
  };
}

async function carryOut(plan: Plan, quiet: boolean): Promise<Outcome & { failure: unknown }> {
  const tell = (text: string): void => {
    if (!quiet) print(text);
  };
  const interrupt = listenForInterrupts();
  let written: Written | undefined;
  try {
    written = write(plan.directory, plan.exists, plan.files);
    await interrupt.check();
    tell(createdText(plan));
    if (plan.install && !canSpin()) tell(installingText(plan));
    const failure = plan.install ? await installed(plan, interrupt, quiet) : undefined;
    const left = plan.install ? leftInWorkspace(plan) : undefined;
    await interrupt.check(left);
    const git = plan.git && !plan.workTree ? await gitInit(plan.directory) : false;
    await interrupt.check(left);
    if (plan.git) tell(gitText(plan, git));
    written.keep();
    return { dryRun: false, installed: plan.install && !failure, git, failure };
  } catch (error) {
    const failure = written?.undo();
    throw failure === undefined ? error : new LeftError(error, failure);
  } finally {
    interrupt.finish();
  }
}

/** A failed installation keeps the app: its error is returned, and thrown when the rest is done. */
async function installed(plan: Plan, interrupt: Interrupt, quiet: boolean): Promise<unknown> {
  const { directory, packageManager: manager } = plan;
  try {
    await install({
      directory,
      manager,
      signal: interrupt.signal,
      workspace: plan.workspace,
      version: plan.fwSource === 'registry' ? undefined : packageVersion(),
      toStderr: quiet,
      retry: retryInstall(plan),
    });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** What the installation of a package of a workspace changes outside of the app. */
function leftInWorkspace({ workspace, packageManager }: Plan): Left | undefined {
  if (workspace === undefined || workspace.hasDirectory === false) return undefined;
  return {
    message: `the app was removed; the workspace ${workspace.root} may have packages of it in node_modules and the lock file`,
    help: `run: ${commandIn(workspace.root, `${packageManager} install`)}`,
  };
}

function print(text: string): void {
  process.stdout.write(printableColored(text));
}
