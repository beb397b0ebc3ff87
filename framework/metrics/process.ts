// Metrics: the event loop and the heap of the process.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { THIS_RUNTIME } from '../this-runtime.js';
import type { Meters } from './meters.js';

/** Nanoseconds in a second. */
const NANO = 1e9;

/** Measures the process; on Deno and Workers nothing, which do not tell of it. */
export function measureProcess(meters: Meters): () => void {
  if (THIS_RUNTIME === 'Deno' || THIS_RUNTIME === 'Workers') return () => {};
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  const seconds = (name: string, description: string, read: () => number): void => {
    // Without a sample, the histogram has no number.
    const known = (): number => (delays.count === 0 ? 0 : read() / NANO);
    meters.gauge({ name: `nodejs.eventloop.delay.${name}`, description, unit: 's', labels: [] }, known);
  };
  seconds('p50', 'Median delay of the event loop', () => delays.percentile(50));
  seconds('p99', '99th percentile of the delay of the event loop', () => delays.percentile(99));
  seconds('max', 'Longest delay of the event loop', () => delays.max);
  let last = performance.eventLoopUtilization();
  meters.gauge(
    {
      name: 'nodejs.eventloop.utilization',
      description: 'The part of the time in which the event loop was busy, since the metrics were read last',
      unit: '1',
      labels: [],
    },
    () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
  );
  meters.gauge(
    {
      name: 'v8js.memory.heap.used',
      description: 'Memory that objects of JavaScript take',
      unit: 'By',
      labels: [],
    },
    () => process.memoryUsage().heapUsed,
  );
  return () => delays.disable();
}
