// The page about the app: places in the source, which open in the editor, and lines of code around them.
import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { Marked, scrolls } from '../../../../framework/docs-page/parts/code.js';
import { Notice } from '../../../../framework/docs-page/parts/layout.js';
import type { CodeFrame, ShownError, SourcePlace, StackFrame } from '../protocol.js';
import { messageOf, openInEditor } from './calls.js';
import { linkTo } from './place.js';

export function SourceLink({
  place,
  children,
}: {
  readonly place: SourcePlace;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const failure = useSignal('');
  const text = `${place.file}:${place.line}`;
  const open = (): void => {
    failure.value = '';
    openInEditor(place).catch((error: unknown) => {
      failure.value = messageOf(error);
    });
  };
  return (
    <>
      <button type="button" class="source-link" title={`Open ${text} in the editor`} onClick={open}>
        {children ?? text}
      </button>
      {failure.value === '' ? null : (
        <Notice tone="amber" alert>
          {failure.value}
        </Notice>
      )}
    </>
  );
}

export function Frame({ code }: { readonly code: CodeFrame }): JSX.Element {
  const { place, first, lines, length } = code;
  return (
    <figure class="frame">
      <figcaption>
        <SourceLink place={place}>
          {place.file}:{place.line}:{place.column}
        </SourceLink>
      </figcaption>
      <div class="code-scroll" {...scrolls(`Source of ${place.file}`)}>
        <pre>
          {lines.map((line, index) => {
            const number = first + index;
            const isIt = number === place.line;
            return (
              <div key={number} class={isIt ? 'frame-line it' : 'frame-line'}>
                <span class="frame-number">{number}</span>
                <span>
                  <Marked code={line} language="ts" />
                  {isIt ? <Caret column={place.column} length={length} line={line} /> : null}
                </span>
              </div>
            );
          })}
        </pre>
      </div>
    </figure>
  );
}

/** Marks the place below its line. */
function Caret({
  line,
  column,
  length,
}: {
  readonly line: string;
  readonly column: number;
  readonly length: number;
}): JSX.Element {
  // Tabs stay, so that the marks stand below their text.
  const before = line.slice(0, column - 1).replace(/[^\t]/g, ' ');
  const marks = '^'.repeat(Math.max(1, Math.min(length, line.length - column + 1)));
  return (
    <span class="frame-caret" aria-hidden="true">
      {`\n${before}${marks}`}
    </span>
  );
}

export function ErrorView({
  error,
  children,
}: {
  readonly error: ShownError;
  /** Behind the message. */
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="stack">
      <Notice tone="red">
        <strong class="error-title">{error.title}</strong>
      </Notice>
      {children}
      {error.code === undefined ? null : <Frame code={error.code} />}
      <Frames frames={error.frames} />
      {error.folded === undefined ? null : <p class="dim">{error.folded}</p>}
      {error.details === '' ? null : <pre class="details">{error.details}</pre>}
      <DocsLink error={error} />
    </div>
  );
}

/** To the pages about the error and its causes. */
function DocsLink({ error }: { readonly error: ShownError }): JSX.Element {
  return (
    <>
      {error.docs === undefined ? null : (
        <p>
          <a href={linkTo('docs', error.docs)}>
            What {error.docs.replace(/^errors\//, '')} means, and its fix
          </a>
        </p>
      )}
      {(error.causes ?? []).map((cause, index) => (
        <DocsLink key={index} error={cause} />
      ))}
    </>
  );
}

/** Those of the project's own sources; the others show on demand. */
function Frames({ frames }: { readonly frames: readonly StackFrame[] }): JSX.Element {
  const own = frames.filter(({ place }) => place !== undefined);
  const isAll = useSignal(own.length === 0);
  const shown = isAll.value ? frames : own;
  return (
    <>
      {shown.length === 0 ? null : (
        <ol class="frames" aria-label="Stack">
          {shown.map(({ text, place }, index) => (
            <li key={index} class={place === undefined ? 'dim' : ''}>
              {place === undefined ? text : <SourceLink place={place}>{text}</SourceLink>}
            </li>
          ))}
        </ol>
      )}
      {isAll.value || own.length === frames.length ? null : (
        <div class="row">
          <Button
            small
            kind="quiet"
            onClick={() => {
              isAll.value = true;
            }}
          >
            {frames.length - own.length} frames of packages and Node
          </Button>
        </div>
      )}
    </>
  );
}
