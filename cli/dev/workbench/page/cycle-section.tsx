// The page about the app: builds, boots and what they said, the newest first.
import type { JSX } from 'preact';
import { Badge, type Tone } from '../../../../framework/docs-page/parts/badge.js';
import { clock, duration } from '../../../../framework/docs-page/parts/format.js';
import { Empty, Notice } from '../../../../framework/docs-page/parts/layout.js';
import type { CycleEntry, Problem } from '../protocol.js';
import { ErrorView, Frame } from './source-link.js';
import { cycles } from './store.js';

const kinds: Readonly<Record<CycleEntry['kind'], readonly [text: string, tone: Tone]>> = {
  ready: ['ready', 'green'],
  'build-failed': ['build failed', 'red'],
  'app-failed': ['app failed', 'red'],
  types: ['types', 'amber'],
  client: ['client', 'violet'],
  note: ['note', 'plain'],
};

export function CycleSection(): JSX.Element {
  const entries = [...cycles.value].reverse();
  const slowest = Math.max(1, ...entries.map(({ times }) => times?.total ?? 0));
  return (
    <main class="cycles" aria-label="Restarts">
      {entries.length === 0 ? <Empty title="Nothing happened yet" /> : null}
      <ol class="cycle-list">
        {entries.map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} slowest={slowest} />
          </li>
        ))}
      </ol>
    </main>
  );
}

function Entry({ entry, slowest }: { readonly entry: CycleEntry; readonly slowest: number }): JSX.Element {
  const { kind, what, time, times, problems, error, consequence, lines } = entry;
  const areTypesClean = kind === 'types' && problems?.length === 0;
  const [text, tone] = kinds[kind];
  return (
    <article class="stack cycle">
      <div class="row">
        <span class="mono dim">{clock(time)}</span>
        <Badge tone={areTypesClean ? 'green' : tone}>{text}</Badge>
        <span class="grow cycle-what">{what}</span>
        {times === undefined ? null : <Times times={times} slowest={slowest} />}
      </div>
      {problems?.map((problem, index) => (
        <ProblemView key={index} problem={problem} />
      ))}
      {error === undefined ? null : <ErrorView error={error} />}
      {lines === undefined || lines.length === 0 ? null : (
        <ul class="plain-list">
          {lines.map((line, index) => (
            <li key={index}>{line}</li>
          ))}
        </ul>
      )}
      {consequence === undefined ? null : <p class="dim">{consequence}</p>}
    </article>
  );
}

function Times({
  times,
  slowest,
}: {
  readonly times: NonNullable<CycleEntry['times']>;
  readonly slowest: number;
}): JSX.Element {
  const parts = [
    ['build', times.build],
    ['boot', times.boot],
    ['client', times.client],
  ] as const;
  return (
    <span class="row times">
      {parts.map(([name, ms]) =>
        ms === 0 && name === 'client' ? null : (
          <span key={name} class="dim nowrap">
            {name} {duration(ms)}
          </span>
        ),
      )}
      <strong class="nowrap">{duration(times.total)}</strong>
      <span class="time-bar" aria-hidden="true">
        {parts.map(([name, ms]) => (
          <span key={name} class={`time-part ${name}`} style={{ width: `${(ms / slowest) * 100}%` }} />
        ))}
      </span>
    </span>
  );
}

function ProblemView({ problem }: { readonly problem: Problem }): JSX.Element {
  return (
    <div class="stack">
      <Notice tone="red">{problem.text}</Notice>
      {problem.code === undefined ? null : <Frame code={problem.code} />}
      {problem.notes?.map((note, index) => (
        <p key={index} class="dim">
          note: {note}
        </p>
      ))}
    </div>
  );
}
