// The page about an API: a description, whose text may come from anywhere.
import type { ComponentChildren, JSX } from 'preact';
import { type Block, type Inline, parseMarkdown } from '../../../api-model/markdown.js';

export function MarkdownView({ text }: { readonly text: string }): JSX.Element {
  return <div class="prose">{parseMarkdown(text).map(block)}</div>;
}

function block(one: Block, index: number): JSX.Element {
  if (one.kind === 'code') {
    return (
      <pre key={index} class="prose-code">
        <code>{one.text}</code>
      </pre>
    );
  }
  if (one.kind === 'list') {
    const items = one.items.map((item, at) => <li key={at}>{item.map(inline)}</li>);
    return one.isOrdered ? <ol key={index}>{items}</ol> : <ul key={index}>{items}</ul>;
  }
  if (one.kind === 'heading') {
    return (
      <p key={index} class="prose-heading">
        {one.content.map(inline)}
      </p>
    );
  }
  return <p key={index}>{one.content.map(inline)}</p>;
}

function inline(one: Inline, index: number): ComponentChildren {
  if ('text' in one) return one.kind === 'code' ? <code key={index}>{one.text}</code> : one.text;
  const content = one.content.map(inline);
  if (one.kind === 'link') {
    return (
      <a key={index} href={one.href} rel="noopener noreferrer" target="_blank">
        {content}
      </a>
    );
  }
  return one.kind === 'strong' ? <strong key={index}>{content}</strong> : <em key={index}>{content}</em>;
}
