// The reference of the API: one page for each subpath of the package, from the doc comments in its declarations.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { slug } from 'github-slugger';
import type { ProjectReflection } from 'typedoc';
import { idOnSite } from './markdown.js';
import { type Page, root } from './pages.js';

/** TypeDoc needs the compiler API, which TypeScript 7 does not have: it gets version 6, which is installed beside. */
const typeScript6 = `export function resolve(name, context, next) {
  return name === 'typescript'
    ? next('typescript-6', { ...context, parentURL: ${JSON.stringify(pathToFileURL(root).href)} })
    : next(name, context);
}`;

interface Entry {
  /** As it is imported: `fw/rpc`. */
  readonly name: string;
  /** The file with its declarations. */
  readonly file: string;
  /** What TypeDoc calls it, after its file. */
  readonly module: string;
}

function entries(): Entry[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly types?: string } | string>>;
  };
  return Object.entries(exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string' || target.types === undefined) return [];
    const [, module = 'index'] = /^\.\/dist\/framework\/(.+)\/index\.d\.ts$/.exec(target.types) ?? [];
    return [{ name: `fw${subpath.slice(1)}`, file: join(root, target.types), module }];
  });
}

/**
 * Writes the pages below `folder`, unless those there are newer than the build.
 * @throws Error if the package is not built
 */
export async function makeApiReference(folder: string): Promise<Page[]> {
  const all = entries();
  const missing = all.find(({ file }) => !existsSync(file));
  if (missing) throw new Error(`${missing.file} is missing; run npm run build`);
  const last = join(folder, 'index.md');
  const built = Math.max(...all.map(({ file }) => statSync(file).mtimeMs));
  if (!existsSync(last) || statSync(last).mtimeMs < built) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await writeModules(folder, all);
    writeFileSync(last, indexOf(readModules(folder)));
  }
  return readModules(folder);
}

async function writeModules(folder: string, all: readonly Entry[]): Promise<void> {
  register(`data:text/javascript,${encodeURIComponent(typeScript6)}`);
  const { Application } = await import('typedoc');
  const tsconfig = join(folder, 'tsconfig.json');
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    strict: true,
    skipLibCheck: true,
  };
  const typeRoots = [join(root, 'node_modules/@types')];
  writeFileSync(
    tsconfig,
    JSON.stringify({
      compilerOptions: { ...compilerOptions, types: ['node'], typeRoots },
      files: all.map(({ file }) => file),
    }),
  );
  const options = {
    name: 'API',
    entryPoints: all.map(({ file }) => file),
    tsconfig,
    plugin: ['typedoc-plugin-markdown'],
    readme: 'none',
    out: folder,
    cleanOutputDir: false,
    entryFileName: 'modules',
    router: 'module',
    flattenOutputFiles: true,
    skipErrorChecking: true,
    disableSources: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    useHTMLAnchors: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    enumMembersFormat: 'table',
    typeDeclarationFormat: 'table',
    tableColumnSettings: { leftAlignHeaders: true, hideDefaults: true },
    pageTitleTemplates: { module: '{name}' },
    logLevel: 'Error',
  };
  const app = await Application.bootstrapWithPlugins(
    options as Parameters<typeof Application.bootstrapWithPlugins>[0],
  );
  app.converter.on('resolveBegin', ({ project }) => nameModules(project, all));
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc made no API reference');
  await app.generateOutputs(project);
  for (const file of ['modules.md', 'tsconfig.json']) rmSync(join(folder, file), { force: true });
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    writeFileSync(file, withHeadingIds(readFileSync(file, 'utf8')));
  }
}

/** The ids that TypeDoc links to, on the headings themselves; those of the parts of a declaration begin with its own. */
export function withHeadingIds(text: string): string {
  const taken = new Set([...text.matchAll(ANCHOR)].map(([, id]) => id));
  let declaration = '';
  const linked = text.replace(
    /(\]\([\w.-]*#)([\w-]+)\)/g,
    (_all, before: string, id: string) => `${before}${idOnSite(id)})`,
  );
  return linked.replace(ANCHORED_HEADING, (_all, id: string | undefined, heading: string) => {
    if (id !== undefined) declaration = `${id}-`;
    const own = id ?? unique(declaration + slug(heading.replace(/^#+ /, '')), taken);
    return `${heading} {#${idOnSite(own)}}`;
  });
}

const ANCHOR = /<a id="([\w-]+)">/g;
const ANCHORED_HEADING = /(?:^<a id="([\w-]+)"><\/a>\n+)?^(#{2,} .+)$/gm;

function unique(id: string, taken: Set<string | undefined>): string {
  const free = taken.has(id) ? unique(`${id}-1`, taken) : id;
  taken.add(free);
  return free;
}

/** The names are those of files, which a slash cannot be in. */
function nameModules(project: ProjectReflection, all: readonly Entry[]): void {
  for (const module of project.children ?? []) {
    const entry = all.find((one) => one.module === module.name);
    if (entry === undefined)
      throw new Error(`TypeDoc has a module ${module.name} that package.json does not export`);
    module.name = entry.name.replaceAll('/', '-');
    // A namespace would be a page of its own; the interface of the same name stays.
    for (const inner of [...(module.children ?? [])]) {
      if (inner.kind === NAMESPACE) project.removeReflection(inner);
    }
  }
}

/** `ReflectionKind.Namespace`. */
const NAMESPACE = 4;

function readModules(folder: string): Page[] {
  const names = new Map(entries().map(({ name }) => [`${name.replaceAll('/', '-')}.md`, name]));
  return readdirSync(folder)
    .map((file) => {
      const name = names.get(file);
      const text = readFileSync(join(folder, file), 'utf8').replace(
        /^# .+$/m,
        `# ${name ?? 'Subpaths of the package'}`,
      );
      const counted = new Set([...text.matchAll(HEADING)].map(([, one]) => one)).size;
      const summary = name
        ? `The ${counted} names that ${name} exports: what each is, and what it takes and throws.`
        : 'Everything that the package exports.';
      return { source: 'package.json', path: `api/${file}`, title: name ?? 'All subpaths', summary, text };
    })
    .sort((a, b) => (a.title < b.title ? -1 : 1));
}

/** Of something that is exported, with the id that it is linked by, if it has one. */
const HEADING = /^### (\S+?)(?:\(\))?(?: \{#([\w-]+)\})?$/gm;

function indexOf(pages: readonly Page[]): string {
  const rows = pages.map(({ path, title, text }) => {
    const file = path.slice('api/'.length);
    // A type and a value can have one name.
    const ids = new Map(
      [...text.matchAll(HEADING)].map(([, name = '', id = '']) => [name, id] as const).reverse(),
    );
    const names = [...ids].reverse().map(([name, id]) => `[${name}](./${file}${id && `#${id}`})`);
    return `| [${title}](./${file}) | ${names.join(', ')} |`;
  });
  return `# Subpaths\n\n| Subpath | Names |\n| --- | --- |\n${rows.join('\n')}\n`;
}
