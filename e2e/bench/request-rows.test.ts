import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Figures } from './loaded-server.js';
import { measureRow } from './request-rows.js';

const figures = (perSecond: number, others = 0): Figures => ({
  perSecond,
  p99Ms: 2,
  requests: 100,
  residentMb: 50,
  others,
});

/** A row of two rounds in which each call gets what is next for its contender. */
function row(plan: Record<string, readonly (Figures | string)[]>, isRepeated = true) {
  const calls: string[] = [];
  const left = new Map(Object.entries(plan).map(([name, of]) => [name, [...of]]));
  const measure = async (contender: string) => {
    calls.push(contender);
    const next = left.get(contender)?.shift();
    if (next === undefined) throw new Error(`${contender} was measured too often`);
    if (typeof next === 'string') throw new Error(next);
    return next;
  };
  return { calls, given: { contenders: Object.keys(plan), rounds: 2, isRepeated, measure } };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a row of the bench', () => {
  it('has the rounds of all contenders, in turn', async () => {
    const { calls, given } = row({
      'node-http': [figures(100), figures(200)],
      fw: [figures(120), figures(240)],
    });
    const series = await measureRow('json', given);
    expect(calls).toEqual(['node-http', 'fw', 'node-http', 'fw']);
    expect(series.map(({ name, unit, better }) => [name, unit, better])).toEqual([
      ['json', 'requests/s', 'more'],
      ['json, p99', 'ms', 'less'],
      ['json, resident memory', 'MB', 'less'],
    ]);
    expect(series[0]).toMatchObject({
      base: 'node-http',
      rounds: { 'node-http': [100, 200], fw: [120, 240] },
      disturbed: {},
      failed: {},
    });
    expect(series[1]?.rounds.fw).toEqual([2, 2]);
    expect(series[2]?.rounds.fw).toEqual([50, 50]);
  });

  it('repeats a round that failed, and says so', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { given } = row({
      'node-http': [figures(100), figures(200)],
      fw: ['Socket errors: read 1', figures(120), figures(240)],
    });
    const [requests] = await measureRow('json', given);
    expect(requests).toMatchObject({ rounds: { fw: [120, 240] }, failed: {} });
    expect(said.mock.calls).toEqual([['fw is measured again: Socket errors: read 1']]);
  });

  it('goes on without a contender that failed twice, and names it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { calls, given } = row({
      'node-http': [figures(100), figures(200)],
      trpc: [figures(90), 'Socket errors: read 1', 'Non-2xx or 3xx responses: 4'],
      fw: [figures(120), figures(240)],
    });
    const series = await measureRow('rpc-batch', given);
    for (const one of series) {
      expect(Object.keys(one.rounds)).toEqual(['node-http', 'fw']);
      expect(one.failed).toEqual({ trpc: 'Non-2xx or 3xx responses: 4' });
    }
    expect(calls.filter((contender) => contender === 'trpc')).toHaveLength(3);
  });

  it('does not measure a contender again that failed in the first round', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { calls, given } = row({ 'node-http': [figures(1), figures(1)], koa: ['no', 'no'] });
    expect((await measureRow('json', given))[0]?.failed).toEqual({ koa: 'no' });
    expect(calls).toEqual(['node-http', 'koa', 'koa', 'node-http']);
  });

  it('repeats a round that other load disturbed, and keeps the least disturbed one', async () => {
    const disturbed = [0.5, 0.4, 0.2, 0.3, 0.6].map((others, i) => figures(i, others));
    const { given } = row({ fw: [...disturbed, figures(70, 0.3), figures(80, 0.05)] });
    expect((await measureRow('json', given))[0]).toMatchObject({
      rounds: { fw: [2, 80] },
      disturbed: { fw: 1 },
    });
  });

  it('takes a disturbed round as it is where it is not to be repeated', async () => {
    const { given } = row({ fw: [figures(60, 0.5), figures(70, 0.3)] }, false);
    expect((await measureRow('json', given))[0]).toMatchObject({
      rounds: { fw: [60, 70] },
      disturbed: { fw: 2 },
    });
  });

  it('keeps a round although its repetition failed once', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { given } = row({ fw: [figures(60, 0.5), 'broke', figures(70), figures(80)] });
    expect((await measureRow('json', given))[0]).toMatchObject({ rounds: { fw: [70, 80] }, failed: {} });
  });
});
