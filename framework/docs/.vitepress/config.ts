// The documentation site, for VitePress: npm run docs serves it, npm run docs:build writes it. DOCS_BASE is the path
// below which it will be served, DOCS_REPOSITORY the address of the repository for links that edit a page. DOCS_VERSIONS
// names the other versions below it, and DOCS_NEWEST is the URL of the newest; .ci/docs-versions.ts sets both.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTheme, defineConfig, type UserConfig } from 'vitepress';
import { accessibleTheme, type VitePlugin } from './accessible-theme.js';
import { collectLinks, deadLinks } from './links.js';
import { headingId } from './markdown.js';
import { type Listed, listPages, sidebarOf } from './navigation.js';
import { root, sourceFolders, version } from './pages.js';
import { type Hosted, released } from './released.js';
import { searchOptions } from './search.js';
import { stage, staged } from './stage.js';
import { writeTextFiles } from './text-files.js';

const base = `/${process.env.DOCS_BASE ?? ''}/`.replace(/\/{2,}/g, '/');
const repository = process.env.DOCS_REPOSITORY?.replace(/\/$/, '') || undefined;
const hosted: Hosted = {
  others: process.env.DOCS_VERSIONS?.split(' ').filter((name) => name !== '') ?? [],
  newest: process.env.DOCS_NEWEST || undefined,
};

export default async (): Promise<UserConfig> => {
  const pages = await stage();
  const listed = listPages(pages);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return defineConfig({
    title: 'fw',
    titleTemplate: ':title · fw',
    description: byPath.get('index.md')?.summary ?? '',
    lang: 'en',
    base,
    srcDir: staged,
    outDir: join(root, 'framework/docs/.vitepress/dist'),
    cacheDir: join(root, 'framework/docs/.vitepress/cache'),
    head: [['link', { rel: 'icon', type: 'image/svg+xml', href: icon }]],
    markdown: {
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
      languageAlias: { gitignore: 'ini', console: 'sh' },
      anchor: { slugify: headingId },
      config: collectLinks,
    },
    themeConfig: themeConfig(listed),
    transformPageData(data) {
      const page = byPath.get(data.relativePath);
      if (page === undefined) return;
      const isGenerated = page.path.startsWith('api/');
      data.filePath = page.source;
      data.description = page.summary;
      if (isGenerated) data.frontmatter.editLink = false;
      const markdown = { rel: 'alternate', type: 'text/markdown', href: base + page.path };
      data.frontmatter.head = [['link', markdown]];
    },
    buildEnd({ outDir }) {
      const faults = deadLinks();
      if (faults.length > 0) throw new Error(`dead links:\n${faults.join('\n')}`);
      writeTextFiles(outDir, pages, listed);
      // The Markdown shows them too, and pages link to some.
      cpSync(join(staged, 'pictures'), join(outDir, 'pictures'), { recursive: true });
    },
    vite: { plugins: [accessibleTheme, followSources] },
  });
};

function themeConfig(listed: readonly Listed[]): DefaultTheme.Config {
  const ofRepository: DefaultTheme.Config | undefined =
    repository === undefined
      ? undefined
      : {
          editLink: { pattern: `${repository}/edit/main/:path`, text: 'Edit this page' },
          socialLinks: [{ icon: 'github', link: repository, ariaLabel: 'The repository' }],
        };
  return {
    siteTitle: 'fw',
    outline: { level: [2, 3] },
    search: { provider: 'local', options: searchOptions },
    sidebar: sidebarOf(listed),
    nav: [
      { text: 'Guides', link: '/routing' },
      { text: 'CLI', link: '/cli/' },
      { text: 'API', link: '/api/' },
      { text: version, items: released(hosted) },
    ],
    ...ofRepository,
    footer: { message: `fw ${version}, under the MIT licence` },
    docFooter: { prev: 'Previous', next: 'Next' },
  };
}

/** `npm run docs` shows a page again after a save of its source. */
const followSources: VitePlugin = {
  name: 'fw-follow-sources',
  configureServer({ watcher }) {
    watcher.add(sourceFolders.map((folder) => join(root, folder)));
    const again = (file: string) => {
      if (!file.endsWith('.md') || file.startsWith(staged)) return;
      stage().catch((error: unknown) => console.error(String(error)));
    };
    for (const event of ['add', 'change', 'unlink']) watcher.on(event, again);
  },
};

/** The name on a square, in the colours of the workbench. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#4f46d8"/><text x="16" y="22" font-family="ui-monospace,monospace" font-size="17" font-weight="700" text-anchor="middle" fill="#fff">fw</text></svg>',
)}`;
