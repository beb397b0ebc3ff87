// Router look-ups of fw beside find-my-way, memoirist, rou3 and Hono's RegExpRouter: `npm run router [-- --rounds 9 --json file]`.
// Every looked-up path is a string of its own, made before the clock starts, as a server's paths are.
import { parseArgs } from 'node:util';
import FindMyWay from 'find-my-way';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { Memoirist } from 'memoirist';
import { addRoute, createRouter, findRoute } from 'rou3';
import { parsePattern } from '../../framework/router/pattern.js';
import { Router } from '../../framework/router/router.js';
import { interleave, median, printTable } from './measure.js';
import { type Series, writeSeries } from './series.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, json: { type: 'string' } },
});
const ROUNDS = Number(values.rounds);

/** A table of a middling API: its static, parameter and rest routes. */
const patterns = [
  '/',
  '/about',
  '/api/health',
  '/api/users',
  '/api/account/me',
  '/api/users/:id',
  '/api/users/:id/posts',
  '/api/users/:id/posts/:post',
  '/api/orgs/:org/repos/:repo/issues/:issue',
  '/api/orgs/:org/repos/:repo',
  '/api/search',
  '/very/deeply/nested/static/route/that/ends/here',
  '/assets/*rest',
  ...Array.from({ length: 40 }, (_, i) => `/v1/resource${i}/:id`),
  ...Array.from({ length: 40 }, (_, i) => `/v1/resource${i}`),
];

const columns: Record<string, (i: number) => string> = {
  static: (i) => (i % 2 ? '/api/account/me' : '/v1/resource17'),
  '1 param': (i) => `/v1/resource${i % 40}/${1000 + (i % 5000)}`,
  '3 params': (i) => `/api/orgs/acme/repos/fw${i % 100}/issues/${i % 5000}`,
  wildcard: (i) => `/assets/img/icons/${i % 5000}.svg`,
};

type Find = (path: string) => unknown;

const contenders: Record<string, (routes: readonly string[]) => Find> = {
  fw: (routes) => {
    const router = new Router();
    for (const route of routes) router.add({ method: 'GET', pattern: parsePattern(route), place: () => '' });
    return (path) => router.find('GET', path);
  },
  'find-my-way': (routes) => {
    const router = FindMyWay();
    for (const route of routes) router.on('GET', route.replace(/\*\w+$/, '*'), () => {});
    return (path) => router.find('GET', path);
  },
  memoirist: (routes) => {
    const router = new Memoirist<number>();
    routes.forEach((route, i) => {
      router.add('GET', route.replace(/\*\w+$/, '*'), i);
    });
    return (path) => router.find('GET', path);
  },
  rou3: (routes) => {
    const router = createRouter<number>();
    routes.forEach((route, i) => {
      addRoute(router, 'GET', route.replace(/\*(\w+)$/, '**:$1'), i);
    });
    return (path) => findRoute(router, 'GET', path);
  },
  'hono RegExpRouter': (routes) => {
    const router = new RegExpRouter<number>();
    routes.forEach((route, i) => {
      router.add('GET', route.replace(/\*\w+$/, '*'), i);
    });
    return (path) => router.match('GET', path);
  },
};

const COUNT = 200_000;

/** Strings that no router has seen: not interned, not hashed, flat. */
function freshPaths(make: (i: number) => string): string[] {
  return Array.from({ length: COUNT }, (_, i) => Buffer.from(make(i), 'latin1').toString('latin1'));
}

/** Million look-ups a second. */
function measure(find: Find, make: (i: number) => string): number {
  const paths = freshPaths(make);
  let found = 0;
  const start = process.hrtime.bigint();
  for (let i = 0; i < COUNT; i++) if (find(paths[i] as string)) found++;
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (found !== COUNT) throw new Error(`only ${found} of ${COUNT} look-ups found a route`);
  return COUNT / seconds / 1e6;
}

const names = Object.keys(contenders);
const finds = new Map(
  names.map((name) => [name, (contenders[name] as (typeof contenders)[string])(patterns)]),
);
const cells = new Map<string, string[]>(names.map((name) => [name, []]));
const series: Series[] = [];
for (const [column, make] of Object.entries(columns)) {
  const results = await interleave(names, ROUNDS, async (name) => measure(finds.get(name) as Find, make));
  series.push({
    name: `router, ${column}`,
    unit: 'million look-ups/s',
    better: 'more',
    base: 'find-my-way',
    rounds: Object.fromEntries(results),
  });
  for (const name of names) cells.get(name)?.push(median(results.get(name) as number[]).toFixed(1));
}
writeSeries(values.json, series);
console.log('million look-ups a second, 93 routes');
printTable(
  ['', ...Object.keys(columns)],
  [...cells].map(([name, row]) => [name, ...row]),
);

// Ten paths spread over the table: one alone would show how lucky its place in the hash map is.
const sizes = [10, 100, 1000, 10_000];
const staticPath = (i: number) => `/static/route/${String(i).padStart(5, '0')}`;
const sized = new Map(
  sizes.map((size) => [
    String(size),
    contenders.fw?.(Array.from({ length: size }, (_, i) => staticPath(i))) as Find,
  ]),
);
const results = await interleave([...sized.keys()], ROUNDS, async (size) => {
  const step = Math.max(1, Math.floor(Number(size) / 10));
  return measure(sized.get(size) as Find, (i) => staticPath((i % 10) * step));
});
console.log('\nstatic look-up of fw by number of routes');
printTable(
  ['routes', 'million/s'],
  [...results].map(([size, of]) => [size, median(of).toFixed(1)]),
);
