import { expect, it } from 'vitest';
import { pageNamed, sectionMarkdown } from './find-page.js';
import { readPages } from './pages.js';
import { parsePage } from './parse-page.js';
import { sectionsOf } from './sections.js';

const pages = readPages();

it.each([
  ['sessions', 'sessions'],
  ['Sessions', 'sessions'],
  ['sessions.md', 'sessions'],
  ['cli/dev', 'cli/dev'],
  ['dev', 'cli/dev'],
  ['fw dev', 'cli/dev'],
  ['FW_ENV', 'errors/FW_ENV'],
  ['fw_env', 'errors/FW_ENV'],
  ['rate limiting', 'rate-limiting'],
])('finds %s', (words, name) => expect(pageNamed(pages, words)?.name).toBe(name));

it.each(['', 'FW_NO_SUCH_CODE', 'upload a file', '../../package'])('finds no page %j', (words) =>
  expect(pageNamed(pages, words)).toBeUndefined(),
);

it('takes no line of code for the heading of a section', () => {
  const markdown = '# Page\n\n```sh\n## a comment\n```\n\n## First\n\none\n\n### Second\n\ntwo\n';
  const page = { name: 'page', title: 'Page', group: '', file: 'page.md', markdown };
  const sections = sectionsOf({ ...page, blocks: parsePage(markdown, page.file) });
  expect(sections.map(({ heading }) => heading)).toEqual(['', 'First', 'Second']);
  expect(sections.map(sectionMarkdown).slice(1)).toEqual(['## First\n\none\n', '### Second\n\ntwo\n']);
});

it('cuts a page into sections that are the page together', () => {
  for (const page of pages) {
    const parts = sectionsOf(page).map(sectionMarkdown);
    for (const [at, section] of sectionsOf(page).entries()) {
      if (section.heading !== '') expect(parts[at]).toMatch(/^#{2,3} /);
    }
    expect(parts.join('').replace(/\s/g, '').length).toBeGreaterThan(0);
  }
});
