// The steps of a job of the app's CI workflow, run as GitHub's runner does, with services of this machine.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { run } from './packed.js';

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

/** The commands of a job, with the variables of each; actions of others are left out. */
export function stepsOf(file: string, job: string): Step[] {
  const { jobs } = parse(readFileSync(file, 'utf8')) as Workflow;
  const steps = jobs[job]?.steps.filter((step) => step.run !== undefined) ?? [];
  if (steps.length === 0) throw new Error(`the job ${job} of ${file} runs nothing`);
  return steps;
}

/**
 * Runs a step, which must succeed.
 * @param services values of variables that name a service, which has another address here
 */
export async function runStep(
  { run: command = '', env = {} }: Step,
  cwd: string,
  services: NodeJS.ProcessEnv,
): Promise<string> {
  const own = Object.fromEntries(Object.keys(env).map((name) => [name, services[name] ?? env[name]]));
  const result = await run('bash', ['-e', '-c', command], { cwd, env: { ...own, CI: 'true' } });
  if (result.exitCode !== 0) throw new Error(`${command} failed:\n${result.stdout}${result.stderr}`);
  return result.stdout;
}
