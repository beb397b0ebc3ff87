// The page about the app: the blocks of a page of the documentation. Its text is never markup.
import type { ComponentChildren, JSX } from 'preact';
import { Code, type Language, scrolls } from '../../../../framework/docs-page/parts/code.js';
import type { Block, Inline, LinkTarget } from '../../../manual/blocks.js';
import { linkTo } from './place.js';

const LANGUAGES: Readonly<Record<string, Language>> = {
  bash: 'sh',
  console: 'sh',
  js: 'ts',
  json: 'json',
  jsonc: 'json',
  sh: 'sh',
  sql: 'sql',
  ts: 'ts',
  tsx: 'ts',
};

/** @param page that links without a page lead to */
export function Blocks({
  blocks,
  page,
}: {
  readonly blocks: readonly Block[];
  readonly page: string;
}): JSX.Element {
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} page={page} />
      ))}
    </>
  );
}

function BlockView({ block, page }: { readonly block: Block; readonly page: string }): JSX.Element {
  const inline = (parts: readonly Inline[]): ComponentChildren => <Parts parts={parts} page={page} />;
  switch (block.kind) {
    case 'heading':
      return <Heading block={block}>{inline(block.parts)}</Heading>;
    case 'paragraph':
      return <p>{inline(block.parts)}</p>;
    case 'code':
      return <CodeBlock block={block} />;
    case 'list':
      return <List block={block} page={page} />;
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} page={page} />
        </blockquote>
      );
    case 'table':
      return (
        <div class="table-scroll" {...scrolls('Table')}>
          <table class="table">
            <thead>
              <tr>
                {block.head.map((cell, index) =>
                  cell.length === 0 ? <td key={index} /> : <th key={index}>{inline(cell)}</th>,
                )}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, index) => (
                    <td key={index}>{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'rule':
      return <hr />;
  }
}

/** A longer line of text is a message. */
const LONGEST_LINE = 80;

function CodeBlock({
  block: { text, language },
}: {
  readonly block: Extract<Block, { kind: 'code' }>;
}): JSX.Element {
  const shown = LANGUAGES[language] ?? 'text';
  const isMessage = shown === 'text' && text.split('\n').some((line) => line.length > LONGEST_LINE);
  return (
    <div class={isMessage ? 'docs-message' : undefined}>
      <Code code={text} language={shown} label="code" />
    </div>
  );
}

function List({
  block: { start, items },
  page,
}: {
  readonly block: Extract<Block, { kind: 'list' }>;
  readonly page: string;
}): JSX.Element {
  const lines = items.map((item, index) => (
    <li key={index}>
      <Blocks blocks={item} page={page} />
    </li>
  ));
  return start === undefined ? <ul>{lines}</ul> : <ol start={start}>{lines}</ol>;
}

/** One level below that of the page about the app. */
function Heading({
  block: { depth, slug },
  children,
}: {
  readonly block: Extract<Block, { kind: 'heading' }>;
  readonly children: ComponentChildren;
}): JSX.Element {
  const Tag = `h${Math.min(depth + 1, 6)}` as 'h2' | 'h3' | 'h4' | 'h5' | 'h6';
  return (
    <Tag id={`docs-${slug}`} tabIndex={-1}>
      {children}
    </Tag>
  );
}

function Parts({ parts, page }: { readonly parts: readonly Inline[]; readonly page: string }): JSX.Element {
  return (
    <>
      {parts.map((part, index) => (
        <Part key={index} part={part} page={page} />
      ))}
    </>
  );
}

function Part({ part, page }: { readonly part: Inline; readonly page: string }): JSX.Element {
  switch (part.kind) {
    case 'text':
      return <>{part.text}</>;
    case 'code':
      return <code>{part.text}</code>;
    case 'strong':
      return (
        <strong>
          <Parts parts={part.parts} page={page} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Parts parts={part.parts} page={page} />
        </em>
      );
    case 'picture':
      return <img src={`docs-picture?file=${encodeURIComponent(part.file)}`} alt={part.alt} loading="lazy" />;
    case 'link':
      return (
        <a {...linkOf(part.to, page)}>
          <Parts parts={part.parts} page={page} />
        </a>
      );
    case 'break':
      return <br />;
  }
}

function linkOf(to: LinkTarget, page: string): { href: string; target?: string; rel?: string } {
  if ('address' in to) return { href: to.address, target: '_blank', rel: 'noreferrer' };
  return { href: docsLink('page' in to ? to.page : page, to.slug ?? '') };
}

export function docsLink(page: string, slug: string): string {
  return linkTo('docs', slug === '' ? page : `${page}:${slug}`);
}
