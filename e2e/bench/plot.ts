// A bar chart as SVG: a bar for each contender, with a whisker from the lowest to the highest round. It follows the
// reader's light or dark setting, for a README.

export interface Bar {
  readonly label: string;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export interface Group {
  readonly title: string;
  readonly bars: readonly Bar[];
}

const WIDTH = 760;
const LEFT = 132;
const RIGHT = 64;
const BAR = 14;
const GAP = 5;
const HEAD = 30;
const TOP = 52;
const FOOT = 30;

// By element and not by class where it can be: there are hundreds of them, and the file is in the package.
const style = `
  text { fill: #57606a; font: 12px system-ui, -apple-system, 'Segoe UI', sans-serif }
  .back { fill: #ffffff; rx: 6px } .text, .own text { fill: #24292f } line { stroke: #d0d7de }
  g rect { fill: #9aa7b4; rx: 2px } .own rect { fill: #2563eb } path { stroke: #24292f; fill: none }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 } text { fill: #9198a1 } .text, .own text { fill: #e6edf3 } line { stroke: #30363d }
    g rect { fill: #57616d } .own rect { fill: #5b9dff } path { stroke: #e6edf3 }
  }
  .label { text-anchor: end } .axis { text-anchor: middle }
  .title { font-size: 16px; font-weight: 600 } .group { font-size: 13px; font-weight: 600 }`;

/**
 * @param own the label whose bars stand out.
 * @param unit of the numbers, said under the title.
 */
export function plotBars(title: string, unit: string, own: string, groups: readonly Group[]): string {
  const most = Math.max(1.1, ...groups.flatMap(({ bars }) => bars.map(({ high }) => high)));
  const step = most > 6 ? 2 : most > 2 ? 0.5 : 0.25;
  const span = WIDTH - LEFT - RIGHT;
  const x = (value: number) => round(LEFT + (value / most) * span);
  const parts: string[] = [];
  let y = TOP;
  for (const group of groups) {
    y += HEAD;
    parts.push(`<text class="text group" x="12" y="${y - 9}">${escaped(group.title)}</text>`);
    for (const bar of group.bars) {
      parts.push(...drawBar(bar, y, x, own));
      y += BAR + GAP;
    }
  }
  const lines = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step).flatMap((value) => [
    `<line x1="${x(value)}" x2="${x(value)}" y1="${TOP}" y2="${y + 4}"${value === 1 ? ' stroke-width="2"' : ''}/>`,
    `<text class="axis" x="${x(value)}" y="${y + 20}">${value}</text>`,
  ]);
  const height = y + FOOT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${style}</style>`,
    `<rect class="back" width="${WIDTH}" height="${height}"/>`,
    `<text class="text title" x="12" y="26">${escaped(title)}</text>`,
    `<text x="12" y="45">${escaped(unit)}</text>`,
    ...lines,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function drawBar(bar: Bar, y: number, x: (value: number) => number, own: string): string[] {
  const { label, median, low, high } = bar;
  const from = round(x(low) - LEFT);
  const to = round(x(high) - LEFT);
  const middle = BAR / 2;
  return [
    `<g${label === own ? ' class="own"' : ''} transform="translate(${LEFT} ${y})">`,
    `<text class="label" x="-8" y="${middle + 4}">${escaped(label)}</text>`,
    `<rect width="${round(x(median) - LEFT)}" height="${BAR}"/>`,
    `<path d="M${from} ${middle}H${to}m0-4v8M${from} ${middle - 4}v8"/>`,
    `<text x="${round(to + 6)}" y="${middle + 4}">${median.toFixed(2)}</text></g>`,
  ];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
