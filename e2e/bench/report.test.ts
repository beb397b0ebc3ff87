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
const key: Series = {
  name: 'memory of a key of a rate limit',
  unit: 'bytes',
  better: 'less',
  base: 'express-rate-limit',
  rounds: { fw: [124, 124], 'express-rate-limit': [248, 248], '@fastify/rate-limit': [62, 31] },
};
const server: Series = { ...start, name: 'paused reader of 1 GB, memory of the server', unit: 'MB' };

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

  it('name a contender that failed, after those that were measured', () => {
    expect(writeMarkdown({}, [{ ...json, failed: { trpc: 'Non-2xx or 3xx responses: 4' } }])).toContain(
      '| fw *1 | 1,500 (1,200–2,200) | 1.50 (1.00–2.00) |\n| tRPC | failed: Non-2xx or 3xx responses: 4 | – |',
    );
  });

  it('have no ratios where the base failed', () => {
    const { fw } = json.rounds;
    const text = writeMarkdown({}, [{ ...json, rounds: { fw: fw ?? [] }, failed: { 'node-http': 'broke' } }]);
    expect(text).toContain('| fw *1 | 1,500 (1,200–2,200) | – |\n| node:http | failed: broke | – |');
  });

  it('have the bytes of what a server keeps, where less is better', () => {
    expect(writeMarkdown({}, [key])).toContain(`## memory of a key of a rate limit

| | bytes | against express-rate-limit |
|---|---:|---:|
| fw | 124 (124–124) | 2.00 (2.00–2.00) |
| express-rate-limit | 248 (248–248) | 1.00 (1.00–1.00) |
| @fastify/rate-limit | 46.5 (31.0–62.0) | 6.00 (4.00–8.00) |`);
  });
});

describe('the plots', () => {
  it('are those that there are results for', () => {
    expect(Object.keys(plotResults([json, start]))).toEqual(['requests', 'start']);
    expect(plotResults([])).toEqual({});
  });

  it('leave out a row whose base failed', () => {
    expect(plotResults([{ ...json, rounds: { fw: [1] }, failed: { 'node-http': 'broke' } }])).toEqual({});
  });

  it('have memory by the bytes of one, not by megabytes of a server', () => {
    const plots = plotResults([json, key, server]);
    expect(Object.keys(plots)).toEqual(['requests', 'memory']);
    expect(plots.memory).toContain('memory of a key of a rate limit');
    expect(plots.memory).not.toContain('paused reader');
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
