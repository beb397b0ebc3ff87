// MCP of `fw dev`: the documentation of the installed version. Its tools work without `fw dev`.
import { pageNamed, sectionMarkdown } from '../../manual/find-page.js';
import { type ManualPage, readPages } from '../../manual/pages.js';
import { plainMarkdown } from '../../manual/parse-page.js';
import { ManualSearch } from '../../manual/search.js';
import { sectionsOf } from '../../manual/sections.js';
import { cut } from './mcp-texts.js';
import { type DevTool, limit, ToolProblem } from './mcp-tool.js';

/** How much of a page one answer has, in characters. */
const PIECE = 5000;

let pages: readonly ManualPage[] | undefined;
let index: Promise<ManualSearch> | undefined;

/** Nothing is read before somebody asks. */
function allPages(): readonly ManualPage[] {
  pages ??= readPages();
  return pages;
}

const searchDocs: DevTool = {
  name: 'search_docs',
  description:
    'Searches the documentation of the installed version of fw: APIs, guides, error codes such as FW_ENV. Other frameworks differ: look before you write code. read_doc shows what it finds.',
  parameters: {
    query: { type: 'string', description: 'words, a question, an error message or a code', isRequired: true },
    limit: limit(12, 5),
  },
  worksAlone: true,
  async run(given) {
    index ??= ManualSearch.of(allPages());
    const results = (await index).find(given.text('query').slice(0, 500), given.whole('limit', 5));
    if (results.length === 0) return 'no results; use other words';
    return results
      .map(({ page, section, excerpt }) => {
        const section_ = section.slug === '' ? '' : `, section ${section.slug}`;
        const heading = section.heading === '' ? '' : ` › ${section.heading}`;
        return `${page.name}${section_}: ${page.title}${heading}\n    ${cut(excerpt.replaceAll('\n', ' '), 240)}`;
      })
      .join('\n');
  },
};

const readDoc: DevTool = {
  name: 'read_doc',
  description: 'A page of the documentation in Markdown, or one section of it, in pieces.',
  parameters: {
    page: {
      type: 'string',
      description: 'the name in search_docs, such as sessions or errors/FW_ENV',
      isRequired: true,
    },
    section: { type: 'string', description: 'the section in search_docs' },
    offset: { type: 'integer', minimum: 0, maximum: 1e7, description: 'where to go on, in characters' },
  },
  worksAlone: true,
  run(given) {
    const name = given.text('page');
    const page = pageNamed(allPages(), name);
    if (page === undefined)
      throw new ToolProblem(
        `there is no page ${JSON.stringify(name.slice(0, 100))}; search_docs finds pages`,
      );
    const slug = given.text('section');
    const sections = sectionsOf(page);
    const section = sections.find((one) => one.slug === slug);
    if (section === undefined) {
      const known = sections
        .map((one) => one.slug)
        .filter(Boolean)
        .slice(0, 30)
        .join(', ');
      throw new ToolProblem(
        `${page.name} has no section ${JSON.stringify(slug.slice(0, 100))}; it has ${known}`,
      );
    }
    const text = slug === '' ? plainMarkdown(page.markdown) : sectionMarkdown(section);
    const from = given.whole('offset', 0);
    const piece = text.slice(from, from + PIECE);
    const rest = text.length - from - piece.length;
    if (rest <= 0) return piece === '' ? 'the page has ended before' : piece;
    const names = sections
      .map((one) => one.slug)
      .filter(Boolean)
      .join(', ');
    const hint = slug === '' && from === 0 ? `; sections: ${cut(names, 1500)}` : '';
    return `${piece}\n\n(${rest} more characters: offset ${from + piece.length}${hint})`;
  },
};

export const docsTools: readonly DevTool[] = [searchDocs, readDoc];
