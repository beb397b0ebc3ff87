// The page about the app: asks `fw dev` which requests have the text of the search in them, also those that come later.
import { effect, type Signal, signal } from '@preact/signals';
import type { FoundRequest, RequestSummary } from '../protocol.js';
import { findRequests, messageOf } from './calls.js';
import { requests } from './store.js';

/** What the search field says. */
export const search: Signal<string> = signal('');
/** By the ids of the requests. */
export const found: Signal<ReadonlyMap<number, FoundRequest>> = signal(new Map());
export const isSearching: Signal<boolean> = signal(false);
/** Why the last search failed. */
export const searchProblem: Signal<string> = signal('');

/** As `fw dev` takes it. */
export const LONGEST_SEARCH = 200;
/** Shorter ones are in nearly all requests. */
const SHORTEST = 2;
/** Until somebody has typed a word, or some requests have come, in milliseconds. */
const PAUSE = 150;

/** What was searched already; a request is another object when its state changes. */
let seen = new Map<number, RequestSummary>();
let text = '';
let timer: ReturnType<typeof setTimeout> | undefined;
let asked: AbortController | undefined;

/** Follows the search field and the list from now on. @returns a function that ends it */
export function searchAlong(): () => void {
  const end = effect(() => {
    const [wanted, known] = [search.value.trim().toLowerCase(), requests.value];
    if (wanted !== text) begin(wanted);
    if (text.length >= SHORTEST && asked === undefined && unseen(known).length > 0) later();
  });
  return () => {
    end();
    begin('');
  };
}

function begin(wanted: string): void {
  asked?.abort();
  asked = undefined;
  clearTimeout(timer);
  timer = undefined;
  text = wanted;
  seen = new Map();
  found.value = new Map();
  searchProblem.value = '';
  isSearching.value = wanted.length >= SHORTEST && requests.peek().length > 0;
}

function later(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    void ask();
  }, PAUSE);
}

function unseen(known: readonly RequestSummary[]): readonly RequestSummary[] {
  return known.filter((one) => seen.get(one.id) !== one);
}

async function ask(): Promise<void> {
  const news = unseen(requests.peek());
  if (news.length === 0) return;
  const mine = new AbortController();
  asked = mine;
  try {
    const hits = await findRequests({ text, ids: news.map(({ id }) => id) }, mine.signal);
    if (mine.signal.aborted) return;
    found.value = replaced(found.peek(), news, hits);
    searchProblem.value = '';
  } catch (error) {
    if (mine.signal.aborted) return;
    searchProblem.value = messageOf(error);
  }
  seen = replaced(seen, news, news);
  asked = undefined;
  isSearching.value = false;
  if (unseen(requests.peek()).length > 0) later();
}

/** What is known of the requests in the list, with what is new of some of them. */
function replaced<One extends { readonly id: number }>(
  before: ReadonlyMap<number, One>,
  news: readonly RequestSummary[],
  ofNews: readonly One[],
): Map<number, One> {
  const isNew = new Set(news.map(({ id }) => id));
  const isListed = new Set(requests.peek().map(({ id }) => id));
  const kept = [...before.values()].filter(({ id }) => isListed.has(id) && !isNew.has(id));
  return new Map([...kept, ...ofNews].map((one) => [one.id, one]));
}
