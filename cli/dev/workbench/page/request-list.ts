// The page about the app: the known requests, in the order of their ids, and which of them a search shows.
import type { RequestSummary } from '../protocol.js';

/** As many as `fw dev` keeps. */
const MOST = 1000;

/** Adds requests, or puts their new states in the place of the old ones. */
export function merged(known: readonly RequestSummary[], news: readonly RequestSummary[]): RequestSummary[] {
  const byId = new Map(known.map((one) => [one.id, one]));
  for (const one of news) byId.set(one.id, one);
  return [...byId.values()].sort((a, b) => a.id - b.id).slice(-MOST);
}

export type Filter = 'all' | 'failed' | 'slow' | 'rpc' | 'ws';

/** Slower than this, in milliseconds. */
const SLOW = 100;

const filters: Readonly<Record<Filter, (one: RequestSummary) => boolean>> = {
  all: () => true,
  failed: ({ status = 0, aborted }) => status >= 400 || aborted === true,
  slow: ({ durationMs = 0 }) => durationMs > SLOW,
  rpc: ({ label }) => label !== undefined && label !== 'WebSocket',
  ws: ({ label }) => label === 'WebSocket',
};

/**
 * The newest first. Every word of the search must be in the method, the target, the label, the status or the request
 * id.
 */
export function shown(known: readonly RequestSummary[], filter: Filter, search: string): RequestSummary[] {
  const words = search.toLowerCase().split(' ').filter(Boolean);
  const fits = (one: RequestSummary): boolean => {
    if (!filters[filter](one)) return false;
    if (words.length === 0) return true;
    const text = [one.method, one.target, one.label, one.status, one.requestId].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return known.filter(fits).reverse();
}
