// What all generations of one app share: the compiler, the incremental build, and the warm process.
import { rmSync } from 'node:fs';
import { makeOutDir } from '../bundle/bundle-folder.js';
import { Bundler } from '../bundle/bundler.js';
import { loadEsbuild } from '../bundle/load-esbuild.js';
import { ClientMaker } from './client-maker.js';
import { ContractSource } from './contract.js';
import { ContractGeneration } from './contract-generation.js';
import type { GenerateSettings } from './generate-settings.js';
import { Generation } from './generation.js';
import { EntryRunner } from './run-entry.js';

export interface OpenGeneration {
  readonly generation: Generation | ContractGeneration;
  close(): Promise<void>;
}

/**
 * @param again whether there will be more than one run; then a warm process is kept ready
 * @throws CliError if it cannot start
 */
export async function openGeneration(settings: GenerateSettings, again: boolean): Promise<OpenGeneration> {
  const outDir = makeOutDir(settings.root);
  const contract = new ContractSource(settings.root, settings.contract, again);
  const { client } = settings;
  if (client === undefined) {
    return {
      generation: new ContractGeneration(settings, contract),
      async close() {
        contract.close();
        rmSync(outDir, { recursive: true, force: true });
      },
    };
  }
  const esbuild = await loadEsbuild(settings.root);
  const bundler = new Bundler(esbuild, settings.root, () => client.entry, outDir);
  const runner = new EntryRunner(settings, client, outDir, again);
  const maker = new ClientMaker(client.files, runner, esbuild, outDir);
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
