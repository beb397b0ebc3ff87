// Everything that generations of one app share: its compiler, its incremental build, the process kept warm.
import { rmSync } from 'node:fs';
import { createBundler, loadEsbuild } from '../dev/bundler.js';
import { makeOutDir } from '../dev/out-dir.js';
import { ClientMaker } from './client-maker.js';
import { ContractSource } from './contract.js';
import { Generation } from './generation.js';
import { EntryRunner } from './run-entry.js';
import type { GenerateSettings } from './settings.js';

export interface OpenGeneration {
  readonly generation: Generation;
  close(): Promise<void>;
}

/**
 * @param again makes it ready for more than one run.
 * @throws CliError where it could not begin.
 */
export async function openGeneration(settings: GenerateSettings, again: boolean): Promise<OpenGeneration> {
  const outDir = makeOutDir(settings.root);
  const contract = new ContractSource(settings.root);
  const esbuild = await loadEsbuild(settings.root);
  const bundler = createBundler(esbuild, settings.root, () => settings.entry, outDir);
  const runner = new EntryRunner(settings, outDir, again);
  const maker = new ClientMaker(settings.files, runner, esbuild, outDir);
  return {
    generation: new Generation(settings, bundler, contract, maker),
    async close() {
      contract.close();
      runner.close();
      await bundler.dispose();
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}
