// What all generations of one app share: the compiler, the incremental build, and the warm process.
import { makeOutDir, removeOutDir } from '../bundle/bundle-folder.js';
import { Bundler } from '../bundle/bundler.js';
import { loadEsbuild } from '../bundle/load-esbuild.js';
import { readEnvironment } from '../process/environment.js';
import { pathsOf } from './client-files.js';
import { ClientMaker } from './client-maker.js';
import { ContractSource } from './contract.js';
import { ContractGeneration } from './contract-generation.js';
import type { GenerateSettings } from './generate-settings.js';
import { Generation } from './generation.js';
import { EntryRunner } from './run-entry.js';
import { StoredInference } from './stored/stored-inference.js';

export interface OpenGeneration {
  readonly generation: Generation | ContractGeneration;
  close(): Promise<void>;
}

/**
 * @param again whether there will be more than one run; then a warm process is kept ready
 * @param fresh whether types are inferred although nothing has changed since the last command
 * @throws CliError if it cannot start
 */
export async function openGeneration(
  settings: GenerateSettings,
  again: boolean,
  fresh: boolean = again,
): Promise<OpenGeneration> {
  const outDir = makeOutDir(settings.root);
  const { client } = settings;
  const outputs = client === undefined ? [] : pathsOf(client.files);
  const stored = again ? undefined : new StoredInference(settings.root, settings.contract, outputs);
  if (fresh) stored?.forget();
  const contract = new ContractSource(settings.root, settings.contract, again, stored);
  if (client === undefined) {
    return {
      generation: new ContractGeneration(settings, contract),
      async close() {
        contract.close();
        removeOutDir(outDir);
      },
    };
  }
  // Its process starts while this one loads the compiler.
  const runner = new EntryRunner(settings, client, outDir, again);
  try {
    // What takes longest comes first, unless a watcher has to see what changes while the compiler reads the program.
    if (!again) await contract.begin();
    const esbuild = await loadEsbuild(settings.root);
    const bundler = new Bundler(
      esbuild,
      settings.root,
      () => client.entry,
      outDir,
      () => readEnvironment(settings.root),
    );
    const maker = new ClientMaker(client.files, runner, esbuild, outDir);
    return {
      generation: new Generation(settings, bundler, contract, maker),
      async close() {
        contract.close();
        runner.close();
        await bundler.dispose();
        removeOutDir(outDir);
      },
    };
  } catch (error) {
    contract.close();
    runner.close();
    removeOutDir(outDir);
    throw error;
  }
}
