// The prompts of `fw new`, which are shown on a terminal only; every one of them is also a flag.
import { cancel, confirm, intro, isCancel, outro, select, text } from '@clack/prompts';
import type { PackageManager } from '../manager/package-manager.js';
import { CliError, ExitCode, UsageError } from '../terminal/errors.js';
import { type Answers, DEFAULT_NAME, type ManagerOf } from './request.js';
import { resolveTarget } from './target.js';
import type { Template } from './templates.js';

export async function askForMissing(
  known: Partial<Answers>,
  managerOf: ManagerOf,
  templates: readonly Template[],
  nameFlag: string | undefined,
): Promise<Answers> {
  // If the input ends in the middle of a prompt, the process exits with this code.
  process.exitCode = ExitCode.cancelled;
  intro('fw new');
  const argument = known.argument ?? (await askName(nameFlag));
  const template = known.template ?? (await askTemplate(templates));
  const install = known.install ?? (await askInstall(managerOf(argument)));
  outro(`Creating ${argument}`);
  return { argument, template, install };
}

async function askName(nameFlag: string | undefined): Promise<string> {
  const answer = await text({
    message: 'Where should the app go?',
    placeholder: DEFAULT_NAME,
    defaultValue: DEFAULT_NAME,
    validate: (value) => problemOf(value || DEFAULT_NAME, nameFlag),
  });
  return answered(answer).trim();
}

async function askTemplate(templates: readonly Template[]): Promise<string> {
  const width = Math.max(...templates.map(({ name }) => name.length)) + 2;
  const answer = await select({
    message: 'Which template?',
    // A hint would be shown for the selected one alone.
    options: templates.map(({ name, description }) => ({
      value: name,
      label: `${name.padEnd(width)}${description}`,
    })),
  });
  return answered(answer);
}

async function askInstall(manager: PackageManager): Promise<boolean> {
  return answered(
    await confirm({ message: `Install the dependencies with ${manager}?`, initialValue: true }),
  );
}

function problemOf(argument: string, nameFlag: string | undefined): string | undefined {
  try {
    resolveTarget(argument.trim(), nameFlag, process.cwd());
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error instanceof UsageError && error.help ? `${error.message}; ${error.help}` : error.message;
  }
}

function answered<T>(answer: T): Exclude<T, symbol> {
  if (!isCancel(answer)) return answer as Exclude<T, symbol>;
  cancel('Nothing was written.');
  throw new CliError('', { exitCode: ExitCode.cancelled });
}
