// The page about the app: what `fw dev` has told, kept up to date by its events.
import { type Signal, signal } from '@preact/signals';
import type {
  CallSummary,
  CycleEntry,
  ErrorGroup,
  Hello,
  LiveState,
  MailSummary,
  RequestSummary,
  WorkbenchEvents,
} from '../protocol.js';
import { fetchCycles, fetchErrors, fetchKept, fetchMails, fetchRequests, messageOf } from './calls.js';
import { charts, loadCharts, takePoints } from './charts-store.js';
import { kept } from './kept.js';

/** Undefined before the first connection. */
export const hello: Signal<Hello | undefined> = signal(undefined);
export const state: Signal<LiveState | undefined> = signal(undefined);
export const requests: Signal<readonly RequestSummary[]> = signal([]);
/** The one that happened last first. */
export const errors: Signal<readonly ErrorGroup[]> = signal([]);
/** The oldest first. */
export const mails: Signal<readonly MailSummary[]> = signal([]);
/** How many were too many to record. */
export const skipped: Signal<number> = signal(0);
export const cycles: Signal<readonly CycleEntry[]> = signal([]);
export const isConnected: Signal<boolean> = signal(false);
/** Why lists could not be loaded. */
export const problem: Signal<string> = signal('');
/** New requests wait in `waiting` while the list is paused. */
export const isPaused: Signal<boolean> = signal(false);
export const waiting: Signal<readonly RequestSummary[]> = signal([]);

/** As many as `fw dev` keeps. */
const MOST_CYCLES = 200;
const MOST_MAILS = 100;

/** Connects, and keeps connected: a browser opens an EventSource again by itself. */
export function connect(): void {
  const events = new EventSource('events');
  on(events, 'hello', (first) => {
    hello.value = first;
    state.value = first.state;
    isConnected.value = true;
    void loadLists();
  });
  on(events, 'state', (next) => {
    state.value = next;
  });
  on(events, 'requests', (news) => {
    skipped.value += news.skipped;
    if (isPaused.value) waiting.value = merged(waiting.value, news.requests);
    else requests.value = merged(requests.value, news.requests);
  });
  on(events, 'errors', ({ groups }) => {
    errors.value = withGroups(errors.value, groups);
  });
  on(events, 'mail', (mail) => {
    const others = mails.value.filter(({ id }) => id !== mail.id);
    mails.value = [...others, mail].sort((a, b) => a.id - b.id).slice(-MOST_MAILS);
  });
  on(events, 'points', takePoints);
  on(events, 'cleared', () => forget());
  on(events, 'kept', (next) => {
    kept.value = next;
  });
  on(events, 'cycle', (entry) => {
    cycles.value = [...cycles.value.filter(({ id }) => id !== entry.id), entry].slice(-MOST_CYCLES);
  });
  events.onerror = () => {
    isConnected.value = false;
    // A refusal ends an EventSource for good.
    if (events.readyState === EventSource.CLOSED) setTimeout(connect, 1000);
  };
}

export function resume(): void {
  isPaused.value = false;
  requests.value = merged(requests.value, waiting.value);
  waiting.value = [];
}

export function forget(): void {
  requests.value = [];
  waiting.value = [];
  errors.value = [];
  skipped.value = 0;
}

/** After each connection, because events between two connections are lost. */
async function loadLists(): Promise<void> {
  try {
    const [allRequests, allCycles, allErrors, allKept, allMails] = await Promise.all([
      fetchRequests(),
      fetchCycles(),
      fetchErrors(),
      fetchKept(),
      fetchMails(),
    ]);
    mails.value = allMails;
    kept.value = allKept;
    // What events brought meanwhile is newer.
    requests.value = merged(allRequests, requests.value.filter(isKnownTo(allRequests)));
    cycles.value = allCycles;
    errors.value = allErrors;
    if (charts.value !== undefined) await loadCharts();
    problem.value = '';
  } catch (error) {
    problem.value = messageOf(error);
  }
}

/** False for requests of an earlier `fw dev`, whose ids mean others now. */
function isKnownTo(all: readonly RequestSummary[]): (one: RequestSummary) => boolean {
  const newest = all.at(-1)?.id ?? 0;
  const begins = new Map(all.map(({ id, began }) => [id, began]));
  return ({ id, began }) => begins.get(id) === began || id > newest;
}

