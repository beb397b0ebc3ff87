// The page about the app: charts of what it has answered since the start, and of its process.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { clock, duration, size } from '../../../../framework/docs-page/parts/format.js';
import { Empty, Notice } from '../../../../framework/docs-page/parts/layout.js';
import type { ChartInfo, ChartPoint } from '../app-info.js';
import type { CycleEntry } from '../protocol.js';
import { messageOf } from './calls.js';
import { Chart, type Line, LineSample } from './chart.js';
import { type Span, savesIn } from './chart-lines.js';
import { charts, loadCharts } from './charts-store.js';
import { cycles } from './store.js';

const spans: readonly (readonly [minutes: number | undefined, title: string])[] = [
  [undefined, 'Since the start'],
  [60, '1 hour'],
  [5, '5 minutes'],
];

export function ChartsSection(): JSX.Element {
  const failure = useSignal('');
  const minutes = useSignal<number | undefined>(undefined);
  const now = useSignal(Date.now());
  useEffect(() => {
    loadCharts().then(
      () => {
        failure.value = '';
      },
      (error: unknown) => {
        failure.value = messageOf(error);
      },
    );
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  const info = charts.value;
  return (
    <main class="charts-section stack" aria-label="Charts">
      {failure.value === '' ? null : (
        <Notice tone="amber" alert>
          {failure.value}
        </Notice>
      )}
      {info === undefined ? (
        failure.value === '' && <Empty title="Loading…" />
      ) : (
        <>
          <fieldset class="row filters">
            <legend class="hidden-visually">How far back</legend>
            {spans.map(([one, title]) => (
              <Button
                key={title}
                small
                kind="quiet"
                pressed={minutes.value === one}
                onClick={() => {
                  minutes.value = one;
                }}
              >
                {title}
              </Button>
            ))}
          </fieldset>
          <Charts info={info} span={spanOf(info, minutes.value, now.value)} />
        </>
      )}
    </main>
  );
}

function spanOf({ since }: ChartInfo, minutes: number | undefined, now: number): Span {
  return { from: minutes === undefined ? since : Math.max(since, now - minutes * 60_000), until: now };
}

function Charts({ info, span }: { readonly info: ChartInfo; readonly span: Span }): JSX.Element {
  const { points, width } = info;
  const common = { points, span, stepMs: width * 1000, cycles: cycles.value };
  const steps = width === 1 ? 'each second' : `each ${width} seconds`;
  const perSecond = (count: number): number => count / width;
  const rates: readonly Line[] = [
    { name: 'requests', read: ({ requests }) => perSecond(requests), look: 'first', isZeroBetween: true },
  ];
  const failures: readonly Line[] = [
    { name: 'status 5xx', read: ({ failed }) => failed, look: 'bad', isZeroBetween: true },
    { name: 'failed calls', read: ({ failedCalls }) => failedCalls, look: 'second', isZeroBetween: true },
  ];
  return (
    <>
      <div class="charts">
        <Chart
          {...common}
          title="Requests per second"
          about={width === 1 ? '' : `averaged over ${width} seconds`}
          lines={rates}
          text={rate}
          nothing={NO_REQUESTS}
        />
        <Chart
          {...common}
          title="Duration"
          about="half are below p50, 95 % below p95"
          lines={durations}
          text={duration}
          nothing={NO_REQUESTS}
        />
        <Chart
          {...common}
          title="Failures"
          about={`in ${steps}`}
          isWhole
          lines={failures}
          text={String}
          nothing={NO_REQUESTS}
        />
        <Chart
          {...common}
          title="Event loop delay"
          about={`the longest in ${steps}`}
          lines={delays}
          text={duration}
          nothing="It is measured while this page is open."
        />
        <Chart
          {...common}
          title="Heap"
          about="memory that objects of the app take"
          lines={heaps}
          text={size}
          nothing={NO_REQUESTS}
        />
      </div>
      <p class="dim">
        <LineSample look="save" /> saves and other restarts, from {clock(span.from)} to {clock(span.until)}.
        Event loop delay and failed calls of RPC are measured while this page is open, the heap also when
        requests are answered.
      </p>
      <ValueTable points={points} span={span} width={width} cycles={cycles.value} />
    </>
  );
}

const NO_REQUESTS = 'No request was answered in this time.';

const durations: readonly Line[] = [
  { name: 'p50', read: ({ p50 }) => p50, look: 'first' },
  { name: 'p95', read: ({ p95 }) => p95, look: 'second' },
];
const delays: readonly Line[] = [{ name: 'delay', read: ({ delayMs }) => delayMs, look: 'first' }];
const heaps: readonly Line[] = [{ name: 'heap', read: ({ heap }) => heap, look: 'first' }];

function rate(value: number): string {
  return value >= 10 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1);
}

/** As many rows as a person reads. */
const MOST_ROWS = 60;

/** The same for those who do not see the charts: the last seconds, and the saves among them. */
function ValueTable({
  points,
  span,
  width,
  cycles: entries,
}: {
  readonly points: readonly ChartPoint[];
  readonly span: Span;
  readonly width: number;
  readonly cycles: readonly CycleEntry[];
}): JSX.Element {
  const shown = points.filter(({ at }) => at >= span.from - width * 1000).slice(-MOST_ROWS);
  const rows: (ChartPoint | CycleEntry)[] = [...shown, ...savesIn(entries, span).slice(-MOST_ROWS)];
  const timeOf = (row: ChartPoint | CycleEntry): number => ('at' in row ? row.at : row.time);
  rows.sort((a, b) => timeOf(b) - timeOf(a));
  return (
    <details>
      <summary>The last values as a table</summary>
      <div class="table-scroll">
        <table class="table">
          <caption class="hidden-visually">Values of the charts and saves, the newest first</caption>
          <thead>
            <tr>
              {['Time', 'Requests/s', 'p50', 'p95', '5xx', 'Failed calls', 'Delay', 'Heap'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) =>
              'at' in row ? (
                <tr key={`p${row.at}`}>
                  <td class="mono">{clock(row.at)}</td>
                  <td class="mono">{rate(row.requests / width)}</td>
                  <td class="mono">{row.p50 === undefined ? '–' : duration(row.p50)}</td>
                  <td class="mono">{row.p95 === undefined ? '–' : duration(row.p95)}</td>
                  <td class="mono">{row.failed}</td>
                  <td class="mono">{row.failedCalls}</td>
                  <td class="mono">{row.delayMs === undefined ? '–' : duration(row.delayMs)}</td>
                  <td class="mono">{size(row.heap)}</td>
                </tr>
              ) : (
                <tr key={`c${row.id}`}>
                  <td class="mono">{clock(row.time)}</td>
                  <td colSpan={7}>{row.what}</td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
    </details>
  );
}
