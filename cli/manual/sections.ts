// The documentation: the sections of a page, each with its heading, which is what the search finds.
import { type Block, type Inline, plainText } from './blocks.js';
import type { ManualPage } from './pages.js';

export interface ManualSection {
  readonly page: ManualPage;
  /** Empty for what stands before the first heading below the title. */
  readonly heading: string;
  readonly slug: string;
  readonly blocks: readonly Block[];
}

/** Headings of a deeper level belong to the section around them. */
const DEEPEST = 3;

export function sectionsOf(page: ManualPage): ManualSection[] {
  const sections: { heading: string; slug: string; blocks: Block[] }[] = [
    { heading: '', slug: '', blocks: [] },
  ];
  for (const block of page.blocks) {
    if (block.kind === 'heading' && block.depth > 1 && block.depth <= DEEPEST)
      sections.push({ heading: plainText(block.parts), slug: block.slug, blocks: [block] });
    else sections.at(-1)?.blocks.push(block);
  }
  return sections.map((section) => ({ page, ...section }));
}

/** What is said in blocks, without the title of the page; code is told apart, whose words weigh less. */
export function textsOf(blocks: readonly Block[]): { text: string; code: string } {
  const text: string[] = [];
  const code: string[] = [];
  const walk = (all: readonly Block[]): void => {
    for (const block of all) {
      if (block.kind === 'code') code.push(block.text);
      else if (block.kind === 'paragraph') text.push(textOf(block.parts));
      else if (block.kind === 'list') block.items.forEach(walk);
      else if (block.kind === 'quote') walk(block.blocks);
      else if (block.kind === 'table')
        text.push(...[block.head, ...block.rows].map((row) => row.map(plainText).join(': ')));
    }
  };
  walk(blocks);
  return { text: text.join('\n'), code: code.join('\n') };
}

/** The contents of a page repeat its headings, which are found by themselves. */
function textOf(parts: readonly Inline[]): string {
  const text = plainText(parts);
  return text.startsWith('On this page: ') ? '' : text;
}
