import { describe, expect, it } from 'vitest';
import type { RequestDetail, TraceStep } from '../protocol.js';
import { uncovered, waterfall } from './waterfall.js';

describe('waterfall', () => {
  it('places steps and log lines as shares of the whole time', () => {
    const { totalMs, rows } = waterfall({
      durationMs: 10,
      steps: [
        { kind: 'middleware', name: 'cors', start: 0, end: 10, depth: 0 },
        { kind: 'handler', name: 'list', start: 2, depth: 1 },
      ],
      log: [{ at: 5, level: 'info', message: 'hi', fields: {} }],
    });
    expect(totalMs).toBe(10);
    expect(
      rows.map(({ step, log, depth, from, width }) => [step?.name ?? log?.message, depth, from, width]),
    ).toEqual([
      ['cors', 0, 0, 1],
      ['list', 1, 0.2, 0.8],
      ['hi', 2, 0.5, 0],
    ]);
  });

  it('has a time for requests without any', () => {
    expect(waterfall({ steps: [], log: [] })).toEqual({ totalMs: 0.001, rows: [] });
  });

  const step = (name: string, start: number, end: number | undefined, parent?: number): TraceStep => ({
    kind: 'span',
    name,
    start,
    ...(end !== undefined && { end }),
    depth: parent === undefined ? 0 : parent + 1,
    ...(parent !== undefined && { parent }),
  });
  const selfTimes = (steps: TraceStep[], durationMs = 10) =>
    Object.fromEntries(
      waterfall({ steps, log: [], durationMs }).rows.map(({ step, durationMs, selfMs }) => [
        step?.name,
        [durationMs, selfMs],
      ]),
    );

  it('counts time in which several steps run inside once, and that of a step inside of one of them not again', () => {
    const steps = [
      step('all', 0, 10),
      step('one', 1, 6, 0),
      step('other', 2, 7, 0),
      step('within', 3, 4, 1),
      step('late', 8, 9, 0),
    ];
    expect(selfTimes(steps)).toEqual({
      all: [10, 3],
      one: [5, 4],
      other: [5, 5],
      within: [1, 1],
      late: [1, 1],
    });
    expect(waterfall({ steps, log: [], durationMs: 10 }).rows[0]?.own).toEqual([
      [0, 0.1],
      [0.7, 0.8],
      [0.9, 1],
    ]);
  });

  it('takes a step without an end as one that runs until now, and a step that outlives the one around it in part', () => {
    expect(selfTimes([step('open', 0, undefined), step('inside', 4, undefined, 0)])).toEqual({
      open: [10, 4],
      inside: [6, 6],
    });
    expect(selfTimes([step('short', 0, 5), step('background', 3, 9, 0)])).toEqual({
      short: [5, 3],
      background: [6, 6],
    });
  });
});

describe('equal statements that follow each other', () => {
  const place = { file: 'src/app.ts', line: 3, column: 1 };
  const statement = (name: string, start: number, more: Partial<TraceStep> = {}): TraceStep => ({
    kind: 'database',
    name,
    start,
    end: start + 1,
    depth: 1,
    parent: 0,
    ...more,
  });
  const handler: TraceStep = { kind: 'handler', name: 'list', start: 0, end: 20, depth: 0 };
  const rowsOf = (steps: TraceStep[], log: RequestDetail['log'] = []) =>
    waterfall({ steps: [handler, ...steps], log, durationMs: 20 }).rows.slice(1);
  const shown = (steps: TraceStep[], log: RequestDetail['log'] = []) =>
    rowsOf(steps, log).map(({ step, log, runs }) => [step?.name ?? log?.message, runs?.length ?? 1]);

  it('are one row with the time of all, in which those that ran at once count once', () => {
    const rows = rowsOf([
      statement('select 1', 1, { place }),
      statement('select 1', 2, { end: 6, place }),
      // The line of later statements is not known.
      statement('select 1', 4, { end: 7 }),
      statement('select 1', 9, { end: 10 }),
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ at: 1, durationMs: 7, selfMs: 7, from: 0.05, step: { place } });
    expect(rows[0]?.width).toBeCloseTo(0.45);
    expect(rows[0]?.runs?.map(({ at }) => at)).toEqual([1, 2, 4, 9]);
    expect(rows[0]?.own).toHaveLength(4);
  });

  it('are not one with others, other lines of the app, failed ones, and what stands between them', () => {
    const line = { at: 2.5, level: 'info' as const, message: 'hi', fields: {} };
    expect(shown([statement('a', 1), statement('a', 2), statement('a', 3)], [line])).toEqual([
      ['a', 2],
      ['hi', 1],
      ['a', 1],
    ]);
    const separate = (more: Partial<TraceStep>) =>
      expect(
        shown([statement('a', 1, { place }), statement('a', 2, { place, ...more })]).length,
        JSON.stringify(more),
      ).toBe(2);
    for (const more of [
      { name: 'b' },
      { parent: 1 },
      { place: { ...place, line: 4 } },
      { place: { ...place, file: 'src/b.ts' } },
      { error: 'Error: x' },
      { kind: 'span' as const },
    ])
      separate(more);
    const { end: _, ...running } = statement('a', 2);
    expect(shown([statement('a', 1), running])).toHaveLength(2);
    expect(
      shown([
        { ...statement('a', 1), kind: 'span' },
        { ...statement('a', 2), kind: 'span' },
      ]),
    ).toHaveLength(2);
  });
});

describe('uncovered', () => {
  it('is what no span covers, in whatever order they come, and whatever they have in common', () => {
    expect(uncovered([0, 10], [])).toEqual([[0, 10]]);
    expect(uncovered([0, 10], [[-5, 20]])).toEqual([]);
    expect(
      uncovered(
        [2, 10],
        [
          [8, 12],
          [0, 3],
          [5, 6],
          [5, 5.5],
        ],
      ),
    ).toEqual([
      [3, 5],
      [6, 8],
    ]);
    expect(
      uncovered(
        [2, 10],
        [
          [10, 12],
          [0, 2],
        ],
      ),
    ).toEqual([[2, 10]]);
    expect(uncovered([3, 3], [])).toEqual([]);
  });
});
