// Pages in a terminal: widths, colours, and text that must not move the cursor.
import { describe, expect, it } from 'vitest';
import { plainColors, terminalColors } from '../terminal/color.js';
import { readPages } from './pages.js';
import { parsePage } from './parse-page.js';
import { terminalText } from './terminal-page.js';

const shown = (markdown: string, width = 40, colors = plainColors): string =>
  terminalText(parsePage(markdown, 'framework/docs/a.md'), colors, width);
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a sequence
const ESCAPES = /\u001b\[[\d;]*m/g;

describe('without colours', () => {
  it('marks headings and code as Markdown does', () => {
    expect(shown('# Title\n\nCall `listen(3000)`, **now**.\n\n## Next')).toBe(
      '# Title\n\nCall `listen(3000)`, now.\n\n## Next\n',
    );
  });

  it('wraps words, and keeps punctuation with them', () => {
    expect(shown('one two three `four`, five six seven eight nine', 30)).toBe(
      'one two three `four`, five six\nseven eight nine\n',
    );
  });

  it('indents code as it is, and lists below their marks', () => {
    expect(
      shown('```ts\nif (a) {\n  b();\n}\n```\n\n1. first of the list, which is longer\n2. second', 30),
    ).toBe('    if (a) {\n      b();\n    }\n\n1. first of the list, which is\n   longer\n2. second\n');
  });

  it('shows a table in columns, or a narrow one in lines', () => {
    const table =
      '| Option | Meaning | More |\n| --- | --- | --- |\n| `path` | sent for this path and below | x |';
    expect(shown(table, 44).split('\n')[0]).toMatch(/^Option +Meaning +More$/);
    const narrow = '| A | B |\n| --- | --- |\n| `a-long-name-of-an-option` | means x |';
    expect(shown(narrow, 30)).toBe('`a-long-name-of-an-option`\n  B: means x\n');
  });
});

it('has colours where they are wanted', () => {
  const text = shown('# Title\n\n`code` and [a link](b.md)', 40, terminalColors);
  expect(text).toContain('\u001b[1mTitle');
  expect(text).toContain('\u001b[36mcode');
  expect(text).not.toContain('`');
});

it('shows addresses of other sites, and control characters as text', () => {
  expect(shown('[Node](https://nodejs.org)')).toBe('Node (https://nodejs.org)\n');
  const text = shown('a\u001b[2Jb `c\u0007`\n\n```\n\u001b[31m\n```');
  expect(text).toContain('a\\x1b[2Jb `c\\x07`');
  expect(text).not.toContain('\u001b');
});

it.each([40, 80, 200])('fits every page into %i columns, but for code and long words', (width) => {
  for (const { blocks, name } of readPages()) {
    const lines = terminalText(blocks, terminalColors, width).replace(ESCAPES, '').split('\n');
    const tooLong = lines.filter(
      (line) => line.length > Math.min(width, 100) && !line.startsWith('    ') && /\s\S+\s/.test(line.trim()),
    );
    expect(
      tooLong.filter((line) => !/\S{20}/.test(line)),
      name,
    ).toEqual([]);
  }
});
