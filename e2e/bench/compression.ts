// What compression costs and saves: `npm run compression`. Typical bodies through `fw/compression` with its
// defaults, in process, and the other levels of zlib beside them, which show why the defaults are what they are.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { App } from '../../dist/framework/index.js';
import { compression } from '../../dist/framework/middleware/compression/index.js';
import { interleave, median, printTable } from './measure.js';

const ROUNDS = 5;
const MB = 1024 * 1024;

/** A generator with a seed, so that every run compresses the same. */
function* numbers(): Generator<number> {
  let state = 42;
  while (true) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}
const random = numbers();
const pick = <T>(list: readonly T[]): T =>
  list[Math.floor((random.next().value as number) * list.length)] as T;
const words = 'the of and a to in is you that it he was for on are as with his they at be this from'.split(
  ' ',
);
const sentence = (length: number) => Array.from({ length }, () => pick(words)).join(' ');
const user = (_: unknown, id: number) => ({
  id,
  name: sentence(2),
  email: `${sentence(1)}${id}@example.com`,
  score: random.next().value,
  tags: [pick(words), pick(words)],
});

const bodies: Record<string, { type: string; text: string }> = {
  'a small object of JSON': {
    type: 'application/json',
    text: JSON.stringify(Array.from({ length: 15 }, user)),
  },
  'a list of JSON': { type: 'application/json', text: JSON.stringify(Array.from({ length: 800 }, user)) },
  'a page of HTML': {
    type: 'text/html',
    text: Array.from(
      { length: 700 },
      (_, i) => `<li class="row" id="r${i}"><a href="/r/${i}">${sentence(12)}</a></li>`,
    ).join(''),
  },
};

const app = new App().use(compression());
for (const [name, { type, text }] of Object.entries(bodies)) {
  app.get(`/${name.replaceAll(/\W+/g, '-')}`, (ctx) => ctx.header('Content-Type', type).text(text));
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const quality = (level: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: level } });

for (const [name, { text }] of Object.entries(bodies)) {
  const path = `http://x/${name.replaceAll(/\W+/g, '-')}`;
  const through = (accept: string) => async () => {
    const response = await app.fetch(new Request(path, { headers: { 'Accept-Encoding': accept } }));
    return (await response.arrayBuffer()).byteLength;
  };
  const ways: Record<string, () => Promise<number>> = {
    'fw, identity': through('identity'),
    'fw, br': through('br'),
    'fw, gzip': through('gzip'),
    'zlib, br 1': async () => (await brotli(text, quality(1))).length,
    'zlib, br 4': async () => (await brotli(text, quality(4))).length,
    'zlib, br 11': async () => (await brotli(text, quality(11))).length,
    'zlib, gzip 1': async () => (await zip(text, { level: 1 })).length,
    'zlib, gzip 6': async () => (await zip(text, { level: 6 })).length,
    'zlib, gzip 9': async () => (await zip(text, { level: 9 })).length,
  };
  const times = Math.ceil((2 * MB) / text.length);
  const results = await interleave(Object.keys(ways), ROUNDS, async (way) => {
    const compress = ways[way] as () => Promise<number>;
    const before = process.cpuUsage();
    let size = 0;
    for (let i = 0; i < times; i++) size = await compress();
    const { user: busy, system } = process.cpuUsage(before);
    return { size, cpuMs: (busy + system) / 1000 / ((times * text.length) / MB) };
  });
  console.log(`\n${name}: ${text.length.toLocaleString('en')} bytes`);
  printTable(
    ['', 'bytes', '÷ identity', 'CPU ms a MB'],
    [...results].map(([way, rounds]) => [
      way,
      (rounds[0]?.size ?? 0).toLocaleString('en'),
      ((rounds[0]?.size ?? 0) / text.length).toFixed(3),
      median(rounds.map(({ cpuMs }) => cpuMs)).toFixed(1),
    ]),
  );
}
