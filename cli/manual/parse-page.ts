// The documentation: the blocks of a page, from its Markdown. HTML in it is text, and links lead to pages and https only.
import { posix } from 'node:path';
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { type Block, type Inline, type LinkTarget, plainText } from './blocks.js';

/** @param file of the page in the package, such as `framework/docs/sessions.md`, for links relative to it */
export function parsePage(markdown: string, file: string): Block[] {
  const tokens = new Lexer({ gfm: true }).lex(plainMarkdown(markdown));
  return new PageParser(file).blocks(tokens);
}

/** The Markdown that other readers understand: without front matter, and without the marks of containers. */
export function plainMarkdown(text: string): string {
  const body = text
    .replaceAll('\r\n', '\n')
    .replace(/^---\n(?:(?!---$)[^\n]*\n)*---\n+/m, (found, at) => (at === 0 ? '' : found));
  let isCode = false;
  return body
    .split('\n')
    .filter((line) => {
      if (/^ {0,3}```/.test(line)) isCode = !isCode;
      return isCode || !/^:{3,}/.test(line);
    })
    .join('\n');
}

/** The name of a page by its file: `sessions`, `errors/FW_ENV`, `cli/dev`; undefined for other files. */
export function pageName(file: string): string | undefined {
  const found = /^(framework|cli)\/docs\/([\w./-]+)\.md$/.exec(file);
  if (found === null) return undefined;
  return found[1] === 'cli' ? `cli/${found[2]}` : found[2];
}

class PageParser {
  readonly #file: string;
  readonly #slugs = new Map<string, number>();

  constructor(file: string) {
    this.#file = file;
  }

  blocks(tokens: readonly Token[]): Block[] {
    return tokens.flatMap((token) => this.#block(token as MarkedToken));
  }

  #block(token: MarkedToken): Block[] {
    switch (token.type) {
      case 'heading': {
        const parts = this.#inline(token.tokens);
        return [{ kind: 'heading', depth: token.depth, slug: this.#slug(plainText(parts)), parts }];
      }
      case 'paragraph':
        return [{ kind: 'paragraph', parts: this.#inline(token.tokens) }];
      case 'text':
        return [{ kind: 'paragraph', parts: this.#inline(token.tokens ?? [token]) }];
      case 'code':
        return [{ kind: 'code', text: token.text, language: /^\w*/.exec(token.lang ?? '')?.[0] ?? '' }];
      case 'list':
        return [this.#list(token)];
      case 'table':
        return [
          {
            kind: 'table',
            head: token.header.map((cell) => this.#inline(cell.tokens)),
            rows: token.rows.map((row) => row.map((cell) => this.#inline(cell.tokens))),
          },
        ];
      case 'blockquote':
        return [{ kind: 'quote', blocks: this.blocks(token.tokens) }];
      case 'hr':
        return [{ kind: 'rule' }];
      case 'html':
        return isComment(token.text) ? [] : [{ kind: 'paragraph', parts: [text(token.text.trim())] }];
      default:
        return [];
    }
  }

  #list({ ordered, start, items }: Tokens.List): Block {
    const blocks = items.map((item) => this.blocks(item.tokens));
    return { kind: 'list', ...(ordered && { start: Number(start) || 1 }), items: blocks };
  }

  #inline(tokens: readonly Token[]): Inline[] {
    return tokens.flatMap((token) => this.#part(token as MarkedToken));
  }

  #part(token: MarkedToken): Inline[] {
    switch (token.type) {
      case 'codespan':
        return [{ kind: 'code', text: token.text }];
      case 'strong':
        return [{ kind: 'strong', parts: this.#inline(token.tokens) }];
      case 'em':
        return [{ kind: 'emphasis', parts: this.#inline(token.tokens) }];
      case 'br':
        return [{ kind: 'break' }];
      case 'link':
        return this.#link(token);
      case 'image': {
        const file = /^(?:[./\w-]*\/)?pictures\/([\w-]+\.(?:webp|svg|png))$/.exec(token.href)?.[1];
        return [file === undefined ? text(token.text) : { kind: 'picture', file, alt: token.text }];
      }
      case 'html':
        return isComment(token.text) ? [] : [text(token.text)];
      default:
        if ('tokens' in token && token.tokens !== undefined) return this.#inline(token.tokens);
        return 'text' in token ? [text(token.text)] : [];
    }
  }

  #link({ href, tokens }: Tokens.Link): Inline[] {
    const parts = this.#inline(tokens);
    const to = this.#target(href);
    return to === undefined ? parts : [{ kind: 'link', parts, to }];
  }

  /** Undefined for what neither this documentation nor a browser should open. */
  #target(href: string): LinkTarget | undefined {
    if (/^https?:\/\/[^\s]+$/i.test(href)) return { address: href };
    const [path = '', slug = ''] = href.split('#', 2);
    if (!/^(?!\/)[\w./-]*$/.test(path) || !/^[\p{L}\p{N}_-]*$/u.test(slug)) return undefined;
    if (path === '') return slug === '' ? undefined : { slug };
    const page = pageName(posix.join(posix.dirname(this.#file), path));
    return page === undefined ? undefined : { page, ...(slug !== '' && { slug }) };
  }

  /** As GitHub makes it. */
  #slug(heading: string): string {
    const base = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const before = this.#slugs.get(base) ?? 0;
    this.#slugs.set(base, before + 1);
    return before === 0 ? base : `${base}-${before}`;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

function text(raw: string): Inline {
  const shown = raw.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] as string);
  return { kind: 'text', text: shown.replaceAll('\n', ' ') };
}

function isComment(html: string): boolean {
  return html.trimStart().startsWith('<!--');
}
