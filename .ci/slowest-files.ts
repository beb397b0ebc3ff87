// A reporter of Vitest: the ten test files that cost most, with their imports, for whoever shortens CI.
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    console.log(`\n${slowestFiles(modules).join('\n')}`);
  }
}

export function slowestFiles(modules: readonly TestModule[]): string[] {
  const costs = modules.map((module) => {
    const { duration, collectDuration, setupDuration, prepareDuration } = module.diagnostic();
    const ms = duration + collectDuration + setupDuration + prepareDuration;
    return { file: relative(process.cwd(), module.moduleId), project: module.project.name, ms };
  });
  const all = costs.reduce((sum, { ms }) => sum + ms, 0);
  return [
    `The ${SHOWN} test files that took longest, of ${seconds(all)} for ${costs.length}:`,
    ...costs
      .sort((a, b) => b.ms - a.ms)
      .slice(0, SHOWN)
      .map(({ file, project, ms }) => `${seconds(ms).padStart(7)}  ${file} (${project})`),
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
