// Writes the pages where VitePress reads them, with what only the site has: tabs, and pictures for dark screens.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { makeApiReference } from './api-reference.js';
import { mapProse } from './markdown.js';
import { type Page, pictures, readPages, root } from './pages.js';
import { withTabs } from './tabs.js';

export const staged: string = join(root, 'framework/docs/.vitepress/pages');

/** @returns all pages, with those of the API reference */
export async function stage(): Promise<Page[]> {
  const pages = readPages();
  const reference = await makeApiReference(join(staged, 'api'));
  const images = pictures();
  for (const page of [...pages, ...reference]) writeIfChanged(page.path, forSite(page.text, images));
  for (const picture of images) {
    mkdirSync(dirname(join(staged, picture)), { recursive: true });
    copyFileSync(join(root, 'framework/docs', picture), join(staged, picture));
  }
  removeOthers(new Set([...pages, ...reference].map(({ path }) => path)));
  return [...pages, ...reference];
}

export function forSite(text: string, images: readonly string[]): string {
  return withDarkPictures(withTabs(withoutContents(text)), images);
}

/** The site has an outline beside each page. */
function withoutContents(text: string): string {
  return text.replace(/^On this page: .*\n\n/m, '');
}

/** A picture of a page in light has one in dark beside it, if there is one; the style shows that of the theme. */
function withDarkPictures(text: string, images: readonly string[]): string {
  return mapProse(text, (prose) =>
    prose.replace(
      /!\[([^\]]*)\]\(([^)\s]*)-light\.(\w+)\)/g,
      (all, alt: string, path: string, type: string) => {
        const hasDark = images.some(
          (image) => path.endsWith(image.replace(/-dark\.\w+$/, '')) && /-dark\./.test(image),
        );
        const image = (theme: string) => `![${alt}](${path}-${theme}.${type}){.on-${theme}}`;
        return hasDark ? `${image('light')}${image('dark')}` : all;
      },
    ),
  );
}

/** A written file reloads pages that a developer looks at. */
function writeIfChanged(path: string, text: string): void {
  const file = join(staged, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function removeOthers(kept: ReadonlySet<string>): void {
  for (const name of readdirSync(staged, { recursive: true, encoding: 'utf8' })) {
    const path = name.replaceAll(sep, '/');
    if (path.endsWith('.md') && !kept.has(path)) rmSync(join(staged, path));
  }
}
