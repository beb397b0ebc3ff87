// Inference: reads documentation comments (JSDoc) from the source text, in the same way for every compiler.

/** What a documentation comment says. */
export interface DocComment {
  /** The text before the first tag. */
  readonly description?: string;
  /** The text of `@deprecated`, or true if it has none. */
  readonly deprecated?: true | string;
  readonly examples: readonly string[];
  /** The text of `@default`, without a comment's asterisks. */
  readonly default?: string;
}

/**
 * The last documentation comment in the text between two tokens; undefined if there is none, or if it is marked as
 * `@internal`.
 *
 * @param isFirst whether the text is the start of the file, where no comment can belong to a line before it
 */
export function docCommentIn(trivia: string, isFirst = false): DocComment | undefined {
  const found = lastBlock(trivia, isFirst);
  return found === undefined ? undefined : parseDocComment(found);
}

/** The text of a comment without `/**` and its end. */
function lastBlock(trivia: string, isFirst: boolean): string | undefined {
  let found: string | undefined;
  // A comment that ends the line of the code before it belongs to that code.
  let isTrailing = !isFirst;
  for (let at = 0; at < trivia.length; ) {
    const start = trivia[at];
    if (start === '\n' || start === '\r') {
      if (isTrailing) found = undefined;
      isTrailing = false;
      at += 1;
    } else if (trivia.startsWith('//', at)) {
      at = endOfLine(trivia, at);
    } else if (trivia.startsWith('/*', at)) {
      const end = trivia.indexOf('*/', at + 2);
      if (end < 0) return found;
      if (trivia[at + 2] === '*' && end > at + 2 && trivia[at + 3] !== '*') found = trivia.slice(at + 3, end);
      at = end + 2;
    } else at += 1;
  }
  return found;
}

function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (text[at] === '\n' || text[at] === '\r') return at;
  return text.length;
}

/** Undefined if it says nothing, or is marked as `@internal`. */
function parseDocComment(body: string): DocComment | undefined {
  const texts = new Map<string, string[]>();
  for (const { tag, lines } of blocks(body)) {
    const text = withoutEmptyEnds(lines).join('\n');
    const known = texts.get(tag);
    if (known === undefined) texts.set(tag, [text]);
    else known.push(text);
  }
  if (texts.has('internal')) return undefined;
  const description = texts.get('')?.[0] ?? '';
  const deprecated = texts.get('deprecated')?.[0];
  const value = texts.get('default')?.[0] ?? texts.get('defaultValue')?.[0] ?? '';
  const examples = (texts.get('example') ?? []).filter((text) => text !== '');
  if (description === '' && deprecated === undefined && value === '' && examples.length === 0)
    return undefined;
  return {
    ...(description !== '' && { description }),
    ...(deprecated !== undefined && { deprecated: deprecated === '' || deprecated }),
    examples,
    ...(value !== '' && { default: value }),
  };
}

interface Block {
  /** Empty for the description. */
  readonly tag: string;
  readonly lines: string[];
}

/** As TypeScript reads tags: at the start of a line or after a space. In code, `@` belongs to the code. */
function blocks(body: string): Block[] {
  let current: Block = { tag: '', lines: [] };
  const all = [current];
  let isCode = false;
  for (const [index, raw] of body.split(/\r\n|[\n\r]/).entries()) {
    const line = (index === 0 ? raw.replace(/^[ \t]+/, '') : raw.replace(/^[ \t]*\*? ?/, '')).trimEnd();
    const parts = isCode ? [line] : splitAtTags(line);
    for (const [at, part] of parts.entries()) {
      const tag = isCode ? null : TAG.exec(part);
      if (tag !== null) {
        current = { tag: tag[1] ?? '', lines: [part.slice(tag[0].length).trimEnd()] };
        all.push(current);
      } else if (at === 0 && part.trim() !== '') current.lines.push(part.trimEnd());
      else if (parts.length === 1) current.lines.push('');
    }
    if (/^[ \t]*```/.test(current.lines.at(-1) ?? '')) isCode = !isCode;
  }
  return all;
}

const TAG = /^@([A-Za-z]+)(?![\w-])[ \t]*/;

/** Before every tag that is not in backticks. */
function splitAtTags(line: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const isAfterSpace = at === 0 || line[at - 1] === ' ' || line[at - 1] === '\t';
    if (line[at] === '`') isQuoted = !isQuoted;
    else if (line[at] === '@' && isAfterSpace && !isQuoted && TAG.test(line.slice(at, at + 40))) {
      parts.push(line.slice(start, at));
      start = at;
    }
  }
  return [...parts, line.slice(start)];
}

function withoutEmptyEnds(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}

/** The description, followed by the examples as code blocks; undefined if there are neither. */
export function describedText({
  description,
  examples,
}: Pick<DocComment, 'description' | 'examples'>): string | undefined {
  const parts = [...(description === undefined ? [] : [description]), ...examples.map(asExample)];
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

/** An example with a code block of its own may have text around it. */
function asExample(text: string): string {
  return `Example:\n\n${text.includes('```') ? text : `\`\`\`ts\n${text}\n\`\`\``}`;
}
