import { describe, expect, it } from 'vitest';
import { parseType } from '../read/parse-type.js';
import type { NamedTypes, WireType } from '../wire-type.js';
import { compileRevival } from './revive-dates.js';

const DAY = '2026-01-31T10:00:00Z';
const day = new Date(DAY);
const date: WireType = { kind: 'string', isDate: true };
const text: WireType = { kind: 'string' };
const ref = (name: string): WireType => ({ kind: 'ref', name });
const list = (items: WireType): WireType => ({ kind: 'array', items });
const tuple = (items: WireType[], rest?: WireType): WireType => ({
  kind: 'tuple',
  items,
  ...(rest && { rest }),
});
const union = (...members: WireType[]): WireType => ({ kind: 'union', members });
const object = (fields: Record<string, WireType>, values?: WireType): WireType => ({
  kind: 'object',
  fields: Object.entries(fields).map(([name, type]) => ({ name, type, isOptional: false })),
  ...(values && { values }),
});

const named: NamedTypes = {
  When: date,
  Text: text,
  MaybeWhen: union({ kind: 'null' }, date),
  MaybeText: union({ kind: 'null' }, text),
  Tree: union(date, object({ next: union(ref('Tree'), { kind: 'number' }) })),
  Event: object({ at: date, next: union(ref('Event'), { kind: 'null' }) }),
  Plain: object({ id: text, next: union(ref('Plain'), { kind: 'null' }) }),
  Loop: ref('Loop'),
};

/** What becomes of a value; the type has to hold a Date. */
function revived(type: WireType, value: unknown): unknown {
  const revive = compileRevival(type, named);
  if (revive === undefined) throw new Error('the type has no Date');
  return revive(value);
}

