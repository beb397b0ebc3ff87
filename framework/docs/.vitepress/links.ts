// Finds links to pages and headings that do not exist, from what VitePress reads of each page while it builds.
import { posix } from 'node:path';
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress';

interface Seen {
  readonly ids: Set<string>;
  readonly links: string[];
}

const seen = new Map<string, Seen>();

export function collectLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('fw-links', ({ env, tokens }: { env: MarkdownEnv; tokens: Token[] }) => {
    const found: Seen = { ids: new Set(), links: [] };
    collect(tokens, found);
    seen.set(env.relativePath, found);
  });
}

interface Token {
  readonly type: string;
  readonly content: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
}

function collect(tokens: readonly Token[], found: Seen): void {
  for (const token of tokens) {
    const id = token.attrGet('id');
    if (id !== null) found.ids.add(id);
    const href = token.type === 'link_open' ? token.attrGet('href') : null;
    if (href !== null) found.links.push(href);
    if (token.type.startsWith('html_')) {
      for (const [, name = ''] of token.content.matchAll(/\b(?:id|name)="([^"]*)"/g)) found.ids.add(name);
      for (const [, link = ''] of token.content.matchAll(/<a [^>]*href="([^"]*)"/g)) found.links.push(link);
    }
    if (token.children) collect(token.children, found);
  }
}

/** One line for each link that leads nowhere. */
export function deadLinks(pages: ReadonlyMap<string, Seen> = seen): string[] {
  return [...pages].flatMap(([path, { links }]) =>
    links.flatMap((link) => {
      if (/^(?:[a-z]+:|\/\/)/.test(link)) return [];
      const [target = '', anchor] = decodeURI(link).split('#');
      const page = target === '' ? path : posix.join(posix.dirname(path), target);
      const there = pages.get(page);
      if (there === undefined) return /\.md$/.test(page) ? [`${path}: ${link}: there is no such page`] : [];
      const isThere = !anchor || there.ids.has(anchor);
      return isThere ? [] : [`${path}: ${link}: there is no such heading`];
    }),
  );
}
