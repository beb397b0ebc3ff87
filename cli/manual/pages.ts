// The documentation: the pages of the installed version, in groups. They are Markdown files of the package.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../process/package-root.js';
import { type Block, plainText } from './blocks.js';
import { pageName, parsePage } from './parse-page.js';

export interface ManualPage {
  /** `sessions`, `errors/FW_ENV`, `cli/dev`. */
  readonly name: string;
  readonly title: string;
  readonly group: string;
  /** Of the Markdown in the package, with slashes. */
  readonly file: string;
  readonly markdown: string;
  readonly blocks: readonly Block[];
}

export const ERROR_GROUP = 'Error codes';

/** By the first folder below `docs`; others are called by their folder. */
const GROUPS: Readonly<Record<string, string>> = {
  cli: 'Commands',
  'coming-from': 'Coming from another framework',
  concepts: 'Concepts',
  errors: ERROR_GROUP,
  'how-to': 'How to',
  tutorial: 'Start',
};
/** Pages of the first level that are not reference. */
const GROUP_OF_PAGE: Readonly<Record<string, string>> = { tutorial: 'Start' };
const ORDER = ['Start', 'How to', 'Concepts', 'Framework', 'Commands', 'Coming from another framework'];

/** Sorted by group, then by title; error codes come last. */
export function readPages(root: string = packageRoot()): ManualPage[] {
  const pages = ['framework/docs', 'cli/docs'].flatMap((folder) => pagesIn(root, folder));
  const rank = ({ group }: ManualPage): number => {
    const at = ORDER.indexOf(group);
    return group === ERROR_GROUP ? Number.POSITIVE_INFINITY : at === -1 ? ORDER.length : at;
  };
  return pages.sort((a, b) => rank(a) - rank(b) || compare(a.group, b.group) || compare(a.title, b.title));
}

/** The order must not depend on the language of the system. */
function compare(a: string, b: string): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  return one < other ? -1 : one > other ? 1 : 0;
}

function pagesIn(root: string, folder: string): ManualPage[] {
  const found = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return found.flatMap((path) => {
    const file = `${folder}/${path.replaceAll('\\', '/')}`;
    const name = file.includes('/.') ? undefined : pageName(file);
    // The list of the pages has words of all of them.
    if (name === undefined || name === 'contents') return [];
    const markdown = readFileSync(join(root, file), 'utf8').replaceAll('\r\n', '\n');
    return [new FilePage(name, file, markdown)];
  });
}

/** Its blocks are made when somebody asks for them. */
class FilePage implements ManualPage {
  readonly name: string;
  readonly title: string;
  readonly group: string;
  readonly file: string;
  readonly markdown: string;
  #blocks: readonly Block[] | undefined;

  constructor(name: string, file: string, markdown: string) {
    this.name = name;
    this.file = file;
    this.markdown = markdown;
    this.group = groupOf(name);
    const heading = /^# .*$/m.exec(markdown)?.[0] ?? '';
    const [first] = parsePage(heading, file);
    this.title = first?.kind === 'heading' ? plainText(first.parts) : name;
  }

  get blocks(): readonly Block[] {
    this.#blocks ??= parsePage(this.markdown, this.file);
    return this.#blocks;
  }
}

function groupOf(name: string): string {
  const [folder = ''] = name.split('/');
  if (!name.includes('/')) return GROUP_OF_PAGE[name] ?? 'Framework';
  return GROUPS[folder] ?? `${folder[0]?.toUpperCase()}${folder.slice(1).replaceAll('-', ' ')}`;
}