describe('compileRevival', () => {
  it.each<[string, WireType]>([
    ['a text', text],
    ['a number', { kind: 'number' }],
    ['a list of texts', list(text)],
    ['a tuple of texts', tuple([text], text)],
    ['an object of texts', object({ a: text }, text)],
    ['a union of texts', union(text, { kind: 'null' })],
    ['a recursive type of texts', ref('Plain')],
    ['a name that refers to itself', ref('Loop')],
    ['an undefined name', ref('Nobody')],
  ])('is not needed for %s', (_what, type) => {
    expect(compileRevival(type, named)).toBeUndefined();
  });

  it.each<[string, WireType]>([
    ['itself', union(date, text)],
    ['by a name', union(date, ref('Text'))],
    ['by a named union', union(date, ref('MaybeText'))],
    ['if the Date has a name', union(ref('When'), text)],
    ['if a named union contains the Date', union(ref('MaybeWhen'), text)],
  ])('leaves strings unchanged in a union that includes string, %s', (_what, type) => {
    expect(compileRevival(type, named)).toBeUndefined();
    expect(revived(object({ a: type, b: date }), { a: DAY, b: DAY })).toEqual({ a: DAY, b: day });
  });

  it.each<[string, WireType, unknown, unknown]>([
    ['the value itself', date, DAY, day],
    ['a named type', ref('When'), DAY, day],
    ['a list', list(date), [DAY, null], [day, null]],
    ['a tuple', tuple([text, date]), [DAY, DAY], [DAY, day]],
    ['only the rest of a tuple', tuple([text], date), [DAY, DAY, DAY], [DAY, day, day]],
    ['only the items of a tuple', tuple([date], text), [DAY, DAY], [day, DAY]],
    ['what follows the items of a tuple without a rest', tuple([date]), [DAY, DAY], [day, DAY]],
    ['a field', object({ a: date, b: text }), { a: DAY, b: DAY, c: DAY }, { a: day, b: DAY, c: DAY }],
    ['a field that is absent', object({ a: date, b: date }), { b: DAY }, { b: day }],
    ['only other keys', object({ a: text }, date), { a: DAY, b: DAY, c: DAY }, { a: DAY, b: day, c: day }],
    ['fields and other keys', object({ a: date }, date), { a: DAY, b: DAY }, { a: day, b: day }],
    ['a union with null', union({ kind: 'null' }, date), DAY, day],
    ['null in a union', union({ kind: 'null' }, date), null, null],
    ['a union of objects', union(object({ a: date }), object({ b: date })), { b: DAY }, { b: day }],
    ['a union within a union', union(union(date, { kind: 'null' }), { kind: 'number' }), DAY, day],
    [
      'objects of a union that also takes texts',
      union(text, date, object({ a: date })),
      { a: DAY },
      { a: day },
    ],
    ['lists of lists', list(list(date)), [[DAY]], [[day]]],
    [
      'recursive types',
      ref('Event'),
      { at: DAY, next: { at: DAY, next: { at: DAY, next: null } } },
      { at: day, next: { at: day, next: { at: day, next: null } } },
    ],
    [
      'recursive types that are members of other unions',
      ref('Tree'),
      { next: { next: DAY } },
      { next: { next: day } },
    ],
    [
      'a name that is used twice',
      object({ a: ref('When'), b: ref('When'), c: ref('Text'), d: ref('Text') }),
      { a: DAY, b: DAY, c: DAY, d: DAY },
      { a: day, b: day, c: DAY, d: DAY },
    ],
  ])('converts Dates in %s', (_what, type, value, expected) => {
    const before = structuredClone(value);
    expect(revived(type, value)).toEqual(expected);
    expect(value).toEqual(before);
  });

  it.each([
    ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T10:00:00.5Z', '2026-01-31T10:00:00.500Z'],
    ['2026-01-31T10:00:00.123456789Z', '2026-01-31T10:00:00.123Z'],
    ['2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00.000Z'],
    ['2026-01-31T10:00:00-02:30', '2026-01-31T12:30:00.000Z'],
  ])('reads %s', (sent, iso) => {
    const made = revived(date, sent);
    if (!(made instanceof Date)) throw new Error('no Date');
    expect(made.toISOString()).toBe(iso);
  });

  it.each([
    '',
    '1',
    '2026-01-31',
    '2026-01-31T10:00:00',
    '2026-01-31T10:00Z',
    '2026-01-31 10:00:00Z',
    '2026-01-31T10:00:00.Z',
    '2026-01-31T10:00:00.1234567890Z',
    '2026-01-31T10:00:00+0200',
    '2026-01-31T10:00:00+02',
    '2026-01-31T10:00:00Z ',
    ' 2026-01-31T10:00:00Z',
    '2026-13-31T10:00:00Z',
    '2026-01-31T25:00:00Z',
    '12026-01-31T10:00:00Z',
    'Sat, 31 Jan 2026 10:00:00 GMT',
    1_769_853_600_000,
    null,
    undefined,
    true,
    [DAY],
    { at: DAY },
  ])('leaves %j to the validation by the schema', (value) => {
    expect(revived(date, value)).toBe(value);
  });

  it.each<[string, WireType, unknown]>([
    ['a list', list(date), DAY],
    ['a list', list(date), { 0: DAY }],
    ['a tuple', tuple([date]), null],
    ['an object', object({ a: date }), null],
    ['an object', object({ a: date }), DAY],
    ['an object', object({ a: date }), [DAY]],
    ['an object', object({ 0: date }), [DAY]],
    ['an object', object({ a: date }), day],
    ['a record', object({}, date), [DAY]],
    ['a record', object({}, date), day],
  ])('leaves what is not %s unchanged: %j, %j', (_what, type, value) => {
    expect(revived(type, value)).toBe(value);
  });

  it('reads only own keys, and copies __proto__ as a key', () => {
    const sent = JSON.parse(`{"__proto__":"${DAY}","b":"${DAY}"}`);
    const made = revived(object({ constructor: date }, date), sent) as object;
    expect(Object.entries(made)).toEqual([
      ['__proto__', day],
      ['b', day],
    ]);
    expect(made).not.toHaveProperty('constructor');
  });

  it('returns values without a Date unchanged', () => {
    const sent = { list: [DAY], pair: [DAY], plain: { id: DAY }, at: DAY };
    const type = object({
      list: list(text),
      pair: tuple([text], text),
      plain: object({ id: text }),
      at: date,
    });
    const made = revived(type, sent) as typeof sent;
    expect(made).toEqual({ ...sent, at: day });
    for (const key of ['list', 'pair', 'plain'] as const) expect(made[key]).toBe(sent[key]);
  });

  it('ignores undefined names', () => {
    expect(revived(union(date, ref('Nobody')), DAY)).toEqual(day);
    expect(revived(tuple([date, ref('Nobody')]), [DAY, DAY])).toEqual([day, DAY]);
  });

  it('keeps Dates that another schema has already converted', () => {
    expect(revived(union(date, list(date)), [day])).toEqual([day]);
    expect(compileRevival(parseType('Date'), named)).toBeUndefined();
  });
});
