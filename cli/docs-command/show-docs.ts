// `fw docs`: words → page or section → browser or terminal.
import { join } from 'node:path';
import { nearest } from '../../framework/options/nearest.js';
import { pageNamed, sectionMarkdown } from '../manual/find-page.js';
import { ERROR_GROUP, type ManualPage, readPages } from '../manual/pages.js';
import { plainMarkdown } from '../manual/parse-page.js';
import { type ManualResult, ManualSearch } from '../manual/search.js';
import type { ManualSection } from '../manual/sections.js';
import { terminalText } from '../manual/terminal-page.js';
import { packageRoot, packageVersion } from '../process/package-root.js';
import { type Colors, colorsFor } from '../terminal/color.js';
import { CliError } from '../terminal/errors.js';
import { count } from '../terminal/output.js';
import { printable } from '../terminal/printable.js';
import { openInWorkbench } from './open-in-workbench.js';

export interface DocsFlags {
  print?: boolean;
  json?: boolean;
}

const CODE = /^FW_\w+$/i;

/** @throws CliError without results */
export async function showDocs(words: readonly string[], flags: DocsFlags): Promise<void> {
  const query = words.join(' ').trim();
  const pages = readPages();
  if (query === '') return flags.json === true ? printJson(pages.map(pageJson)) : print(listText(pages));
  const page = pageNamed(pages, query);
  const results = page === undefined || flags.json === true ? await search(pages, query) : [];
  if (flags.json === true) {
    const first = page === undefined ? [] : [{ ...pageJson(page), heading: '', slug: '', excerpt: '' }];
    return printJson([...first, ...results.filter((one) => one.page !== page).map(resultJson)]);
  }
  // A word of that form is a code, or the name of a variable that a page names.
  const fitting = CODE.test(query)
    ? results.filter(({ page: one }) => one.markdown.includes(query))
    : results;
  const [best, ...others] = fitting;
  const section = best?.section;
  const found = page ?? best?.page;
  if (found === undefined) throw noResults(pages, query);
  const opened =
    flags.print === true || !process.stdout.isTTY ? undefined : await openInWorkbench(found, section);
  if (opened !== undefined) print(`Opened ${opened}\n`);
  else if (section === undefined || section.slug === '') printPage(found);
  else printSection(section);
  hint(found, section, others);
}

async function search(pages: readonly ManualPage[], query: string): Promise<ManualResult[]> {
  return (await ManualSearch.of(pages)).find(query, 6);
}

function noResults(pages: readonly ManualPage[], query: string): CliError {
  const version = packageVersion();
  if (!CODE.test(query)) {
    return new CliError(`no results for '${query}' in the documentation of fw ${version}`, {
      help: 'use other words, or list all pages: fw docs',
    });
  }
  const codes = pages.filter(({ group }) => group === ERROR_GROUP).map(({ title }) => title);
  const meant = nearest(query.toUpperCase(), codes);
  return new CliError(`fw ${version} has no error code ${query}`, {
    help: meant === undefined ? 'list all codes: fw docs error-codes' : `did you mean: fw docs ${meant}`,
  });
}

/** A terminal gets it rendered, a program the Markdown. */
function printPage(page: ManualPage): void {
  print(process.stdout.isTTY ? rendered(page.blocks) : plainMarkdown(page.markdown));
}

function printSection(section: ManualSection): void {
  const { page, blocks } = section;
  const title = colorsFor(process.stdout).dim(page.title);
  print(process.stdout.isTTY ? `${title}\n\n${rendered(blocks)}` : sectionMarkdown(section));
}

function rendered(blocks: ManualPage['blocks']): string {
  return terminalText(blocks, colorsFor(process.stdout), process.stdout.columns);
}

/** On standard error, so that the output is the page alone. */
function hint(page: ManualPage, section: ManualSection | undefined, others: readonly ManualResult[]): void {
  const color = colorsFor(process.stderr);
  const lines = [
    ...(section === undefined || section.slug === '' ? [] : [`The whole page: fw docs ${nameOf(page)}`]),
    ...(others.length === 0 ? [] : ['Other results:']),
    ...others.map((result) => {
      const { title } = result.page;
      const { heading } = result.section;
      return `  fw docs ${nameOf(result.page)}  ${color.dim(heading === '' ? title : `${title} › ${heading}`)}`;
    }),
  ];
  if (lines.length > 0) process.stderr.write(`\n${lines.join('\n')}\n`);
}

/** As short as the command takes it. */
function nameOf({ name, group, title }: ManualPage): string {
  return group === ERROR_GROUP ? title : name;
}

function listText(pages: readonly ManualPage[]): string {
  const color = colorsFor(process.stdout);
  const groups = new Map<string, ManualPage[]>();
  for (const page of pages) groups.set(page.group, [...(groups.get(page.group) ?? []), page]);
  const width = Math.max(
    ...pages.filter(({ group }) => group !== ERROR_GROUP).map(({ name }) => name.length),
  );
  const texts = [...groups].map(([group, all]) => {
    const lines =
      group === ERROR_GROUP ? [codesLine(all, color)] : all.map((page) => pageLine(page, width, color));
    return `${color.bold(group)}\n${lines.join('\n')}\n`;
  });
  return `${texts.join('\n')}\n${color.dim('Show one: fw docs sessions. Search: fw docs upload a file')}\n`;
}

function pageLine({ name, title }: ManualPage, width: number, color: Colors): string {
  return `  ${color.cyan(name.padEnd(width))}  ${printable(title)}`;
}

function codesLine(all: readonly ManualPage[], color: Colors): string {
  return `  ${count(all.length, 'page')}, such as ${color.cyan(`fw docs ${all[0]?.title}`)}; all: ${color.cyan('fw docs error-codes')}`;
}

function pageJson({ name, title, group, file }: ManualPage): object {
  return { page: name, title, group, file: join(packageRoot(), file) };
}

function resultJson({ page, section: { heading, slug }, excerpt }: ManualResult): object {
  return { ...pageJson(page), heading, slug, excerpt };
}

function printJson(value: unknown): void {
  print(`${JSON.stringify(value)}\n`);
}

function print(text: string): void {
  process.stdout.write(text);
}
