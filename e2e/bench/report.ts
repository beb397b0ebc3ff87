// What the bench found, as Markdown tables and as plots.
import { type Group, plotBars } from './plot.js';
import { ratios, type Series, spreadOf } from './series.js';

const titles: Readonly<Record<string, string>> = {
  'node-http': 'node:http',
  socketio: 'socket.io',
  trpc: 'tRPC',
  orpc: 'oRPC',
};
const named = (contender: string) => titles[contender] ?? contender;

export function writeMarkdown(about: Readonly<Record<string, unknown>>, series: readonly Series[]): string {
  const facts = Object.entries(about).map(([name, value]) => `${name} ${value}`);
  return [
    '# Results',
    `${facts.join(', ')}. Medians of interleaved rounds, and in brackets the lowest and the highest; a ratio above 1 is better than the base, in the same round. A star marks rounds that other load disturbed.`,
    ...series.map(table),
    '',
  ].join('\n\n');
}

function table(series: Series): string {
  const { name, unit, base, rounds, disturbed = {}, failed = {} } = series;
  const rows = Object.keys(rounds).map((contender) => {
    const figures = spreadOf(rounds[contender] ?? []);
    const ratio = base in rounds ? spreadOf(ratios(series, contender)) : undefined;
    const mark = disturbed[contender] === undefined ? '' : ` *${disturbed[contender]}`;
    const cells = [
      `${named(contender)}${mark}`,
      `${short(figures.median)} (${short(figures.low)}–${short(figures.high)})`,
      ratio === undefined
        ? '–'
        : `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)})`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const failures = Object.entries(failed).map(
    ([contender, why]) => `| ${named(contender)} | failed: ${why} | – |`,
  );
  const heads = [`## ${name}\n`, `| | ${unit} | against ${named(base)} |`, '|---|---:|---:|'];
  return [...heads, ...rows, ...failures].join('\n');
}

/** Three digits at least, and no more than whole numbers of large ones. */
function short(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(3);
}

/** By file name. */
export function plotResults(series: readonly Series[]): Record<string, string> {
  // A bar is a ratio, and there is none if the base could not be measured.
  const complete = series.filter(({ base, rounds }) => base in rounds);
  const requests = complete.filter(({ unit }) => unit === 'requests/s');
  const rpc = requests.filter(({ name }) => name.startsWith('rpc-'));
  const plots: [string, string, string, readonly Series[]][] = [
    [
      'requests',
      'Requests a second',
      'times node:http, handwritten; more is better',
      requests.filter((one) => !rpc.includes(one) && !one.name.startsWith('static-')),
    ],
    ['rpc', 'RPC calls a second', 'times node:http, handwritten; more is better', rpc],
    [
      'websocket',
      'WebSocket messages a second',
      'times a loop on ws; more is better',
      complete.filter(({ name }) => name.startsWith('WebSocket')),
    ],
    [
      'router',
      'Router look-ups a second',
      'times find-my-way; more is better',
      complete.filter(({ name }) => name.startsWith('router')),
    ],
    [
      'start',
      'Cold start to the first 200',
      'speed in times of node:http; more is better',
      complete.filter(({ name }) => name.startsWith('cold start')),
    ],
    [
      'memory',
      'Memory of a connection, a session and a key of a rate limit',
      'how many of them take as much as one of node:http or Express; more is better',
      complete.filter(({ unit }) => unit === 'bytes'),
    ],
  ];
  return Object.fromEntries(
    plots
      .filter(([, , , rows]) => rows.length > 0)
      .map(([file, title, unit, rows]) => [file, plotBars(title, unit, 'fw', rows.map(groupOf))]),
  );
}

function groupOf(series: Series): Group {
  return {
    title: series.name,
    bars: Object.keys(series.rounds).map((contender) => ({
      label: named(contender),
      ...spreadOf(ratios(series, contender)),
    })),
  };
}
