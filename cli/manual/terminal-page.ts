// The documentation in a terminal: the blocks of a page as lines.
import type { Colors } from '../terminal/color.js';
import { printable } from '../terminal/printable.js';
import type { Block, Inline } from './blocks.js';
import { widthsOf, wrap } from './wrap.js';

/** Longer lines are hard to read. */
const WIDEST = 100;
const NARROWEST = 30;
const GAP = 2;
/** A narrower column has more line breaks than text. */
const NARROWEST_COLUMN = 12;

/** @param columns of the terminal; undefined if they are not known */
export function terminalText(blocks: readonly Block[], colors: Colors, columns: number | undefined): string {
  const width = Math.max(NARROWEST, Math.min(columns ?? 80, WIDEST));
  return `${blocks.map((block) => linesOf(block, width, colors).join('\n')).join('\n\n')}\n`;
}

function linesOf(block: Block, width: number, colors: Colors): string[] {
  switch (block.kind) {
    case 'heading':
      return headingLines(block.parts, block.depth, width, colors);
    case 'paragraph':
      return wrap(block.parts, width, colors);
    case 'code':
      return printable(block.text)
        .replaceAll('\\x09', '  ')
        .split('\n')
        .map((line) => `    ${line}`.trimEnd());
    case 'list':
      return listLines(block, width, colors);
    case 'table':
      return tableLines(block.head, block.rows, width, colors);
    case 'quote':
      return block.blocks
        .flatMap((one, index) => [...(index > 0 ? [''] : []), ...linesOf(one, width - 2, colors)])
        .map((line) => `${colors.dim('│')} ${line}`);
    case 'rule':
      return [colors.dim('─'.repeat(width))];
  }
}

function headingLines(parts: readonly Inline[], depth: number, width: number, colors: Colors): string[] {
  const style = (text: string): string => colors.bold(depth > 1 && depth < 4 ? colors.cyan(text) : text);
  // Without colours, a heading has the marks of Markdown.
  if (!colors.isColorSupported) return [`${'#'.repeat(depth)} ${wrap(parts, 1000, colors).join(' ')}`];
  return wrap(parts, width, colors).map(style);
}

function listLines(
  { start, items }: Extract<Block, { kind: 'list' }>,
  width: number,
  colors: Colors,
): string[] {
  return items.flatMap((item, index) => {
    const mark = start === undefined ? '- ' : `${start + index}. `;
    const lines = item.flatMap((block, at) => [
      ...(at > 0 && block.kind === 'code' ? [''] : []),
      ...linesOf(block, width - mark.length, colors),
    ]);
    return lines.map((line, at) => `${at === 0 ? mark : ' '.repeat(mark.length)}${line}`.trimEnd());
  });
}

function tableLines(
  head: readonly (readonly Inline[])[],
  rows: readonly (readonly (readonly Inline[])[])[],
  width: number,
  colors: Colors,
): string[] {
  const widths = columnWidths([head, ...rows], width, colors);
  if (widths === undefined) return narrowTable(head, rows, width, colors);
  const line = (cells: readonly (readonly Inline[])[]): string[] => {
    const wrapped = widths.map((size, at) => {
      const parts = cells[at] ?? [];
      return { lines: wrap(parts, size, colors), size };
    });
    const height = Math.max(1, ...wrapped.map(({ lines }) => lines.length));
    return Array.from({ length: height }, (_, row) =>
      wrapped
        .map(({ lines, size }) => padded(lines[row] ?? '', size))
        .join(' '.repeat(GAP))
        .trimEnd(),
    );
  };
  const isEmpty = head.every((cell) => cell.length === 0);
  return [
    ...(isEmpty
      ? []
      : [...line(head).map(colors.bold), colors.dim(widths.map((size) => '─'.repeat(size)).join('  '))]),
    ...rows.flatMap(line),
  ];
}

/** Escape sequences have no width. */
function padded(text: string, size: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a sequence
  return text + ' '.repeat(Math.max(0, size - text.replace(/\u001b\[[\d;]*m/g, '').length));
}

/** The widest columns give way, down to their longest word; undefined if there is no room for all. */
function columnWidths(
  rows: readonly (readonly (readonly Inline[])[])[],
  width: number,
  colors: Colors,
): number[] | undefined {
  const count = rows[0]?.length ?? 0;
  const room = width - GAP * (count - 1);
  const cells = Array.from({ length: count }, (_, at) => rows.map((row) => widthsOf(row[at] ?? [], colors)));
  const widths = cells.map((column) => Math.max(1, ...column.map(({ whole }) => whole)));
  const floors = cells.map((column, at) =>
    Math.min(widths[at] ?? 0, Math.max(NARROWEST_COLUMN, ...column.map(({ word }) => word))),
  );
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  if (sum(floors) > room) return undefined;
  for (let over = sum(widths) - room; over > 0; over--) {
    const loose = widths.map((size, at) => (size > (floors[at] ?? 0) ? size : 0));
    const widest = loose.indexOf(Math.max(...loose));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** Each row as lines of their own: the first cell, and below it the others with the names of their columns. */
function narrowTable(
  head: readonly (readonly Inline[])[],
  rows: readonly (readonly (readonly Inline[])[])[],
  width: number,
  colors: Colors,
): string[] {
  return rows.flatMap(([first = [], ...others]) => [
    ...wrap(first, width, colors).map(colors.bold),
    ...others.flatMap((cell, at) => {
      const name: readonly Inline[] = [...(head[at + 1] ?? []), { kind: 'text', text: ': ' }];
      return wrap([...name, ...cell], width - 2, colors).map((line) => `  ${line}`);
    }),
  ]);
}
