// Runs the app's program that writes the client, and makes the requested files from its text.
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type * as Esbuild from 'esbuild';
import type { Bundle } from '../bundle/bundler.js';
import type { AppError } from '../process/messages.js';
import type { Interruption } from '../watch/interruption.js';
import { type ClientFiles, pendingClient } from './client-files.js';
import { declareClient, type FoundPlaces } from './declared-client.js';
import type { EntryRunner } from './run-entry.js';
import { type Made, made, textOf } from './write-changed.js';

/** The client's files, and the one from which its types are read. */
export interface MadeClient {
  readonly files: readonly Made[];
  readonly types: Made;
}

export class ClientMaker {
  readonly #files: ClientFiles;
  readonly #runner: EntryRunner;
  readonly #esbuild: typeof Esbuild;
  readonly #pending: { readonly source: string; readonly types: string; readonly queries: string };

  constructor(files: ClientFiles, runner: EntryRunner, esbuild: typeof Esbuild, outDir: string) {
    this.#files = files;
    this.#runner = runner;
    this.#esbuild = esbuild;
    this.#pending = {
      source: pendingClient(outDir),
      types: join(outDir, 'client.d.ts'),
      queries: join(outDir, 'client-queries.ts'),
    };
  }

  async make(
    bundle: Bundle,
    places: FoundPlaces,
    step: Interruption,
  ): Promise<MadeClient | { readonly failed: AppError }> {
    const { source: pending, types: pendingTypes } = this.#pending;
    for (const file of Object.values(this.#pending)) rmSync(file, { force: true });
    const failed = await this.#runner.run(bundle, pending, step);
    if (failed !== undefined) return { failed };
    const text = textOf(pending);
    if (text === undefined) return wroteNo('client');
    const { source, declared } = this.#files;
    const own = source === undefined ? [] : [made(source, text)];
    const queries = this.#queries(source ?? declared?.script);
    if (declared === undefined) return withTypes([...own, ...queries]);
    const types = textOf(pendingTypes);
    if (types === undefined) return wroteNo('declarations');
    const { inputs } = bundle;
    const texts = await declareClient({ source: text, types }, { places, inputs }, declared, this.#esbuild);
    return withTypes([
      ...own,
      made(declared.types, texts.types),
      made(declared.script, texts.script),
      { ...made(declared.map, texts.map), isLocal: true },
      ...queries,
    ]);
  }

  /** The second file of the option `queryOptions`, beside the client; none without it. */
  #queries(client: string | undefined): readonly Made[] {
    const text = textOf(this.#pending.queries);
    const [, path, ending] = /^(.*)\.(m?)[jt]s$/.exec(client ?? '') ?? [];
    if (text === undefined || path === undefined || ending === undefined) return [];
    const imported = text.replace('"./client.js"', () => JSON.stringify(`./${basename(path)}.${ending}js`));
    return [made(`${path}-queries.${ending}ts`, imported)];
  }
}

/** The first file has the types: the TypeScript client if it is written, else the declarations. */
function withTypes(files: readonly Made[]): MadeClient {
  const [types] = files;
  if (types === undefined) throw new Error('a client without a file');
  return { files, types };
}

function wroteNo(what: string): { readonly failed: AppError } {
  const title = `it wrote no ${what}: call generateClientFile(process.argv[2]), and await it`;
  return { failed: { title, frames: [], details: '' } };
}
