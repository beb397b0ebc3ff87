// Build: the framework in few files, because finding, reading and linking a module costs half a millisecond of each start.
import { writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import { type OutputChunk, type OutputOptions, type Plugin, rolldown } from 'rolldown';

export interface FrameworkBundle {
  readonly root: string;
  /** The sources of the package's entries, relative to the root. */
  readonly entries: readonly string[];
  /** Modules that are only imported when they are needed, and not at all on every runtime, relative to the root. */
  readonly replaceable: readonly string[];
  readonly external: readonly string[];
  readonly outDir: string;
  readonly withSourceMaps: boolean;
}

/** How long a line may be, in characters, where it can be broken. */
const lineLength = 320;
/** Members of syntax nodes that are lists whose items may each begin a line. */
const separable = new Set([
  'body',
  'consequent',
  'properties',
  'arguments',
  'elements',
  'specifiers',
  'cases',
]);

const MIDDLEWARE = 'middleware/index.ts';
const PROCEDURES = 'rpc/index.ts';
const TOOLS = 'mcp/index.ts';
/** Several entries share these, which are too small for a file of their own. */
const SMALL = [
  'version.ts',
  'http/cookie.ts',
  'middleware/rate-limit/rate-limit-store.ts',
  'tracing/traced-work.ts',
  'websocket/events.ts',
];

type Splitting = Exclude<OutputOptions['codeSplitting'], boolean | undefined>;
type Graph = {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
};

/** Writes the entries and their chunks. Returns the files that they were made of, relative to the root. */
export async function bundleFramework(options: FrameworkBundle): Promise<string[]> {
  const { root, entries, replaceable, external, outDir, withSourceMaps } = options;
  const nameOf = (entry: string): string =>
    replaceable.includes(entry) ? lazyName(entry) : relative('framework', entry).replace(/\.ts$/, '');
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(
      [...entries, ...replaceable].map((entry) => [nameOf(entry), join(root, entry)]),
    ),
    plugins: [importByName(replaceable.map((module) => join(root, module)))],
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    platform: 'node',
    transform: { target: 'node20.19' },
  });
  const { output } = await bundle.write({
    dir: outDir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    hashCharacters: 'base36',
    // Names stay, for messages and stacks. The sources are in the package too, for reading.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    sourcemap: withSourceMaps,
    codeSplitting: {
      groups: groups(
        join(root, 'framework'),
        entries.map((entry) => relative('framework', entry)),
      ),
    },
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  for (const chunk of chunks) {
    checkClassNames(chunk);
    if (!withSourceMaps) writeFileSync(join(outDir, chunk.fileName), breakLines(chunk.code));
  }
  return chunks.flatMap(({ moduleIds }) => moduleIds.map((id) => relative(root, id)));
}

function lazyName(module: string): string {
  return `lazy/${basename(module, '.ts')}`;
}

/** Imports of the modules become those of `#lazy/…`, which `imports` of package.json leads to them or to a substitute. */
function importByName(modules: readonly string[]): Plugin {
  return {
    name: 'imports of replaceable modules',
    resolveDynamicImport(specifier, importer) {
      if (typeof specifier !== 'string' || importer === undefined || !specifier.startsWith('.')) return null;
      const module = join(dirname(importer), specifier).replace(/\.js$/, '.ts');
      return modules.includes(module) ? { id: `#${lazyName(module)}`, external: true } : null;
    },
  };
}

/**
 * What every app loads is one file, with what servers of all runtimes share, and what middleware shares with other
 * entries is another. What an app loads when it listens on Node.js becomes one by itself.
 */
function groups(framework: string, entries: readonly string[]): NonNullable<Splitting['groups']> {
  let named: Map<string, string> | undefined;
  const nameModules = (graph: Graph): Map<string, string> => {
    const reached = (entry: string): Set<string> => reachedFrom(join(framework, entry), graph);
    const names = new Map<string, string>();
    const assign = (name: string, ids: Iterable<string>): void => {
      for (const id of ids) if (!names.has(id)) names.set(id, name);
    };
    // What is imported when it is needed is a file of its own.
    const without = (entry: string): string[] => [...reached(entry)].slice(1);
    const small = SMALL.flatMap((file) => [...reached(file)]);
    assign('core', [...reached('index.ts'), ...without('runtime/fetch-server.ts'), ...small]);
    const others = new Set(entries.flatMap((entry) => (entry === MIDDLEWARE ? [] : [...reached(entry)])));
    assign(
      'shared',
      [...reached(MIDDLEWARE)].filter((id) => others.has(id)),
    );
    // Procedures as tools are an entry that few apps have: it must not split the chunks of the others. A chunk takes what
    // its modules import, so that all of them have a name, which is that of the entries that reach them.
    const roots = entries.filter((entry) => entry !== TOOLS).map((entry) => [entry, reached(entry)] as const);
    for (const id of reached(PROCEDURES)) {
      const by = roots.flatMap(([entry, ids]) => (ids.has(id) ? [entry.split('/')[0]] : []));
      assign([...new Set(by)].join('-'), [id]);
    }
    return names;
  };
  const name = (id: string, graph: Graph): string | null => {
    named ??= nameModules(graph);
    return named.get(id) ?? null;
  };
  return [{ name, debugName: 'of nearly every app' }];
}

/** A module and what it imports, directly and indirectly, without what it imports when that is needed. */
function reachedFrom(entry: string, graph: Graph): Set<string> {
  const reached = new Set<string>();
  const open = [entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    const info = graph.getModuleInfo(id);
    if (info === null && id === entry) throw new Error(`${entry} is not part of the framework`);
    if (info === null) continue;
    reached.add(id);
    open.push(...info.importedIds);
  }
  return reached;
}

/** Names of classes are shown in messages, so one must not be renamed because another in its chunk is called the same. */
export function checkClassNames({ fileName, code }: Pick<OutputChunk, 'fileName' | 'code'>): void {
  const renamed = /\bclass ([A-Za-z_]+)\$\d/.exec(code) ?? /\b([A-Za-z_]+)\$\d+ ?= ?class\b/.exec(code);
  if (renamed === null) return;
  throw new Error(`${fileName} has two classes with the name ${renamed[1]}; give one of them another name`);
}

/**
 * Begins a new line before a statement, a member, a property or an argument that makes a line long: Node.js prints the
 * whole line in which an error was thrown.
 */
export function breakLines(code: string): string {
  const starts: number[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      if (Array.isArray(child) && separable.has(key)) starts.push(...child.map((part) => part?.start ?? 0));
      visit(child);
    }
  };
  visit(parseSync('chunk.js', code).program);
  let text = '';
  let begin = 0;
  let last = 0;
  for (const start of [...starts.sort((a, b) => a - b), code.length]) {
    if (start - begin > lineLength && last > begin) {
      text += `${code.slice(begin, last)}\n`;
      begin = last;
    }
    last = start;
  }
  return text + code.slice(begin);
}
