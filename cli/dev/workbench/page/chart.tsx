// The page about the app: one chart, with the saves marked on it.
import type { JSX } from 'preact';
import { clock } from '../../../../framework/docs-page/parts/format.js';
import type { ChartPoint } from '../app-info.js';
import type { CycleEntry } from '../protocol.js';
import { axisOf, dotsOf, HEIGHT, lineOf, most, type Read, type Span, savesIn, WIDTH } from './chart-lines.js';

export interface Line {
  readonly name: string;
  readonly read: Read;
  /** Of the style sheet. */
  readonly look: 'first' | 'second' | 'bad';
  /** Whether it is 0 where there is no point. */
  readonly isZeroBetween?: true;
}

interface ChartProps {
  readonly title: string;
  /** What a value is about, such as `in each second`. */
  readonly about: string;
  /** Whether values are whole numbers. */
  readonly isWhole?: boolean;
  readonly lines: readonly Line[];
  /** A value as people read it. */
  readonly text: (value: number) => string;
  readonly points: readonly ChartPoint[];
  readonly span: Span;
  readonly stepMs: number;
  readonly cycles: readonly CycleEntry[];
  /** What is said if there is no value. */
  readonly nothing: string;
}

export function Chart(props: ChartProps): JSX.Element {
  const { title, about, lines, points, span, nothing } = props;
  const reads = lines.map(({ read }) => read);
  const shown = points.filter(({ at }) => at >= span.from && at <= span.until);
  const hasValues = shown.some((point) => reads.some((read) => read(point) !== undefined));
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong> <span class="dim">{about}</span>
      </figcaption>
      {hasValues ? <Plot {...props} /> : <p class="chart-nothing dim">{nothing}</p>}
      <Legend {...props} />
    </figure>
  );
}

/** The lines with their axes. */
function Plot(props: ChartProps): JSX.Element {
  const { title, lines, text, points, span, stepMs, cycles, isWhole = false } = props;
  const reads = lines.map(({ read }) => read);
  const axis = axisOf(most(points, reads, span), isWhole);
  const top = axis.at(-1) ?? 1;
  const facts = lines.map(({ name, read }) => {
    const value = last(points, span, read);
    return `${name}: ${value === undefined ? 'none' : text(value)}, at most ${text(most(points, [read], span))}`;
  });
  return (
    <div class="plot">
      <div class="axis-values" aria-hidden="true">
        {axis.map((value) => (
          <span key={value} style={{ bottom: `${(value / top) * 100}%` }}>
            {value === 0 ? '0' : text(value).replace('.0 ', ' ')}
          </span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}. ${facts.join('. ')}`}
      >
        {axis.map((value) => {
          const y = HEIGHT - (value / top) * HEIGHT;
          return <line key={value} class="axis-line" x1={0} x2={WIDTH} y1={y} y2={y} />;
        })}
        {savesIn(cycles, span).map((entry) => (
          <SaveMark key={entry.id} entry={entry} span={span} />
        ))}
        {lines.map(({ name, read, look, isZeroBetween = false }) => {
          const path = lineOf(points, read, { span, most: top, stepMs, isZeroBetween });
          return (
            <g key={name}>
              <path class={`chart-line ${look}`} d={path} />
              <path class={`chart-line ${look} dots`} d={dotsOf(path)} />
            </g>
          );
        })}
      </svg>
      <div class="axis-times" aria-hidden="true">
        {[span.from, (span.from + span.until) / 2, span.until].map((time, index) => (
          <span key={index}>{clock(time)}</span>
        ))}
      </div>
    </div>
  );
}

/** Which line is which, with its last and its highest value. */
function Legend({ lines, text, points, span }: ChartProps): JSX.Element {
  return (
    <ul class="legend">
      {lines.map(({ name, read, look }) => {
        const value = last(points, span, read);
        return (
          <li key={name} class="row">
            <LineSample look={look} />
            <span>{name}</span>
            <span class="dim">
              {value === undefined ? 'none' : `now ${text(value)}, most ${text(most(points, [read], span))}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** A piece of a line, for a legend. */
export function LineSample({ look }: { readonly look: Line['look'] | 'save' }): JSX.Element {
  return (
    <svg class="line-sample" viewBox="0 0 18 10" aria-hidden="true">
      {look === 'save' ? (
        <g class="save-mark">
          <line x1={9} x2={9} y1={0} y2={10} />
        </g>
      ) : (
        <path class={`chart-line ${look}`} d="M0 5H18" />
      )}
    </svg>
  );
}

function last(points: readonly ChartPoint[], span: Span, read: Read): number | undefined {
  const shown = points.filter(({ at }) => at >= span.from && at <= span.until);
  return shown.map(read).findLast((one) => one !== undefined);
}

function SaveMark({ entry, span }: { readonly entry: CycleEntry; readonly span: Span }): JSX.Element {
  const x = ((entry.time - span.from) / Math.max(1, span.until - span.from)) * WIDTH;
  return (
    <g class="save-mark">
      <title>{`${clock(entry.time)} ${entry.what}`}</title>
      <line x1={x} x2={x} y1={0} y2={HEIGHT} />
      <line class="save-reach" x1={x} x2={x} y1={0} y2={HEIGHT} />
    </g>
  );
}
