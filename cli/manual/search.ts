// The documentation: the search, for the terminal and the workbench. It finds sections, and gives each page once.
import { setImmediate } from 'node:timers/promises';
import MiniSearch, { type SearchResult } from 'minisearch';
import { stemmer } from 'stemmer';
import { ERROR_GROUP, type ManualPage } from './pages.js';
import { type ManualSection, sectionsOf, textsOf } from './sections.js';

export interface ManualResult {
  readonly page: ManualPage;
  /** The section that answers best. */
  readonly section: ManualSection;
  /** A piece of its text around the words. */
  readonly excerpt: string;
  readonly score: number;
}

interface Entry {
  readonly id: number;
  readonly title: string;
  readonly name: string;
  readonly heading: string;
  readonly text: string;
  readonly code: string;
}

/** Words that say nothing about what is looked for. */
const STOP = new Set(
  'a an and any are as at be by can do does for from get has have how i if in into is it its me my need not of on or should so that the there this to use using want was way what when where which who why will with without you your'.split(
    ' ',
  ),
);
/** What people call things that are called otherwise in the documentation. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  login: ['sign', 'authenticate'],
  logout: ['sign'],
  auth: ['authenticate', 'guard'],
  authorization: ['guard'],
  permission: ['guard', 'scope'],
  role: ['guard', 'scope'],
  ws: ['websocket'],
  sse: ['event'],
  config: ['setting'],
  configuration: ['setting'],
  dotenv: ['env', 'setting'],
  ip: ['address'],
  nginx: ['proxy'],
  throttle: ['limit'],
  throttling: ['limit'],
  swagger: ['openapi'],
  postgres: ['postgresql', 'sql'],
  database: ['sql'],
  orm: ['drizzle', 'kysely'],
  docker: ['deployment', 'image'],
  kubernetes: ['deployment'],
  deploy: ['deployment'],
  spa: ['single-page'],
  logger: ['log'],
  multer: ['upload'],
  helmet: ['security'],
  jest: ['test'],
  supertest: ['test'],
  autoreload: ['reload', 'dev'],
  nodemon: ['dev', 'reload'],
  gateway: ['websocket'],
  broadcast: ['topic', 'channel'],
  cluster: ['process'],
};

const BOOST = { title: 4, name: 2, heading: 3, text: 1, code: 0.4 };
/** A page of an error has few words, so that each of them weighs much. */
const ERROR_WEIGHT = 0.45;
/** Of what was named. */
const CERTAIN = 1000;
const LONGEST_QUERY = 500;
const OTHER_SECTIONS = 0.1;

/** Words, and those that a name such as `rateLimiter` or `FW_ENV` consists of. */
function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => {
    if (word === '') return [];
    const parts = word.split(/_|(?<=[a-z0-9])(?=[A-Z])/).filter(Boolean);
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}

/** A page repeats its words. */
const terms = new Map<string, string | null>();

function termOf(word: string): string | null {
  const known = terms.get(word);
  if (known !== undefined) return known;
  const lower = word.toLowerCase();
  const term = STOP.has(lower) ? null : stemmer(lower);
  terms.set(word, term);
  return term;
}

function termsOf(text: string): Set<string> {
  return new Set(
    wordsOf(text)
      .map(termOf)
      .filter((term) => term !== null),
  );
}

/** Pages that are parsed, and sections that are indexed, before others get the thread. */
const AT_ONCE = { pages: 8, sections: 40 };

