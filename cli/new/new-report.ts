// The output of `fw new`: the plan, the result, the templates; as text or, with --json, as JSON.
import { type Colors, colorsFor } from '../terminal/color.js';
import type { Plan } from './plan.js';
import type { Template } from './templates.js';

export interface Outcome {
  dryRun: boolean;
  installed: boolean;
  git: boolean;
}

/** The outcome of a dry run. */
export const untouched: Outcome = { dryRun: true, installed: false, git: false };

export function resultJson(plan: Plan, outcome: Outcome): string {
  const { name, directory, template, fwSpec: fw, packageManager, overwritten, command, next } = plan;
  const files = plan.files.map(({ path }) => path);
  return json({
    name,
    directory,
    template,
    fw,
    packageManager,
    files,
    overwritten,
    ...outcome,
    command,
    next,
  });
}

/** `isDefault` is the one that `--yes` takes. */
export function templatesJson(templates: readonly Template[]): string {
  return json(
    templates.map(({ name, description }, index) => ({ name, description, isDefault: index === 0 })),
  );
}

export function templateList(templates: readonly Template[]): string {
  const color = colorsFor(process.stdout);
  const width = Math.max(...templates.map(({ name }) => name.length)) + 2;
  return templates
    .map(({ name, description }) => `${color.cyan(name.padEnd(width))}${description}\n`)
    .join('');
}

/** What a dry run would have done. */
export function planText(plan: Plan): string {
  const color = colorsFor(process.stdout);
  const files = plan.files.map(({ path, isSecret }) => {
    if (plan.overwritten.includes(path)) return color.yellow(`  ! ${path} (overwritten)`);
    return `  + ${path}${isSecret ? ' (from .env.example, with new secrets)' : ''}`;
  });
  return lines([
    plan.files.length === 0
      ? complete(plan)
      : `${color.bold('Would create')} ${subject(plan)} from the template ${plan.template}`,
    ...files,
    `  fw       ${plan.fwSpec}`,
    `  install  ${plan.install ? `${plan.packageManager} install` : 'no'}`,
    `  git      ${plan.git ? (plan.workTree ? `no, it is inside ${plan.workTree}` : 'git init') : 'no'}`,
    '',
    ...repeating('To do it:', plan, color),
  ]);
}

export function createdText(plan: Plan): string {
  if (plan.files.length === 0) return lines([complete(plan)]);
  const color = colorsFor(process.stdout);
  const count = `${plan.files.length} file${plan.files.length === 1 ? '' : 's'}`;
  const hasSecrets = plan.files.some(({ isSecret }) => isSecret);
  return lines([
    `${color.green('Created')} ${subject(plan)} from the template ${plan.template} (${count})`,
    ...(hasSecrets ? ['Made .env from .env.example, with new secrets for development'] : []),
    ...(plan.fwSource === 'vendor' ? [carriedText(plan)] : []),
  ]);
}

/** Somebody who does not know the folder may leave it out of version control. */
function carriedText({ fwSpec }: Plan): string {
  return `The app carries its fw in ${fwSpec.replace(/^file:/, '')}: commit it with the app`;
}

export function installingText(plan: Plan): string {
  return lines([`Installing the dependencies with ${plan.packageManager} …`]);
}

export function gitText(plan: Plan, made: boolean): string {
  if (plan.workTree) return lines([`Skipped git init: the app is inside the repository ${plan.workTree}`]);
  return lines([
    made ? 'Initialized a git repository, without a commit' : 'Skipped git init: git could not be run',
  ]);
}

/** The text if the directory already contains every file. */
function complete(plan: Plan): string {
  const where = plan.path === '.' ? 'This directory' : plan.path;
  return `${where} has every file of the template ${plan.template} already: nothing to write`;
}

function subject({ name, path }: Plan): string {
  const where = path === '.' ? ' in this directory' : path === name ? '' : ` in ${path}`;
  return `${name}${where}`;
}

export function nextText(plan: Plan, started: boolean): string {
  const color = colorsFor(process.stdout);
  const next = started ? [] : ['', color.bold('Next:'), ...plan.next.map((step) => `  ${color.cyan(step)}`)];
  return lines([...next, '', ...repeating('To repeat this:', plan, color)]);
}

function repeating(title: string, plan: Plan, color: Colors): string[] {
  return [color.dim(title), color.dim(`  ${plan.command}`)];
}

function lines(parts: readonly string[]): string {
  return `${parts.join('\n')}\n`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
