import { describe, expect, it } from 'vitest';
import type { FwRequest } from '../context/request.js';
import { checkPreconditions, passesIfRange, type Verdict } from './preconditions.js';

const MODIFIED = 'Sat, 01 Nov 2025 12:00:00 GMT';
const BEFORE = 'Sat, 01 Nov 2025 11:59:59 GMT';
const AFTER = 'Sat, 01 Nov 2025 12:00:01 GMT';
const file = { etag: '"one"', modifiedSeconds: Date.parse(MODIFIED) / 1000 };

const verdict = (fields: Record<string, string>): Verdict =>
  checkPreconditions({ header: (name: string) => fields[name] } as FwRequest, file);

describe('checkPreconditions', () => {
  it.each<[Record<string, string>, Verdict]>([
    [{}, 'proceed'],
    [{ 'if-match': '"one"' }, 'proceed'],
    [{ 'if-match': '*' }, 'proceed'],
    [{ 'if-match': ' *\t' }, 'proceed'],
    [{ 'if-match': '"two", "one"' }, 'proceed'],
    [{ 'if-match': '"two"' }, 'failed'],
    [{ 'if-match': 'W/"one"' }, 'failed'],
    [{ 'if-match': '' }, 'failed'],
    [{ 'if-match': 'one' }, 'failed'],
    [{ 'if-match': '"one"', 'if-unmodified-since': BEFORE }, 'proceed'],
    [{ 'if-unmodified-since': BEFORE }, 'failed'],
    [{ 'if-unmodified-since': MODIFIED }, 'proceed'],
    [{ 'if-unmodified-since': AFTER }, 'proceed'],
    [{ 'if-unmodified-since': 'yesterday' }, 'proceed'],
    [{ 'if-none-match': '"one"' }, 'not modified'],
    [{ 'if-none-match': 'W/"one"' }, 'not modified'],
    [{ 'if-none-match': '"two", W/"one"' }, 'not modified'],
    [{ 'if-none-match': '*' }, 'not modified'],
    [{ 'if-none-match': '"two"' }, 'proceed'],
    [{ 'if-none-match': 'W/"two"' }, 'proceed'],
    [{ 'if-none-match': 'W/"x, "one""' }, 'proceed'],
    [{ 'if-none-match': '"two"', 'if-modified-since': AFTER }, 'proceed'],
    [{ 'if-modified-since': BEFORE }, 'proceed'],
    [{ 'if-modified-since': MODIFIED }, 'not modified'],
    [{ 'if-modified-since': AFTER }, 'not modified'],
    [{ 'if-modified-since': 'yesterday' }, 'proceed'],
    [{ 'if-match': '"one"', 'if-none-match': '"one"' }, 'not modified'],
    [{ 'if-match': '"two"', 'if-none-match': '"one"' }, 'failed'],
  ])('%j: %s', (fields, expected) => expect(verdict(fields)).toBe(expected));
});

describe('passesIfRange', () => {
  it.each([
    [undefined, true],
    ['"one"', true],
    ['W/"one"', false],
    ['"two"', false],
    [MODIFIED, true],
    [BEFORE, false],
    [AFTER, false],
    ['yesterday', false],
  ])('%j: %s', (field, expected) => expect(passesIfRange(field, file)).toBe(expected));
});
