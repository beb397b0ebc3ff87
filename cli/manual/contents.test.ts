// A long page says near its top what is on it: the site shows an outline, but an editor and `fw docs` do not.
import { expect, it } from 'vitest';
import { plainText } from './blocks.js';
import { type ManualPage, readPages } from './pages.js';
import { textsOf } from './sections.js';

const LONG = 1500;

const pages = readPages().map((page) => ({
  name: page.name,
  isLong: page.markdown.split(/\s+/).length > LONG,
  line: /^On this page: (.+)$/m.exec(beforeHeadings(page.markdown))?.[1],
  contents: contentsOf(page),
}));

it('is on every page of more than 1,500 words', () => {
  const long = pages.filter(({ isLong }) => isLong);
  expect(long.length).toBeGreaterThan(10);
  expect(long.filter(({ line }) => line === undefined).map(({ name }) => name)).toEqual([]);
});

it.each(pages.filter(({ line }) => line !== undefined))('names the headings of $name', (page) => {
  expect(page.line?.replaceAll('`', '')).toBe(page.contents);
});

it('is not what a search finds', () => {
  const texts = readPages().map(({ blocks }) => textsOf(blocks).text);
  expect(texts.filter((text) => text.includes('On this page:'))).toEqual([]);
});

/** What a page has before its parts, without its examples. */
function beforeHeadings(markdown: string): string {
  return markdown.replace(/^```.*\n(?:(?!```).*\n)*```$/gm, '').split(/^## /m)[0] ?? '';
}

function contentsOf({ blocks }: ManualPage): string {
  return blocks
    .flatMap((block) => (block.kind === 'heading' && block.depth === 2 ? [block] : []))
    .map(({ parts, slug }) => `[${plainText(parts)}](#${slug})`)
    .join(' · ');
}
