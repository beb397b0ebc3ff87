// The table of a worker's states: every pair of them, and what waits for a change.
import { expect, it } from 'vitest';
import { WorkerLifecycle, type WorkerState } from './worker-lifecycle.js';

/** How each state is reached. */
const WAYS: Readonly<Record<WorkerState, readonly WorkerState[]>> = {
  idle: [],
  warming: ['warming'],
  booting: ['booting'],
  active: ['booting', 'active'],
  retiring: ['booting', 'active', 'retiring'],
  draining: ['booting', 'active', 'retiring', 'draining'],
  dead: ['dead'],
};
const STATES = Object.keys(WAYS) as WorkerState[];

function lifecycleIn(state: WorkerState): WorkerLifecycle {
  const lifecycle = new WorkerLifecycle();
  for (const step of WAYS[state]) lifecycle.become(step);
  expect(lifecycle.state).toBe(state);
  return lifecycle;
}

it.each<[WorkerState, WorkerState[]]>([
  ['idle', ['warming', 'booting', 'retiring', 'dead']],
  ['warming', ['idle', 'booting', 'retiring', 'dead']],
  ['booting', ['active', 'retiring', 'dead']],
  ['active', ['retiring', 'dead']],
  ['retiring', ['draining', 'dead']],
  ['draining', ['dead']],
  ['dead', []],
])('from %s goes to %j only', (state, followers) => {
  for (const next of STATES) {
    const lifecycle = lifecycleIn(state);
    lifecycle.become(next);
    expect(lifecycle.state).toBe(followers.includes(next) ? next : state);
  }
});

it('settles at once for a state that is past, or was never reached', async () => {
  expect(await lifecycleIn('active').after('booting')).toBe('active');
  expect(await lifecycleIn('dead').after('warming')).toBe('dead');
});

it('settles for all who wait when the state changes, and not when a change is refused', async () => {
  const lifecycle = lifecycleIn('booting');
  const settled: WorkerState[] = [];
  const waiting = [1, 2].map(async () => settled.push(await lifecycle.after('booting')));
  lifecycle.become('idle');
  await Promise.resolve();
  expect(settled).toEqual([]);
  lifecycle.become('active');
  await Promise.all(waiting);
  expect(settled).toEqual(['active', 'active']);
});

it('goes on waiting if the state comes back before those who wait have run', async () => {
  const lifecycle = lifecycleIn('warming');
  const settled: WorkerState[] = [];
  const after = lifecycle.after('warming').then((state) => settled.push(state));
  lifecycle.become('idle');
  lifecycle.become('warming');
  await new Promise(setImmediate);
  expect(settled).toEqual([]);
  lifecycle.become('dead');
  await after;
  expect(settled).toEqual(['dead']);
});