function on<Name extends keyof WorkbenchEvents>(
  events: EventSource,
  name: Name,
  hear: (data: WorkbenchEvents[Name]) => void,
): void {
  events.addEventListener(name, (event) => hear(JSON.parse((event as MessageEvent<string>).data)));
}

/** As many as `fw dev` keeps. */
const MOST = 1000;

/** Adds requests, or puts their new states in the place of the old ones. */
export function merged(known: readonly RequestSummary[], news: readonly RequestSummary[]): RequestSummary[] {
  const byId = new Map(known.map((one) => [one.id, one]));
  for (const one of news) byId.set(one.id, one);
  const all = [...byId.values()].sort((a, b) => a.id - b.id);
  // As `fw dev` does: those of the frontend go first.
  const forgotten = new Set(all.length > MOST ? all.filter(isOfFrontend).slice(0, all.length - MOST) : []);
  return all.filter((one) => !forgotten.has(one)).slice(-MOST);
}

function isOfFrontend(one: RequestSummary): boolean {
  return one.isOfFrontend === true;
}

/** As many as `fw dev` keeps. */
const MOST_GROUPS = 100;

/** Adds groups of errors, or puts their new states in the place of the old ones. */
function withGroups(known: readonly ErrorGroup[], news: readonly ErrorGroup[]): ErrorGroup[] {
  const byId = new Map([...known, ...news].map((one) => [one.id, one]));
  return [...byId.values()].sort((a, b) => b.last - a.last).slice(0, MOST_GROUPS);
}

export type Filter = 'all' | 'failed' | 'slow' | 'rpc' | 'ws' | 'jobs' | 'frontend';

/** Slower than this, in milliseconds. */
export const SLOW = 100;

/** Those of the frontend are in a filter of their own alone. */
const filters: Readonly<Record<Filter, (one: RequestSummary) => boolean>> = {
  all: () => true,
  failed: (one) =>
    (one.status ?? 0) >= 400 || one.aborted === true || one.hasFailed === true || failedCalls(one).length > 0,
  slow: ({ durationMs = 0 }) => durationMs > SLOW,
  rpc: ({ label, calls }) => calls !== undefined || (label !== undefined && label !== 'WebSocket'),
  ws: ({ label }) => label === 'WebSocket',
  jobs: ({ isJob }) => isJob === true,
  frontend: () => true,
};

function isIn(filter: Filter, one: RequestSummary): boolean {
  return isOfFrontend(one) === (filter === 'frontend') && filters[filter](one);
}

/** The calls of RPC that were answered with an error; their response has status 200 all the same. */
export function failedCalls({ calls = [] }: Pick<RequestSummary, 'calls'>): readonly CallSummary[] {
  return calls.filter(({ outcome }) => outcome !== 'ok');
}

/** How many requests each filter shows. */
export function counted(known: readonly RequestSummary[]): Readonly<Record<Filter, number>> {
  const counts = { all: 0, failed: 0, slow: 0, rpc: 0, ws: 0, jobs: 0, frontend: 0 };
  for (const one of known) {
    for (const filter of Object.keys(counts) as Filter[]) if (isIn(filter, one)) counts[filter] += 1;
  }
  return counts;
}

/**
 * The newest first. Every word of the search must be in the method, the target, the label, the calls, the status or
 * the request id, or the search was found in the request.
 */
export function shown(
  known: readonly RequestSummary[],
  filter: Filter,
  search: string,
  found: ReadonlyMap<number, unknown> = new Map(),
): RequestSummary[] {
  const words = search.toLowerCase().split(' ').filter(Boolean);
  const fits = (one: RequestSummary): boolean => {
    if (!isIn(filter, one)) return false;
    if (words.length === 0 || found.has(one.id)) return true;
    const calls = (one.calls ?? []).flatMap(({ procedure, outcome, message }) => [
      procedure,
      outcome,
      message,
    ]);
    const loop = one.equalReads === undefined ? '' : 'n+1';
    const text = [one.method, one.target, one.label, ...calls, one.status, one.requestId, loop]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return known.filter(fits).reverse();
}
