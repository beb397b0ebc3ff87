// What `fw dev` has said, and what the app does now.
import { describe, expect, it } from 'vitest';
import { CycleLog } from './cycle-log.js';
import type { LiveState } from './protocol.js';

describe('the log of cycles', () => {
  it('keeps the last 200 entries', () => {
    const log = new CycleLog('/app');
    for (let count = 1; count <= 200; count += 1) log.note(`${count}`);
    expect([log.entries.length, log.entries[0]?.what]).toEqual([200, '1']);
    log.note('201');
    expect([log.entries.length, log.entries[0]?.what, log.entries.at(-1)?.id]).toEqual([200, '2', 201]);
  });

  it('tells a state when it changes, and nobody who has left', () => {
    const log = new CycleLog('/app');
    const phases: string[] = [];
    const state = ({ phase }: LiveState) => void phases.push(phase);
    const leave = log.listen({ state });
    log.working(true);
    log.working(true);
    log.buildFailed('src/a.ts changed', 'the build failed', [], false);
    log.working(false);
    log.working(false);
    expect(phases).toEqual(['starting', 'starting', 'failed']);
    log.working(true);
    log.ready('src/a.ts changed', { total: 1, build: 1, boot: 0 } as never);
    expect(log.state).toEqual({ phase: 'reloading', generation: 1 });
    log.working(false);
    expect(log.state).toEqual({ phase: 'ready', generation: 1 });
    leave();
    log.appFailed('the app has ended', undefined, 'it is started again', false);
    expect(phases).toEqual(['starting', 'starting', 'failed', 'starting', 'reloading', 'ready']);
    expect(log.state).toMatchObject({ phase: 'failed', failure: { title: 'the app has ended' } });
  });
});
