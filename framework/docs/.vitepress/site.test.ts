// What makes pages of the sources of the documentation site; the site as a whole is tested in e2e/docs-site.test.ts.
import { expect, test } from 'vitest';
import { withHeadingIds } from './api-reference.js';
import { contentsText } from './contents.js';
import { deadLinks } from './links.js';
import { type Group, listPages, pagesOf, sidebarOf } from './navigation.js';
import { type Page, readPages, version } from './pages.js';
import { released } from './released.js';
import { forSite } from './stage.js';
import { withTabs } from './tabs.js';

const page = (path: string): Page => ({ source: path, path, title: path, summary: '', text: `# ${path}` });

test('the sources of all pages are read, and their links lead to pages of the site', () => {
  const pages = readPages();
  const text = (path: string) => pages.find((one) => one.path === path)?.text ?? '';
  expect(text('cli/index.md')).toContain('](./');
  expect(pages.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['index.md', 'routing.md', 'cli/dev.md', 'templates/basic.md', 'changelog.md']),
  );
  expect(text('settings.md')).toContain('](./cli/dev.md)');
  expect(text('changelog.md')).toContain('](./mail.md)');
  expect(text('templates/production.md')).toContain('](./production-runbook.md)');
  expect(text('index.md')).not.toContain('%VERSION%');
});

test('a page that no group lists, or that does not exist, or is listed twice, is an error', () => {
  const groups: Group[] = [
    { title: 'Guides', pages: ['a', 'more/*'], groups: [{ title: 'In', pages: [['b', 'Bee']] }] },
  ];
  const pages = [page('a.md'), page('b.md'), page('index.md'), page('more/z.md'), page('more/c.md')];
  const [listed] = listPages(pages, groups);
  expect(listed && pagesOf(listed).map(({ title }) => title)).toEqual([
    'a.md',
    'more/c.md',
    'more/z.md',
    'Bee',
  ]);
  expect(() => listPages([...pages, page('new.md')], groups)).toThrow(/new \(new\.md\) is in no group/);
  expect(() => listPages(pages.slice(1), groups)).toThrow('a is listed, and there is no such page');
  expect(() => listPages(pages, [...groups, { title: 'Again', pages: ['a'] }])).toThrow('a is listed twice');
});

test('the navigation lists every page that there is', () => {
  const pages = [...readPages(), page('api/index.md')];
  expect(listPages(pages).flatMap(pagesOf)).toHaveLength(pages.length - 1);
});

test('the page of contents lists what the navigation does; vitest -u writes it', async () => {
  const text = contentsText(listPages([...readPages(), page('api/index.md')]));
  await expect(text).toMatchFileSnapshot('../contents.md');
  expect(text).toContain('\n### How to\n');
  expect(text).toContain('](../../cli/docs/dev.md)');
  expect(text).not.toContain('](errors/');
});

test('the menu of versions leads to hosted ones, and to the changes of others', () => {
  const changes = `## [Unreleased]\n## [${version}] - 2026-11-22\n## [0.8.1] - 2026-10-01\n## [0.8.0] - 2026-09-01\n`;
  const newest = 'https://team.example/fw/';
  expect(released({ others: [version, '0.8.1'], newest }, changes)).toEqual([
    { text: 'The newest version', link: newest },
    { text: `${version}, this version`, link: `/changelog#${version.replaceAll('.', '')}---2026-11-22` },
    { text: '0.8.1', link: '/v0.8.1/', target: '_self' },
    { text: '0.8.0', link: '/changelog#080---2026-09-01' },
  ]);
  expect(released()[0]?.text).toBe(`${version}, this version`);
});

test('groups without pages are left out, and index pages end in a slash', () => {
  const listed = listPages(
    [page('cli/index.md')],
    [
      { title: 'CLI', pages: ['cli/index'] },
      { title: 'Later', pages: ['later/*'] },
    ],
  );
  expect(sidebarOf(listed)).toEqual([
    { text: 'CLI', collapsed: true, items: [{ text: 'cli/index.md', link: '/cli/' }] },
  ]);
});

test('commands of npm have tabs of the other package managers, with their comments below each other', () => {
  expect(withTabs('```sh\nnpm install -D pg  # for both\nnpx fw dev         # serves\n```\n')).toBe(
    `::: code-group

\`\`\`sh [npm]
npm install -D pg  # for both
npx fw dev         # serves
\`\`\`

\`\`\`sh [pnpm]
pnpm add -D pg   # for both
pnpm exec fw dev # serves
\`\`\`

\`\`\`sh [yarn]
yarn add --dev pg # for both
yarn fw dev       # serves
\`\`\`

\`\`\`sh [bun]
bun add --dev pg # for both
bunx fw dev      # serves
\`\`\`

:::
`,
  );
  for (const other of [
    '```sh\ncurl http://127.0.0.1\nnpm test\n```\n',
    '```sh\nnpm install --global x\n```\n',
  ]) {
    expect(withTabs(other)).toBe(other);
  }
});

test('blocks below the names of alternatives become tabs, and other blocks stay', () => {
  const block = (name: string) => `${name}:\n\n\`\`\`ts no-run\nimport '${name}';\n\`\`\`\n\n`;
  const text = `Before.\n\n${block('zod')}${block('valibot')}After.\n`;
  expect(withTabs(text)).toBe(
    "Before.\n\n::: code-group\n\n```ts [zod]\nimport 'zod';\n```\n\n```ts [valibot]\nimport 'valibot';\n```\n\n:::\n\nAfter.\n",
  );
  for (const other of [block('zod'), block('zod') + block('Kysely'), block('One') + block('Two')]) {
    expect(withTabs(other)).toBe(other);
  }
});

test('leaves out the contents of a page, which the outline shows', () => {
  const page = '# A\n\nText.\n\nOn this page: [`b`](#b) · [C](#c)\n\n## `b`\n';
  expect(forSite(page, [])).toBe('# A\n\nText.\n\n## `b`\n');
});

test('a picture in light has the one in dark beside it, if there is one', () => {
  const images = ['pictures/a-light.webp', 'pictures/a-dark.webp', 'pictures/b-light.webp'];
  expect(forSite('![A](../pictures/a-light.webp)', images)).toBe(
    '![A](../pictures/a-light.webp){.on-light}![A](../pictures/a-dark.webp){.on-dark}',
  );
  for (const other of ['![B](pictures/b-light.webp)', '`![A](pictures/a-light.webp)`']) {
    expect(forSite(other, images)).toBe(other);
  }
});

test('links to pages and headings that do not exist are found', () => {
  const seen = new Map([
    [
      'a.md',
      { ids: new Set(['top']), links: ['#top', '#gone', './more/b.md#x', 'https://x.example/#y', 'c.md'] },
    ],
    ['more/b.md', { ids: new Set(['x']), links: ['../a.md#top', '../a.md#x'] }],
  ]);
  expect(deadLinks(seen)).toEqual([
    'a.md: #gone: there is no such heading',
    'a.md: c.md: there is no such page',
    'more/b.md: ../a.md#x: there is no such heading',
  ]);
});

test('headings of the API reference have the ids that links lead to, each once', () => {
  const text =
    '# fw\n\n[`App`](#app)\n\n<a id="app"></a>\n\n### App\n\n#### Returns\n\n<a id="app-returns"></a>\n\n### get()\n\n#### Returns\n';
  expect(withHeadingIds(text)).toBe(
    '# fw\n\n[`App`](#app-heading)\n\n### App {#app-heading}\n\n#### Returns {#app-returns-1}\n\n### get() {#app-returns}\n\n#### Returns {#app-returns-returns}\n',
  );
});
