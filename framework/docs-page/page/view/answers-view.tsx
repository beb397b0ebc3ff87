// The page about an API: what an operation answers, and how it refuses.
import type { JSX } from 'preact';
import { Badge, type Tone } from '../../parts/badge.js';
import type { Answer, Detail } from '../model/detail.js';
import type { Lookup } from '../model/type-space.js';
import { bareTypeText } from '../model/type-text.js';
import { MarkdownView } from './markdown-view.js';
import { MediaView } from './media-view.js';

export function AnswersView({ detail }: { readonly detail: Detail }): JSX.Element | null {
  const { answers, outputs, target } = detail;
  if (answers.length === 0) return null;
  const isProcedure = target.kind === 'rpc';
  return (
    <section class="stack" aria-labelledby="answers-heading">
      <h2 id="answers-heading">{isProcedure ? 'Output' : 'Answers'}</h2>
      {answers.map((answer, index) => (
        // Failures are opened when they are of interest.
        <details key={answer.label} class="answer" open={index === 0}>
          <summary>
            <Badge tone={toneOf(answer.label, isProcedure, index)}>{answer.label}</Badge>
            {answer.note === undefined ? null : <span class="dim">{answer.note}</span>}
            <span class="answer-text">{plainText(answer.description)}</span>
          </summary>
          <AnswerBody answer={answer} lookup={outputs} isProcedure={isProcedure} />
        </details>
      ))}
    </section>
  );
}

function AnswerBody({
  answer,
  lookup,
  isProcedure,
}: {
  readonly answer: Answer;
  readonly lookup: Lookup;
  readonly isProcedure: boolean;
}): JSX.Element {
  const { headers, bodies, label, description } = answer;
  const isLong = description !== undefined && description !== plainText(description);
  return (
    <div class="stack answer-body">
      {isLong ? <MarkdownView text={description} /> : null}
      {headers.length === 0 ? null : (
        <ul class="params">
          {headers.map(({ name, type, description: told }) => (
            <li key={name}>
              <p class="param-line">
                <code class="param-name">{name}</code>
                <code class="param-type">{bareTypeText(type)}</code>
                {told === undefined ? null : <span class="dim">{told}</span>}
              </p>
            </li>
          ))}
        </ul>
      )}
      {bodies.length === 0 ? <p class="dim">{isProcedure ? 'No data.' : 'No body.'}</p> : null}
      <MediaView bodies={bodies} lookup={lookup} label={label} showsMediaType={!isProcedure} />
    </div>
  );
}

/** On the line of the status. */
function plainText(text: string | undefined): string {
  const [line = ''] = (text ?? '').split('\n', 1);
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

function toneOf(label: string, isProcedure: boolean, index: number): Tone {
  if (isProcedure) return index === 0 ? 'green' : 'red';
  if (label.startsWith('2')) return 'green';
  if (label.startsWith('3')) return 'blue';
  return label.startsWith('4') ? 'amber' : label.startsWith('5') ? 'red' : 'plain';
}
