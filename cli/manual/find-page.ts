// The documentation: the page that is named, and the Markdown of one of its sections.

import type { ManualPage } from './pages.js';
import { plainMarkdown } from './parse-page.js';
import { type ManualSection, sectionsOf } from './sections.js';

/** A page by its name, by the last part of it, or by the code of an error, in any case of letters. */
export function pageNamed(pages: readonly ManualPage[], words: string): ManualPage | undefined {
  const wanted = words.trim().toLowerCase().replace(/^fw /, 'cli/').replace(/\.md$/, '').replaceAll(' ', '-');
  return (
    pages.find(({ name }) => name.toLowerCase() === wanted) ??
    pages.find(({ name }) => name.toLowerCase().endsWith(`/${wanted}`))
  );
}

/** As it is in the file, so that a program can read it. */
export function sectionMarkdown({ page, slug }: ManualSection): string {
  const at = sectionsOf(page).findIndex((section) => section.slug === slug);
  const parts: string[] = [''];
  let isCode = false;
  for (const line of plainMarkdown(page.markdown).split('\n')) {
    if (/^ {0,3}```/.test(line)) isCode = !isCode;
    if (!isCode && /^#{2,3} /.test(line)) parts.push('');
    parts[parts.length - 1] += `${line}\n`;
  }
  return `${parts[at]?.trimEnd() ?? ''}\n`;
}
