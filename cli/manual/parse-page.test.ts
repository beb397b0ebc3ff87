// Pages as blocks: what they consist of, and what hostile Markdown cannot do.
import { describe, expect, it } from 'vitest';
import { type Block, type Inline, plainText } from './blocks.js';
import { readPages } from './pages.js';
import { pageName, parsePage, plainMarkdown } from './parse-page.js';

const parse = (text: string): Block[] => parsePage(text, 'framework/docs/sessions.md');
const link = (text: string): Inline | undefined => {
  const [block] = parse(text);
  return block?.kind === 'paragraph' ? block.parts[0] : undefined;
};

describe('a page', () => {
  it('has headings with the addresses of GitHub, each once', () => {
    expect(parse('# `fw dev` & you\n\n## What?\n\n## What?')).toMatchObject([
      { kind: 'heading', depth: 1, slug: 'fw-dev--you' },
      { depth: 2, slug: 'what' },
      { depth: 2, slug: 'what-1' },
    ]);
  });

  it('has code, lists, tables, quotes and pictures', () => {
    const text =
      '```ts no-run\nconst a = `<b>`;\n```\n\n3. one\n4. two\n   ```sh\n   ls\n   ```\n\n| a | b |\n| - | - |\n| `1 \\| 2` | x |\n\n> said\n\n![A page](pictures/page-light.webp)';
    expect(parse(text)).toEqual([
      { kind: 'code', text: 'const a = `<b>`;', language: 'ts' },
      {
        kind: 'list',
        start: 3,
        items: [
          [{ kind: 'paragraph', parts: [{ kind: 'text', text: 'one' }] }],
          [
            { kind: 'paragraph', parts: [{ kind: 'text', text: 'two' }] },
            { kind: 'code', text: 'ls', language: 'sh' },
          ],
        ],
      },
      {
        kind: 'table',
        head: [[{ kind: 'text', text: 'a' }], [{ kind: 'text', text: 'b' }]],
        rows: [[[{ kind: 'code', text: '1 | 2' }], [{ kind: 'text', text: 'x' }]]],
      },
      {
        kind: 'quote',
        blocks: [{ kind: 'paragraph', parts: [{ kind: 'text', text: 'said' }] }],
      },
      {
        kind: 'paragraph',
        parts: [{ kind: 'picture', file: 'page-light.webp', alt: 'A page' }],
      },
    ]);
  });

  it('leaves out front matter and the marks of containers, but not in code', () => {
    const text = '---\ntitle: x\n---\n\n# A\n\n::: code-group\n\n```text\n::: b\n```\n\n:::\n';
    expect(plainMarkdown(text)).toBe('# A\n\n\n```text\n::: b\n```\n\n');
    expect(plainMarkdown('# A\n\n---\n\nb\n\n---\n')).toBe('# A\n\n---\n\nb\n\n---\n');
  });
});

describe('a link', () => {
  it.each<[string, object]>([
    ['[a](cookies.md)', { page: 'cookies' }],
    ['[a](errors/FW_ENV.md#fix)', { page: 'errors/FW_ENV', slug: 'fix' }],
    ['[a](../../cli/docs/dev.md#keys)', { page: 'cli/dev', slug: 'keys' }],
    ['[a](#times)', { slug: 'times' }],
    ['[a](https://nodejs.org/api/)', { address: 'https://nodejs.org/api/' }],
  ])('%s leads there', (text, to) => expect(link(text)).toMatchObject({ kind: 'link', to }));

  it.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](data:text/html,x)',
    '[a](//evil.example/x.md)',
    '[a](../../package.json)',
    '[a](../../../../etc/passwd.md)',
    '[a](file:///etc/x.md)',
    '[a](#" onclick="x)',
  ])('%s is text', (text) => expect(link(text)?.kind).not.toBe('link'));
});

describe('HTML', () => {
  it('is text', () => {
    const [block] = parse('<img src=x onerror=alert(1)>\n');
    expect(block).toEqual({
      kind: 'paragraph',
      parts: [{ kind: 'text', text: '<img src=x onerror=alert(1)>' }],
    });
    expect(JSON.stringify(parse('a <b onclick="x">c</b> &lt;d&gt;'))).toContain('<d>');
    expect(parse('<!-- nothing -->')).toEqual([]);
  });

  it('leads to no picture of another server', () => {
    expect(
      JSON.stringify(parse('![x](https://evil.example/a.png) ![y](../../x/pictures/a.exe)')),
    ).not.toContain('picture"');
  });
});

it('names pages by their files', () => {
  expect(pageName('framework/docs/errors/FW_ENV.md')).toBe('errors/FW_ENV');
  expect(pageName('cli/docs/dev.md')).toBe('cli/dev');
  expect(pageName('CHANGELOG.md')).toBeUndefined();
});

describe('the pages of the package', () => {
  const pages = readPages();

  it('have names and titles of their own', () => {
    expect(pages.length).toBeGreaterThan(180);
    expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
    expect(pages.find(({ name }) => name === 'cli/dev')).toMatchObject({
      title: 'fw dev',
      group: 'Commands',
    });
    expect(pages.at(-1)?.group).toBe('Error codes');
  });

  it('lead to pages and headings that exist', () => {
    const slugs = new Map(
      pages.map(({ name, blocks }) => [
        name,
        blocks.flatMap((block) => (block.kind === 'heading' ? [block.slug] : [])),
      ]),
    );
    const dead: string[] = [];
    const walk = (page: string, value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { kind, to } = value as {
        kind?: string;
        to?: { page?: string; slug?: string; address?: string };
      };
      if (kind === 'link' && to !== undefined && to.address === undefined) {
        const there = slugs.get(to.page ?? page);
        if (there === undefined || (to.slug !== undefined && !there.includes(to.slug)))
          dead.push(`${page} → ${to.page ?? ''}#${to.slug ?? ''}`);
      }
      for (const one of Object.values(value)) walk(page, one);
    };
    for (const { name, blocks } of pages) walk(name, blocks);
    expect(dead).toEqual([]);
  });

  it('have a title that is their first heading', () => {
    for (const { blocks, title } of pages) {
      const [first] = blocks;
      expect(first?.kind === 'heading' ? plainText(first.parts) : '').toBe(title);
    }
  });
});
