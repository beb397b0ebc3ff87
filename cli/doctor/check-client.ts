// Looks whether the generated client and contract fit the procedures.
import { GenerateReport } from '../generate/generate-report.js';
import { settleGenerate } from '../generate/generate-settings.js';
import type { Generated } from '../generate/generation.js';
import { openGeneration } from '../generate/open-generation.js';
import { plainColors } from '../terminal/color.js';
import type { Progress } from '../terminal/spinner.js';
import { type Finding, fault, ok } from './finding.js';

/** @throws CliError if nothing can be generated */
export async function checkClient(cwd: string, progress: Progress): Promise<Finding> {
  const settings = settleGenerate({ check: true }, cwd);
  const line = progress('Reading the sources');
  let result: Generated;
  try {
    const { generation, close } = await openGeneration(settings, false);
    try {
      result = await generation.run([], false, { onStep: line.say });
    } finally {
      await close();
    }
  } finally {
    line.stop();
  }
  const said: string[] = [];
  const report = new GenerateReport(settings.root, cwd, {
    colors: plainColors,
    isTTY: false,
    clear: () => {},
    print: (line) => said.push(line),
  });
  if (!result.ok) {
    report.failed(result);
    const first = said.find((line) => line.trim() !== '')?.trim() ?? 'the generation failed';
    return fault('client', first, 'run fw generate, which shows all of it');
  }
  const stale = report.stale([result.contract, ...result.client.files]);
  if (stale !== undefined) return fault('client', stale, 'run fw generate');
  return ok('client', settings.client ? 'the client is up to date' : 'the contract is up to date');
}
