// Static files: conditional requests, in the order of RFC 9110, section 13.2.2.
import type { FwRequest } from '../request.js';
import { trimBlanks } from '../white-space.js';
import { readHttpDate } from './http-date.js';

/** What a client may compare with. */
export interface Validators {
  /** A strong entity tag, quotes included. */
  readonly etag: string;
  /** Last modification in whole seconds since 1970. */
  readonly modifiedSeconds: number;
}

export type Verdict = 'proceed' | 'not modified' | 'failed';

export function checkPreconditions(req: FwRequest, file: Validators): Verdict {
  const ifMatch = req.header('if-match');
  if (ifMatch !== undefined) {
    if (!listsTag(ifMatch, file.etag, 'strongly')) return 'failed';
  } else if (isOlder(req.header('if-unmodified-since'), file)) return 'failed';
  const ifNoneMatch = req.header('if-none-match');
  if (ifNoneMatch !== undefined)
    return listsTag(ifNoneMatch, file.etag, 'weakly') ? 'not modified' : 'proceed';
  const since = req.header('if-modified-since');
  const isUnchanged = since !== undefined && readHttpDate(since) !== undefined && !isOlder(since, file);
  return isUnchanged ? 'not modified' : 'proceed';
}

/** Whether a Range field counts (section 13.1.5): a weak or other tag, or another date, asks for the whole. */
export function passesIfRange(field: string | undefined, file: Validators): boolean {
  if (field === undefined || field === file.etag) return true;
  return readHttpDate(field) === file.modifiedSeconds;
}

function isOlder(date: string | undefined, file: Validators): boolean {
  const seconds = date === undefined ? undefined : readHttpDate(date);
  return seconds !== undefined && file.modifiedSeconds > seconds;
}

/** True for `*` and for a list that holds the tag; what is no tag in it is passed over. */
function listsTag(field: string, etag: string, compared: 'strongly' | 'weakly'): boolean {
  if (field === etag || trimBlanks(field) === '*') return true;
  for (const [listed, weak] of field.matchAll(/(W\/)?"[^"]*"/g)) {
    if (weak === undefined ? listed === etag : compared === 'weakly' && listed.slice(2) === etag) return true;
  }
  return false;
}
