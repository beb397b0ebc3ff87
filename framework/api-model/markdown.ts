// A model of an API: the simple parts of Markdown, as a tree, because descriptions may come from anywhere:
// paragraphs, headings, lists, code, emphasis, and links to http and https. Everything else stays text.

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em'; readonly content: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly content: readonly Inline[] };

export type Block =
  | { readonly kind: 'paragraph' | 'heading'; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] };

/** Longer texts are not read: nobody would either. */
const LONGEST = 50_000;

export function parseMarkdown(text: string): Block[] {
  if (text.length > LONGEST) return [{ kind: 'code', text: `${text.slice(0, LONGEST)}…` }];
  const blocks: Block[] = [];
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  let paragraph: string[] = [];
  const end = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', content: inlines(paragraph.join('\n')) });
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const bare = line.trimStart();
    if (bare.startsWith('```')) {
      end();
      const code: string[] = [];
      for (at++; at < lines.length && !(lines[at] ?? '').trimStart().startsWith('```'); at++)
        code.push(lines[at] ?? '');
      blocks.push({ kind: 'code', text: code.join('\n') });
    } else if (bare === '') end();
    else if (/^#{1,6} /.test(bare)) {
      end();
      blocks.push({ kind: 'heading', content: inlines(bare.slice(bare.indexOf(' ') + 1)) });
    } else if (itemOf(bare) !== undefined) {
      end();
      at = readList(lines, at, blocks) - 1;
    } else paragraph.push(line.trim());
  }
  end();
  return blocks;
}

/** Returns the line behind the list. */
function readList(lines: readonly string[], from: number, blocks: Block[]): number {
  const isOrdered = /^\d/.test((lines[from] ?? '').trimStart());
  const items: string[] = [];
  let at = from;
  for (; at < lines.length; at++) {
    const bare = (lines[at] ?? '').trim();
    const item = itemOf(bare);
    if (item !== undefined) items.push(item);
    else if (bare !== '' && /^\s/.test(lines[at] ?? '')) items[items.length - 1] += `\n${bare}`;
    else break;
  }
  blocks.push({ kind: 'list', isOrdered, items: items.map((item) => inlines(item)) });
  return at;
}

function itemOf(line: string): string | undefined {
  return /^(?:[-*+]|\d{1,9}[.)]) (.*)$/.exec(line)?.[1];
}

/** Marks that have no end are text. The next place of each mark is kept, so that no text is searched twice. */
function inlines(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  const places = new Map<string, number>();
  let plain = '';
  const put = (one: Inline): void => {
    if (plain !== '') found.push({ kind: 'text', text: plain });
    plain = '';
    found.push(one);
  };
  const until = (mark: string, from: number): number => {
    const known = places.get(mark);
    if (known !== undefined && (known === -1 || known >= from)) return known;
    const at = text.indexOf(mark, from);
    places.set(mark, at);
    return at;
  };
  for (let at = 0; at < text.length; ) {
    const mark = markAt(text, at);
    if (mark === '`') {
      const end = until('`', at + 1);
      if (end > at + 1) {
        put({ kind: 'code', text: text.slice(at + 1, end) });
        at = end + 1;
        continue;
      }
    } else if (mark === '[' && depth < 3) {
      const link = linkAt(text, at, until);
      if (link !== undefined) {
        put({ kind: 'link', href: link.href, content: inlines(link.text, depth + 3) });
        at = link.end;
        continue;
      }
    } else if (mark !== undefined && mark !== '[' && depth < 2) {
      const end = until(mark, at + mark.length);
      if (end > at + mark.length && text[at + mark.length] !== ' ') {
        const content = inlines(text.slice(at + mark.length, end), depth + 1);
        put({ kind: mark.length === 2 ? 'strong' : 'em', content });
        at = end + mark.length;
        continue;
      }
    }
    plain += text[at] ?? '';
    at++;
  }
  if (plain !== '') found.push({ kind: 'text', text: plain });
  return found;
}

function markAt(text: string, at: number): string | undefined {
  const character = text[at];
  if (character === '`' || character === '[') return character;
  if (character !== '*') return undefined;
  return text[at + 1] === '*' ? '**' : '*';
}

function linkAt(
  text: string,
  at: number,
  until: (mark: string, from: number) => number,
): { readonly text: string; readonly href: string; readonly end: number } | undefined {
  const middle = until('](', at);
  const end = middle === -1 ? -1 : until(')', middle);
  if (end === -1) return undefined;
  const shown = text.slice(at + 1, middle);
  if (shown.includes('[')) return undefined;
  const href = text.slice(middle + 2, end);
  return /^https?:\/\/[^\s]+$/i.test(href) ? { text: shown, href, end: end + 1 } : undefined;
}