export class ManualSearch {
  readonly #sections: ManualSection[] = [];
  readonly #texts: { readonly text: string; readonly code: string }[] = [];
  readonly #index: MiniSearch<Entry> = new MiniSearch({
    fields: Object.keys(BOOST),
    storeFields: [],
    tokenize: wordsOf,
    processTerm: termOf,
  });

  private constructor() {}

  /** Takes some tenths of a second, in pieces: `fw dev` goes on meanwhile. */
  static async of(pages: readonly ManualPage[]): Promise<ManualSearch> {
    const search = new ManualSearch();
    for (const [at, page] of pages.entries()) {
      if (at % AT_ONCE.pages === 0) await setImmediate();
      for (const section of sectionsOf(page)) {
        search.#sections.push(section);
        search.#texts.push(textsOf(section.blocks));
      }
    }
    const entries = search.#sections.map(({ page: { title, name }, heading }, id) => {
      return { id, title, name, heading, ...(search.#texts[id] as { text: string; code: string }) };
    });
    await search.#index.addAllAsync(entries, { chunkSize: AT_ONCE.sections });
    return search;
  }

  /** The best page first; none without words that say something. */
  find(query: string, most = 10): ManualResult[] {
    const words = query.slice(0, LONGEST_QUERY);
    const asked = termsOf(words);
    if (asked.size === 0) return [];
    const found = this.#search(words);
    const pages = new Map<ManualPage, { best: SearchResult; score: number; terms: Set<string> }>();
    for (const result of found) {
      const { page } = this.#sections[result.id] as ManualSection;
      const known = pages.get(page) ?? { best: result, score: result.score, terms: new Set() };
      // More sections of a page say that it is about the words.
      if (known.best !== result) known.score += result.score * OTHER_SECTIONS;
      for (const term of result.queryTerms) known.terms.add(term);
      pages.set(page, known);
    }
    return [...pages]
      .map(([page, { best, score, terms }]) => {
        const weight = page.group === ERROR_GROUP ? errorWeight(page, words, asked) : 1;
        const common = [...asked].filter((term) => terms.has(term)).length / asked.size;
        const section = this.#sections[best.id] as ManualSection;
        return { page, section, best, score: score * weight * (0.4 + 0.6 * common) };
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, most)
      .map(({ best, ...result }) => ({ ...result, excerpt: this.#excerpt(best) }));
  }

  #search(words: string): SearchResult[] {
    const more = wordsOf(words).flatMap((word) => {
      const lower = word.toLowerCase();
      return Object.hasOwn(SYNONYMS, lower) ? (SYNONYMS[lower] as readonly string[]) : [];
    });
    const options = {
      boost: BOOST,
      prefix: isLong,
      fuzzy: (term: string) => (term.length > 5 ? 0.2 : false),
    };
    const own = { queries: [words], ...options, weights: { fuzzy: 0.2, prefix: 0.3 } };
    if (more.length === 0) return this.#index.search(own);
    const others = { queries: [more.join(' ')], ...options, fuzzy: false, boost: halved(BOOST) };
    return this.#index.search({ combineWith: 'OR', queries: [own, others] });
  }

  #excerpt({ id, queryTerms }: SearchResult): string {
    const { text, code } = this.#texts[id] as { text: string; code: string };
    const whole = (text === '' ? code : text).replace(/\s+/g, ' ');
    const words = [...whole.matchAll(/[\p{L}\p{N}_]+/gu)];
    const first = words.find(([word]) => queryTerms.includes(stemmer(word.toLowerCase())))?.index ?? 0;
    return cut(whole, first);
  }
}

/** Short words begin too many others. */
function isLong(term: string): boolean {
  return term.length > 3;
}

function halved(boost: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(boost).map(([name, value]) => [name, value / 2]));
}

/** A message that was printed has most of its words in common with that of the page. */
function errorWeight(page: ManualPage, query: string, asked: ReadonlySet<string>): number {
  const codes: readonly string[] = query.toUpperCase().match(/\bFW_\w+/g) ?? [];
  if (codes.length > 0) return codes.includes(page.title) ? CERTAIN : 1;
  const message = page.blocks.find((block) => block.kind === 'code');
  const said = termsOf(message?.kind === 'code' ? message.text : '');
  const common = [...asked].filter((term) => said.has(term)).length;
  const share = common / asked.size;
  const isMessage = (common >= 4 && share >= 0.5) || (common >= 3 && share >= 0.75);
  return isMessage ? 1 + 3 * share : ERROR_WEIGHT;
}

const EXCERPT = 160;

/** From the beginning of the sentence in which the word is, if it is near. */
function cut(text: string, at: number): string {
  const sentence = text.lastIndexOf('. ', at) + 2;
  const start = sentence === 1 ? (at < 80 ? 0 : at - 40) : at - sentence < 80 ? sentence : at - 40;
  const piece = text.slice(start, start + EXCERPT);
  return `${start > 0 && start !== sentence ? '…' : ''}${piece}${start + EXCERPT < text.length ? '…' : ''}`;
}
