// Runs the app's program that writes the client, and makes the requested files from its text.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type * as Esbuild from 'esbuild';
import { absolutePath } from '../../framework/files/absolute-path.js';
import { retryBusy } from '../../framework/files/retry-busy.js';
import type { Bundle } from '../bundle/bundler.js';
import type { AppError } from '../process/messages.js';
import type { Cancellation } from '../watch/cancellation.js';
import { type ClientFiles, pendingClient } from './client-files.js';
import { declareClient, type FoundPlaces } from './declared-client.js';
import type { EntryRunner } from './run-entry.js';
import { type Made, made, textOf } from './write-changed.js';

/** What a client was made from, and the client. */
interface Run {
  /** The code of the program, with what it bundles. */
  readonly code: string;
  /** The places that it was given, and the files that they may be in. */
  readonly places: string;
  readonly client: MadeClient;
}

/** The client's files, and the one from which its types are read. */
export interface MadeClient {
  readonly files: readonly Made[];
  readonly types: Made;
}

export class ClientMaker {
  readonly #files: ClientFiles;
  readonly #runner: Pick<EntryRunner, 'run' | 'expect'>;
  readonly #esbuild: typeof Esbuild;
  readonly #pending: { readonly source: string; readonly types: string; readonly queries: string };

  #last: Run | undefined;

  constructor(
    files: ClientFiles,
    runner: Pick<EntryRunner, 'run' | 'expect'>,
    esbuild: typeof Esbuild,
    outDir: string,
  ) {
    this.#files = files;
    this.#runner = runner;
    this.#esbuild = esbuild;
    this.#pending = {
      source: pendingClient(outDir),
      types: join(outDir, 'client.d.ts'),
      queries: join(outDir, 'client-queries.ts'),
    };
  }

  /** Runs the program the next time in any case: it may find something else than the last time. */
  forget(): void {
    this.#last = undefined;
  }

  /** Prepares the first run: the program will be like this bundle. */
  expect(bundle: Bundle): void {
    this.#runner.expect(bundle);
  }

  /** Runs the program, unless it and what it is given are the same as the last time. */
  async make(
    bundle: Bundle,
    places: FoundPlaces,
    cancellation: Cancellation,
  ): Promise<MadeClient | { readonly failed: AppError }> {
    const last = this.#last;
    this.#last = undefined;
    const from = { code: codeOf(bundle), places: JSON.stringify([places, bundle.inputs]) };
    const isSame = last?.code === from.code && last.places === from.places;
    const client = isSame ? asOnDisk(last.client) : await this.#run(bundle, places, cancellation);
    if (!('failed' in client)) this.#last = { ...from, client };
    return client;
  }

  async #run(
    bundle: Bundle,
    places: FoundPlaces,
    cancellation: Cancellation,
  ): Promise<MadeClient | { readonly failed: AppError }> {
    const { source: pending, types: pendingTypes } = this.#pending;
    for (const file of Object.values(this.#pending)) await retryBusy(() => rm(file, { force: true }));
    const failed = await this.#runner.run(bundle, pending, cancellation);
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
    return [made(absolutePath(`${path}-queries.${ending}ts`), imported)];
  }
}

/** Without the source map and the name of the bundle, which differ in every build. */
function codeOf({ file }: Bundle): string {
  const text = readFileSync(file, 'utf8');
  return text.slice(0, text.lastIndexOf('//# sourceMappingURL='));
}

/** The same client, compared with the files as they are now. */
function asOnDisk({ files }: MadeClient): MadeClient {
  return withTypes(files.map((one) => ({ ...one, before: textOf(one.file) })));
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
