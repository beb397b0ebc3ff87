import { describe, expect, it } from 'vitest';
import { plotResults, writeMarkdown } from './report.js';
import { ratios, type Series } from './series.js';

const json: Series = {
  name: 'json',
  unit: 'requests/s',
  better: 'more',
  base: 'node-http',
  rounds: { 'node-http': [1_000, 1_200, 1_100], fw: [1_500, 1_200, 2_200] },
  disturbed: { fw: 1 },
};
const start: Series = {
  name: 'cold start of the app',
  unit: 'ms',
  better: 'less',
  base: 'node-http',
  rounds: { 'node-http': [40, 50, 44], fw: [50, 50, 88] },
};

describe('ratios', () => {
  it('are above 1 for what is better than the base in the same round', () => {
    expect(ratios(json, 'fw')).toEqual([1.5, 1, 2]);
    expect(ratios(start, 'fw')).toEqual([0.8, 1, 0.5]);
  });

  it('are none for a contender that was not measured', () => {
    expect(ratios(json, 'koa')).toEqual([]);
  });
});

describe('the results in Markdown', () => {
  it('have a table for each series, with medians, their range and the disturbed rounds', () => {
    const text = writeMarkdown({ Node: 'v24', cores: 2 }, [json, start]);
    expect(text).toContain('\n\nNode v24, cores 2. Medians');
    expect(text).toContain(`## json

| | requests/s | against node:http |
|---|---:|---:|
| node:http | 1,100 (1,000–1,200) | 1.00 (1.00–1.00) |
| fw *1 | 1,500 (1,200–2,200) | 1.50 (1.00–2.00) |`);
    expect(text).toContain('| fw | 50.0 (50.0–88.0) | 0.80 (0.50–1.00) |');
  });
});

describe('the plots', () => {
  it('are those that there are results for', () => {
    expect(Object.keys(plotResults([json, start]))).toEqual(['requests', 'start']);
    expect(plotResults([])).toEqual({});
  });

  it('keep RPC and files out of the one of requests', () => {
    const rows = ['json', 'rpc-single', 'static-1k'].map((name) => ({ ...json, name }));
    const { requests = '', rpc = '' } = plotResults(rows);
    expect([...requests.matchAll(/class="text group"[^>]*>([^<]*)/g)].map(([, title]) => title)).toEqual([
      'json',
    ]);
    expect([...rpc.matchAll(/class="text group"[^>]*>([^<]*)/g)].map(([, title]) => title)).toEqual([
      'rpc-single',
    ]);
  });
});
