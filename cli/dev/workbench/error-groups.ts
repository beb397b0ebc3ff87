// Errors of requests and of processes, equal ones together: of the same kind and message, from the same line of the app.

import type { CalledProcedure } from '../../../framework/tracing/trace-channel.js';
import { topAppPlace } from '../../process/app-error-lines.js';
import type { AppError } from '../../process/messages.js';
import type { RawRecord } from '../../process/records.js';
import { sourcePlace } from './places.js';
import type { ErrorGroup, RequestSummary, ShownError, SourcePlace } from './protocol.js';
import type { StoredRequest } from './record-store.js';
import { Secrets } from './secrets.js';
import { shownError } from './shown-error.js';
import { withoutSecrets } from './shown-request.js';

const MOST_GROUPS = 100;
/** The last requests of a group. */
const MOST_REQUESTS = 10;
/** In characters: what differs behind them makes no other group. */
const LONGEST_MESSAGE = 500;

interface Group {
  readonly id: number;
  readonly key: string;
  readonly place: SourcePlace | undefined;
  first: number;
  title: string;
  count: number;
  last: number;
  ended: number;
  /** Requests that ended their process, which is about to tell the same. */
  untold: number;
  requests: readonly RequestSummary[];
  /** Of the last one that ended a process outside of requests. */
  before: RequestSummary | undefined;
  /** Reads the code around the error. */
  error: () => ShownError;
}

export class ErrorGroups {
  readonly #root: string;
  readonly #groups = new Map<string, Group>();
  /** Records, and errors among messages, whose errors are counted. */
  readonly #noted = new WeakSet<object>();
  #count = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** The one that happened last is the first. */
  get list(): ErrorGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.last - a.last).map(shown);
  }

  /** Notes the errors of requests that have ended, or have told an error among their messages. Returns the groups that have changed. */
  note(requests: readonly StoredRequest[], summaryOf: (one: StoredRequest) => RequestSummary): ErrorGroup[] {
    const changed = new Set<Group>();
    for (const one of requests) {
      for (const error of this.#newErrors(one)) changed.add(this.#ofRequest(error, one, summaryOf(one)));
    }
    return [...changed].map(shown);
  }

  /** A request comes again when messages of it are told: its errors count once. */
  #newErrors({ raw, messages }: StoredRequest): readonly AppError[] {
    const ofRequest = raw.state === 'pending' ? [] : this.#onceFrom(raw, errorsOf(raw));
    const { error } = messages ?? {};
    return error === undefined ? ofRequest : [...ofRequest, ...this.#onceFrom(error, [error])];
  }

  #onceFrom(source: object, errors: readonly AppError[]): readonly AppError[] {
    if (this.#noted.has(source)) return [];
    this.#noted.add(source);
    return errors;
  }

  #ofRequest(thrown: AppError, { raw }: StoredRequest, summary: RequestSummary): Group {
    const error = withoutSecrets(thrown, new Secrets(raw.secrets));
    const top = topAppPlace(error.frames, this.#root);
    const place = top && sourcePlace(top, this.#root);
    const group = this.#happened(error.title, place, raw.began, () => shownError(error, this.#root));
    const others = group.requests.filter(({ id }) => id !== summary.id);
    group.requests = [summary, ...others].slice(0, MOST_REQUESTS);
    if (raw.isFatal) {
      group.ended += 1;
      group.untold += 1;
    }
    return group;
  }

  /** Notes the error that has ended a process. @param before the last request that was answered before */
  ended(error: ShownError, time: number, before?: RequestSummary): ErrorGroup {
    const place = error.frames.find((frame) => frame.place !== undefined)?.place;
    const known = this.#groups.get(keyOf(error.title, place));
    if (known !== undefined && known.untold > 0) {
      known.untold -= 1;
      return shown(known);
    }
    const group = this.#happened(error.title, place, time, () => error);
    group.ended += 1;
    group.before = before;
    return shown(group);
  }

  clear(): void {
    this.#groups.clear();
  }

  #happened(title: string, place: SourcePlace | undefined, time: number, error: () => ShownError): Group {
    const key = keyOf(title, place);
    const group = this.#groups.get(key) ?? this.#made(key, place, time);
    group.count += 1;
    group.first = Math.min(group.first, time);
    if (time < group.last) return group;
    return Object.assign(group, { title, error, last: time });
  }

  #made(key: string, place: SourcePlace | undefined, time: number): Group {
    if (this.#groups.size >= MOST_GROUPS) this.#forgetOldest();
    this.#count += 1;
    const empty = {
      title: '',
      count: 0,
      ended: 0,
      untold: 0,
      requests: [],
      before: undefined,
      error: noError,
    };
    const group: Group = { id: this.#count, key, place, first: time, last: time, ...empty };
    this.#groups.set(key, group);
    return group;
  }

  #forgetOldest(): void {
    const [oldest] = [...this.#groups.values()].sort((a, b) => a.last - b.last);
    if (oldest !== undefined) this.#groups.delete(oldest.key);
  }
}

function noError(): ShownError {
  return { title: '', frames: [], details: '' };
}

function shown({ id, title, place, count, first, last, ended, requests, before, error }: Group): ErrorGroup {
  return {
    id,
    title,
    count,
    first,
    last,
    requests,
    error: error(),
    ...(place !== undefined && { place }),
    ...(ended > 0 && { ended }),
    ...(before !== undefined && { before }),
  };
}

/** What a request has thrown: of a batch, the error of each call. One that a procedure declares is an answer. */
function errorsOf({ error, callErrors = [], calls = [], isFatal }: RawRecord): readonly AppError[] {
  if (error === undefined) return [];
  if (isFatal || (calls.length === 0 && callErrors.length === 0)) return [error];
  const ofCalls = callErrors.filter((one) => !isDeclared(one)).map((one) => one.error);
  const failed = calls.filter(({ outcome }) => outcome !== 'ok');
  // A call over REST is the request itself, so its error is the error of the request.
  const isKnown = callErrors.some((one) => one.error.title === error.title) || areDeclared(failed);
  return isKnown ? ofCalls : [...ofCalls, error];
}

function areDeclared(failed: readonly CalledProcedure[]): boolean {
  return failed.length > 0 && failed.every(isDeclared);
}

/** Other outcomes are codes of JSON-RPC. */
function isDeclared({ outcome }: CalledProcedure): boolean {
  return !/^-?\d+$/.test(outcome);
}

function keyOf(title: string, place: SourcePlace | undefined): string {
  return `${place === undefined ? '' : `${place.file}:${place.line}`} ${messageKind(title)}`;
}

/** A message without what differs from one time to the next: ids, numbers, and what stands in quotes. */
export function messageKind(title: string): string {
  return title
    .slice(0, LONGEST_MESSAGE)
    .replace(/(?<!\w)(["'`])(?:(?!\1).)*?\1(?!\w)/gs, '…')
    .replace(/[\w-]{16,}/g, (word) => (/\d/.test(word) ? '…' : word))
    .replace(/\d+(?:[.,:]\d+)*/g, '…');
}
