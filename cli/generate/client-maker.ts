// Runs the app's program that writes the client, and makes the requested files from its text.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import type * as Esbuild from 'esbuild';
import type { Place } from '../../framework/client-gen/compiler/compiler.js';
import { type AbsolutePath, absolutePath } from '../../framework/files/absolute-path.js';
import { retryBusy } from '../../framework/files/retry-busy.js';
import type { Bundle } from '../bundle/bundler.js';
import type { AppError } from '../process/messages.js';
import type { Cancellation } from '../watch/cancellation.js';
import { type ClientFiles, type DeclaredFiles, pendingClient } from './client-files.js';
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

/** The texts that a JavaScript client is made from. */
interface ClientTexts {
  readonly source: string;
  /** The declarations, as the app's program wrote them. */
  readonly types: string;
}

/** The places of procedures by name, as the compiler found them. */
type FoundPlaces = Readonly<Record<string, readonly Place[]>>;

interface DeclaredTexts {
  readonly script: string;
  readonly types: string;
  /** Undefined if no procedure's place is known. */
  readonly map: string | undefined;
}

/**
 * @param places the places of all procedures in the project, which may belong to other registries too
 * @param inputs the files that this client is made from
 */
async function declareClient(
  { source, types }: ClientTexts,
  { places, inputs }: { readonly places: FoundPlaces; readonly inputs: readonly AbsolutePath[] },
  files: DeclaredFiles,
  esbuild: typeof Esbuild,
): Promise<DeclaredTexts> {
  const map = definitionMap(types, chosenPlaces(places, inputs), files.map);
  const { code } = await esbuild.transform(source, { loader: 'ts', format: 'esm', target: 'es2022' });
  // esbuild removes the comments before types, so the first line may be missing.
  const head = source.slice(0, source.indexOf('\n') + 1);
  return {
    script: code.startsWith(head) ? code : `${head}\n${code}`,
    types: map === undefined ? types : `${types}//# sourceMappingURL=${basename(files.map)}\n`,
    map,
  };
}

/** If several registries (those of tests, for example) have a procedure of one name, chooses that of this client. */
function chosenPlaces(places: FoundPlaces, inputs: readonly AbsolutePath[]): Map<string, Place> {
  const used = new Set(inputs);
  const chosen = new Map<string, Place>();
  for (const [name, found] of Object.entries(places)) {
    const place = found.find(({ file }) => used.has(file)) ?? found[0];
    if (place !== undefined) chosen.set(name, place);
  }
  return chosen;
}

/**
 * A source map (ECMA-426). Undefined if no place is known.
 *
 * @param declarations as they are printed: one method per line, indented by two, and by two more for each group
 * @param places the places of procedures by name
 * @param file the path of the map, to which the paths in it are relative
 */
export function definitionMap(
  declarations: string,
  places: ReadonlyMap<string, Place>,
  file: string,
): string | undefined {
  const sources: string[] = [];
  const lines = declarations.split('\n');
  const start = lines.indexOf('export interface FwRpcClient {');
  const groups: string[] = [];
  const segments = lines.map((line, index): SourceMapSegment[] => {
    if (index <= start || start < 0) return [];
    const indent = 2 + 2 * groups.length;
    const [, opening = '', group = ''] = GROUP.exec(line) ?? [];
    if (group !== '' && opening.length === indent) groups.push(group);
    else if (line === `${' '.repeat(indent - 2)}};`) groups.pop();
    const [, spaces = '', method = ''] = METHOD.exec(line) ?? [];
    const member = method.startsWith('"') ? JSON.parse(method) : method;
    const place = spaces.length === indent ? places.get([...groups, member].join('.')) : undefined;
    if (place === undefined) return [];
    const path = sourcePath(place.file, file);
    if (!sources.includes(path)) sources.push(path);
    return methodSegments(
      [spaces.length, spaces.length + method.length],
      sources.indexOf(path),
      place,
      member.length,
    );
  });
  if (sources.length === 0) return undefined;
  const map = { version: 3, file: basename(file, '.map'), sources, names: [], mappings: encode(segments) };
  return `${JSON.stringify(map)}\n`;
}

const METHOD = /^( +)("(?:[^"\\]|\\.)*"|[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)(?:: )?\(/u;
const GROUP = /^( +)(?:readonly )?([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*): \{$/u;

/** Editors use the nearest segment for a position without one, so everything except the name gets an empty segment. */
function methodSegments(
  [start, end]: readonly [start: number, end: number],
  source: number,
  { line, column }: Place,
  name: number,
): SourceMapSegment[] {
  const quotes = 2;
  return [
    [0],
    [start, source, line - 1, column - 1],
    [end, source, line - 1, column - 1 + name + quotes],
    [end + 1],
  ];
}

/** Not percent-encoded, because editors do not decode it. Absolute if the files are on different drives. */
function sourcePath(source: string, map: string): string {
  return relative(dirname(map), source).split(sep).join('/');
}
