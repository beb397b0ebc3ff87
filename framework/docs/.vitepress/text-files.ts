// What programs read instead of HTML: the Markdown of each page at its address, llms.txt, and llms-full.txt.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Listed, pagesOf } from './navigation.js';
import type { Page } from './pages.js';

export function writeTextFiles(folder: string, pages: readonly Page[], listed: readonly Listed[]): void {
  for (const { path, text } of pages) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), asMarkdown(text));
  }
  const landing = pages.find(({ path }) => path === 'index.md');
  writeFileSync(join(folder, 'llms.txt'), listOf(landing, listed));
  writeFileSync(join(folder, 'llms-full.txt'), allOf(listed));
}

/** Without what only VitePress reads. */
function asMarkdown(text: string): string {
  return text
    .replace(/^---\n[\s\S]*?\n---\n+/, '')
    .replace(/^<\/?(?:div|main)\b[^>]*>\n*/gm, '')
    .trimStart();
}

function listOf(landing: Page | undefined, listed: readonly Listed[]): string {
  const sections = listed.map(
    (group) =>
      `## ${group.title}\n\n${pagesOf(group)
        .map(({ title, path, summary }) => `- [${title}](${path})${summary && `: ${summary}`}`)
        .join('\n')}\n`,
  );
  return [
    '# fw',
    `> ${landing?.summary ?? ''}`,
    'Each page is Markdown at the address of its HTML, with `.md` instead of `.html`. llms-full.txt has all of them, without the API reference and the changelog.',
    ...sections,
  ].join('\n\n');
}

function allOf(listed: readonly Listed[]): string {
  return listed
    .flatMap(pagesOf)
    .filter(({ path }) => !path.startsWith('api/') && path !== 'changelog.md')
    .map(({ path, text }) => `<!-- ${path} -->\n\n${asMarkdown(text).trimEnd()}\n`)
    .join('\n');
}
