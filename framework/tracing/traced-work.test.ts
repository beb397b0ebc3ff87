import diagnostics from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tracedWork, type WorkTrace } from './traced-work.js';

const channel = diagnostics.tracingChannel<unknown, WorkTrace>('test:traced-work');
const names = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
let seen: string[];
const subscribers = Object.fromEntries(
  names.map((name) => [
    name,
    (trace: unknown) => {
      const { error } = trace as WorkTrace;
      seen.push(error === undefined ? name : `${name} of ${(error as Error).message}`);
    },
  ]),
) as unknown as diagnostics.TracingChannelSubscribers<WorkTrace>;
beforeEach(() => {
  seen = [];
  channel.subscribe(subscribers);
});
afterEach(() => channel.unsubscribe(subscribers));

describe('the events of a piece of work', () => {
  it('have one end, also if it is done at once', () => {
    expect(tracedWork(channel, {}, () => 7)).toBe(7);
    expect(seen).toEqual(['start', 'end', 'asyncEnd']);
  });

  it('have one end if it takes longer', async () => {
    const result = tracedWork(channel, {}, async () => 7);
    expect(seen).toEqual(['start', 'end']);
    expect(await result).toBe(7);
    expect(seen).toEqual(['start', 'end', 'asyncEnd']);
  });

  it('have the error of what fails at once', () => {
    const fails = () => {
      throw new Error('no');
    };
    expect(() => tracedWork(channel, {}, fails)).toThrow('no');
    expect(seen).toEqual(['start', 'end', 'error of no', 'asyncEnd of no']);
  });

  it('have the error of what fails later', async () => {
    await expect(tracedWork(channel, {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(seen).toEqual(['start', 'end', 'error of no', 'asyncEnd of no']);
  });
});
