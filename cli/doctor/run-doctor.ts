// One run of `fw doctor`: prints what is found, or JSON; its exit code says whether something must be fixed.
import { colorsFor } from '../terminal/color.js';
import { ExitCode } from '../terminal/errors.js';
import { count } from '../terminal/output.js';
import { printable } from '../terminal/printable.js';
import { noProgress, progress } from '../terminal/spinner.js';
import { examine } from './examine.js';
import type { Finding } from './finding.js';

export async function runDoctor(json: boolean, cwd: string = process.cwd()): Promise<ExitCode> {
  const findings: Finding[] = [];
  const color = colorsFor(process.stdout);
  const marks = { ok: color.green('✓'), warning: color.yellow('!'), error: color.red('✗') };
  for await (const finding of examine(cwd, json ? noProgress : progress)) {
    findings.push(finding);
    if (json) continue;
    const { check, status, message, fix } = finding;
    process.stdout.write(`${marks[status]} ${color.bold(check)}  ${printable(message)}\n`);
    if (fix !== undefined) process.stdout.write(`  ${color.cyan('fix:')} ${printable(fix)}\n`);
  }
  const errors = findings.filter(({ status }) => status === 'error').length;
  const warnings = findings.filter(({ status }) => status === 'warning').length;
  if (json) process.stdout.write(`${JSON.stringify({ findings, errors, warnings })}\n`);
  else process.stdout.write(`\n${summary(errors, warnings)}\n`);
  return errors > 0 ? ExitCode.failed : ExitCode.done;
}

function summary(errors: number, warnings: number): string {
  if (errors + warnings === 0) return 'Everything is in order.';
  return `${count(errors, 'error')}, ${count(warnings, 'warning')}`;
}
