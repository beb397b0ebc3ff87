// The figures of the page that compares fw with its peers: those of results.json, and no others.
import { ratios, type Series, spreadOf } from './series.js';

const BEGIN = '<!-- figures: written by npm run bench -->';
const END = '<!-- end of the figures -->';

interface Table {
  readonly title: string;
  /** What each row of the results means. */
  readonly rows: Readonly<Record<string, string>>;
  /** Ratios to the base, or the medians themselves. */
  readonly shows: 'ratio' | 'median';
}

const tables: readonly Table[] = [
  {
    title: 'Requests a second, in times of a server written by hand on `node:http`',
    rows: {
      hello: 'a short text',
      json: 'JSON',
      param: 'a parameter of the path',
      post: 'a JSON body, checked',
      chain: 'ten middleware',
      'static-1k': 'a file of 1 KB',
      'static-100k': 'a file of 100 KB',
    },
    shows: 'ratio',
  },
  {
    title: 'Calls of procedures a second, in times of the same',
    rows: { 'rpc-single': 'one call', 'rpc-batch': 'a batch' },
    shows: 'ratio',
  },
  {
    title: 'Messages of WebSockets a second, in times of a loop on `ws`',
    rows: {
      'WebSocket echo, 1 on the way': 'echo, one on the way',
      'WebSocket echo, 8 on the way': 'echo, eight on the way',
      'WebSocket echo of 16 KB, 1 on the way': 'echo of 16 KB, one on the way',
      'WebSocket fan-out to 1000, one at a time': 'to 1,000 clients, one at a time',
      'WebSocket fan-out to 1000, 16 on the way': 'to 1,000 clients, 16 on the way',
    },
    shows: 'ratio',
  },
  {
    title: 'Start and size',
    rows: {
      'cold start to the first 200': 'start until the first response, ms',
      'hello, resident memory': 'memory under load, MB',
      'installed packages': 'installed packages',
      'installed megabytes': 'installed, MB',
    },
    shows: 'median',
  },
];

/** The page with the figures of these results in the place of those that it has. */
export function withFigures(page: string, series: readonly Series[]): string {
  const [before, rest] = page.split(`${BEGIN}\n`);
  const [, after] = rest?.split(END) ?? [];
  if (after === undefined) throw new Error(`the page has no place for figures, from ${BEGIN} to ${END}`);
  const blocks = tables.map((table) => written(table, series));
  return `${before}${BEGIN}\n\n${blocks.join('\n\n')}\n\n${END}${after}`;
}

function written({ title, rows, shows }: Table, series: readonly Series[]): string {
  const found = Object.keys(rows).map((name) => {
    const one = series.find((candidate) => candidate.name === name);
    if (one === undefined) throw new Error(`the results have no row ${name}`);
    return one;
  });
  const contenders = [...new Set(found.flatMap(({ rounds }) => Object.keys(rounds).map(titled)))];
  // What all others are divided by is 1 in each row.
  const columns = contenders.filter(
    (title) => shows === 'median' || found.every(({ base }) => titled(base) !== title),
  );
  columns.sort((one, other) => Number(other === 'fw') - Number(one === 'fw'));
  const lines = found.map((one) => {
    const cells = columns.map((title) => {
      const name = Object.keys(one.rounds).find((candidate) => titled(candidate) === title);
      if (name === undefined) return '–';
      return shows === 'ratio'
        ? spreadOf(ratios(one, name)).median.toFixed(2)
        : short(spreadOf(one.rounds[name] ?? []).median);
    });
    return `| ${[rows[one.name], ...cells].join(' | ')} |`;
  });
  return [
    `**${title}**`,
    '',
    `| | ${columns.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(columns.length)}`,
    ...lines,
  ].join('\n');
}

const titles: Readonly<Record<string, string>> = {
  'node-http': 'node:http',
  express: 'Express',
  elysia: 'Elysia',
  fastify: 'Fastify',
  hono: 'Hono',
  koa: 'Koa',
  orpc: 'oRPC',
  socketio: 'socket.io',
  trpc: 'tRPC',
};

function titled(contender: string): string {
  return titles[contender] ?? contender;
}

function short(value: number): string {
  return Number.isInteger(value) || value >= 100 ? String(Math.round(value)) : value.toPrecision(2);
}
