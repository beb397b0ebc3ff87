import { describe, expect, it } from 'vitest';
import { waterfall } from './timeline.js';

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
});
