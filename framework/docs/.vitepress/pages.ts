// The first step of the site: which Markdown files become pages, at which addresses, and their text with links between
// those addresses. The sources are read on disk, on hosts of repositories and in the package too, so they link to files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { idOnSite, mapProse, plainText } from './markdown.js';

export const root: string = fileURLToPath(new URL('../../..', import.meta.url));

export interface Page {
  /** The path of its source, from the root of the repository. */
  readonly source: string;
  /** The path of its Markdown on the site; that of its HTML ends in `.html` instead. */
  readonly path: string;
  readonly title: string;
  /** Its first paragraph, without marks. */
  readonly summary: string;
  /** The text, with links to other pages of the site. */
  readonly text: string;
}

/** Which files are pages. The first rule that a path matches says its place on the site. */
const places: readonly (readonly [pattern: RegExp, path: string])[] = [
  [/^framework\/docs\/\.vitepress\/landing\.md$/, 'index.md'],
  // The contents are the sidebar there.
  [/^framework\/docs\/(?!contents\.md$)((?:[\w-]+\/)*[\w-]+\.md)$/, '$1'],
  [/^cli\/docs\/cli\.md$/, 'cli/index.md'],
  [/^cli\/docs\/([\w-]+\.md)$/, 'cli/$1'],
  [/^templates\/([\w-]+)\/README\.md$/, 'templates/$1.md'],
  [/^templates\/([\w-]+)\/RUNBOOK\.md$/, 'templates/$1-runbook.md'],
  [/^CHANGELOG\.md$/, 'changelog.md'],
];
/** Files that pages link to, and that the site has a page instead of. */
const instead: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'framework/docs/contents.md': 'index.md',
};
/** What the landing page may link to besides. */
const GENERATED = /^framework\/docs\/\.vitepress\/(api\/.+)$/;
export const sourceFolders: readonly string[] = ['framework/docs', 'cli/docs', 'templates'];

/** @throws Error if a page links to a file that is not on the site */
export function readPages(): Page[] {
  const sources = new Map(
    markdownFiles().flatMap((source) => {
      const path = placeOf(source);
      return path === undefined ? [] : [[source, path] as const];
    }),
  );
  const faults: string[] = [];
  const pages = [...sources].map(([source, path]) => {
    const text = moveLinks(readFileSync(join(root, source), 'utf8'), source, path, sources, faults);
    return { source, path, title: titleOf(text, source), summary: summaryOf(text), text: withVersion(text) };
  });
  if (faults.length > 0) throw new Error(`links that lead nowhere on the site:\n${faults.join('\n')}`);
  return pages;
}

/** Pictures, whose path on the site is that below `framework/docs`. */
export function pictures(): string[] {
  return readdirSync(join(root, 'framework/docs/pictures')).map((name) => `pictures/${name}`);
}

export const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

function markdownFiles(): string[] {
  const below = sourceFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll(sep, '/')}`,
    ),
  );
  return [...below, 'CHANGELOG.md'].filter((name) => name.endsWith('.md')).sort();
}

function placeOf(source: string): string | undefined {
  const rule = places.find(([pattern]) => pattern.test(source));
  return rule && source.replace(...rule);
}

/** The landing page shows commands of this version. */
function withVersion(text: string): string {
  return text.replaceAll('%VERSION%', version);
}

/** `](target)` with an optional title, and the addresses of pictures in HTML. */
const LINK = /(\]\(|(?:src|srcset)=")([^)\s"#]*)(?:#([^)\s"]*))?/g;

function moveLinks(
  text: string,
  source: string,
  path: string,
  sources: ReadonlyMap<string, string>,
  faults: string[],
): string {
  return mapProse(text, (prose) =>
    prose.replace(LINK, (all, before: string, target: string, id?: string) => {
      if (/^[a-z]+:/.test(target)) return all;
      const anchor = id === undefined ? '' : `#${idOnSite(id)}`;
      if (target === '') return before + anchor;
      const file = posix.normalize(posix.join(posix.dirname(source), target));
      const place = sources.get(file) ?? instead[file] ?? pictureAt(file) ?? GENERATED.exec(file)?.[1];
      if (place !== undefined) return before + relativePath(path, place) + anchor;
      faults.push(`${source}: ${target}`);
      return all;
    }),
  );
}

function pictureAt(file: string): string | undefined {
  const [, name] = /^framework\/docs\/(pictures\/.+)$/.exec(file) ?? [];
  return name !== undefined && existsSync(join(root, file)) ? name : undefined;
}

/** From page to page, so that the site works under any base. */
function relativePath(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

function titleOf(text: string, source: string): string {
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error(`${source} has no heading of the first level`);
  return plainText(title);
}

function summaryOf(text: string): string {
  const prose = text.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/^ *```[\s\S]*?^ *``` *$/gm, '');
  const paragraph = prose
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .find((part) => part !== '' && !/^[#|<>![:-]/.test(part));
  return plainText(paragraph ?? '').replace(/:$/, '.');
}
