// Static files: conditional requests, in the order of RFC 9110, section 13.2.2.
import type { FwRequest } from '../context/request.js';
import { trimBlanks } from '../http/white-space.js';
import { readHttpDate } from './static-file.js';

/** The validators of a file. */
export interface Validators {
  /** A strong entity tag, with its quotes. */
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
  // Stryker disable next-line ConditionalExpression: a missing field has no date; this is only faster
  const isUnchanged = since !== undefined && readHttpDate(since) !== undefined && !isOlder(since, file);
  return isUnchanged ? 'not modified' : 'proceed';
}

/** Whether a Range field applies (section 13.1.5): not with a weak or different tag or date in `If-Range`. */
export function passesIfRange(field: string | undefined, file: Validators): boolean {
  if (field === undefined || field === file.etag) return true;
  return readHttpDate(field) === file.modifiedSeconds;
}

function isOlder(date: string | undefined, file: Validators): boolean {
  // Stryker disable next-line ConditionalExpression: a missing field has no date; this is only faster
  const seconds = date === undefined ? undefined : readHttpDate(date);
  return file.modifiedSeconds > (seconds ?? Number.POSITIVE_INFINITY);
}

/** True for `*` and for a list that contains the tag; malformed members of the list are ignored. */
function listsTag(field: string, etag: string, compared: 'strongly' | 'weakly'): boolean {
  // Stryker disable next-line ConditionalExpression: parsing the list finds a single tag too; this is only faster
  if (field === etag) return true;
  if (trimBlanks(field) === '*') return true;
  for (const [listed, weak] of field.matchAll(/(W\/)?"[^"]*"/g)) {
    if (weak === undefined ? listed === etag : compared === 'weakly' && listed.slice(2) === etag) return true;
  }
  return false;
}
