// The flags of `fw new`, completed by prompts on a terminal.
import { resolve } from 'node:path';
import { type PackageManager, packageManagerFor, projectPackageManager } from '../manager/package-manager.js';
import { UsageError } from '../terminal/errors.js';
import { type FwSource, fwSource } from '../vendor/fw-dependency.js';
import { shown } from './name.js';
import { quote } from './quote.js';
import { resolveTarget } from './target.js';
import { isTemplatePath } from './template-entries.js';
import { findTemplate, type Template } from './templates.js';

/** The flags as commander gives them. */
export interface Flags {
  name?: string;
  template?: string;
  install?: boolean;
  git?: boolean;
  packageManager?: PackageManager;
  yes?: boolean;
  force?: boolean;
  dryRun?: boolean;
  json?: boolean;
  list?: boolean;
  start?: boolean;
  fromRegistry?: boolean;
  link?: boolean;
}

export interface Request {
  /** The directory as typed. */
  argument: string;
  /** The package's name if it differs from the directory's. */
  name: string | undefined;
  template: Template;
  fwSource: FwSource;
  packageManager: PackageManager;
  install: boolean;
  git: boolean;
  force: boolean;
}

/** The values that prompts ask for. */
export interface Answers {
  argument: string;
  template: string;
  install: boolean | undefined;
}

/** The package manager of an app in this directory. */
export type ManagerOf = (argument: string) => PackageManager;

export const DEFAULT_NAME = 'my-app';

/**
 * Completes the flags with `ask` if something is missing; `ask` is undefined without a terminal.
 * @throws UsageError for flags that contradict each other, an unknown template, or missing values without a terminal
 */
export async function completeRequest(
  argument: string | undefined,
  flags: Flags,
  templates: readonly Template[],
  ask: ((known: Partial<Answers>, manager: ManagerOf) => Promise<Answers>) | undefined,
): Promise<Request> {
  refuseContradictions(flags);
  // Before anything is asked, or an example is given with a name that is refused then.
  if (argument !== undefined) resolveTarget(argument, flags.name, process.cwd());
  const source = fwSource(flags);
  const given = await givenTemplate(flags.template, templates);
  const managerOf: ManagerOf = (argument) =>
    flags.packageManager ??
    projectPackageManager(resolve(argument)) ??
    given?.packageManager ??
    packageManagerFor(resolve(argument));
  const known: Partial<Answers> = {
    ...(argument !== undefined && { argument }),
    ...(flags.template !== undefined && { template: flags.template }),
    install: flags.install ?? (flags.start ? true : undefined),
  };
  const answers = isComplete(known)
    ? known
    : await complete(known, flags, templates, () => ask?.(known, managerOf));
  return {
    argument: answers.argument,
    name: flags.name,
    template: given ?? findTemplate(answers.template, templates),
    fwSource: source,
    packageManager: managerOf(answers.argument),
    install: answers.install ?? true,
    git: flags.git ?? true,
    force: flags.force ?? false,
  };
}

async function givenTemplate(
  value: string | undefined,
  templates: readonly Template[],
): Promise<Template | undefined> {
  if (value === undefined || !isTemplatePath(value)) {
    return value === undefined ? undefined : findTemplate(value, templates);
  }
  const { ownTemplate } = await import('./own-template.js');
  return ownTemplate(value, process.cwd());
}

async function complete(
  known: Partial<Answers>,
  flags: Flags,
  templates: readonly Template[],
  ask: () => Promise<Answers> | undefined,
): Promise<Answers> {
  if (flags.yes) {
    const template = known.template ?? templates[0]?.name ?? '';
    return { argument: known.argument ?? DEFAULT_NAME, template, install: known.install };
  }
  const answered = await ask();
  if (answered) return answered;
  const missing = [
    known.argument === undefined && '<name>',
    known.template === undefined && '--template <template>',
  ];
  throw new UsageError(
    `missing ${missing.filter(Boolean).join(' and ')}; without a terminal fw new cannot ask`,
    `for example: fw new ${quote(known.argument ?? DEFAULT_NAME)} --template ${known.template ?? templates[0]?.name}` +
      ` (templates: ${templates.map(({ name }) => name).join(', ')}), or --yes for the defaults`,
  );
}

function isComplete(known: Partial<Answers>): known is Answers {
  return known.argument !== undefined && known.template !== undefined;
}

/** @throws UsageError for anything beside `--list` that has no effect with it */
export function refuseBesideList(argument: string | undefined, flags: Flags): void {
  const { list, json, ...others } = flags;
  const [flag] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (argument === undefined && flag === undefined) return;
  const isNegated = (flag === 'install' || flag === 'git') && flags[flag] === false;
  const words = `${isNegated ? 'no-' : ''}${flag}`.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(
    `--list and ${argument === undefined ? `--${words}` : `the name ${shown(argument)}`} cannot be used together`,
    'to see the templates: fw new --list',
  );
}

function refuseContradictions(flags: Flags): void {
  if (!flags.start) return;
  if (flags.install === false) {
    throw new UsageError(
      '--start needs the dependencies, but --no-install leaves them out',
      'remove one of the two',
    );
  }
  for (const [other, given] of [
    ['--json', flags.json],
    ['--dry-run', flags.dryRun],
  ] as const) {
    if (given) throw new UsageError(`--start and ${other} cannot be used together`, 'remove one of the two');
  }
}
