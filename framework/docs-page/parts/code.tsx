// A part of both pages: a block of code with a button that copies it.
import type { ComponentChildren, JSX } from 'preact';
import { CopyButton } from './button.js';
import { highlight, type Language } from './highlight.js';

/** A part that scrolls must be reachable by keys. It is not a landmark: a page may have several with one label. */
export function scrolls(label: string): { tabIndex: 0; role: 'group'; 'aria-label': string } {
  return { tabIndex: 0, role: 'group', 'aria-label': label };
}

export function Code({
  code,
  language = 'text',
  label,
  copy = true,
}: {
  readonly code: string;
  readonly language?: Language;
  /** What it is, for screen readers. */
  readonly label: string;
  readonly copy?: boolean;
}): JSX.Element {
  return (
    <div class="code">
      <div class="code-scroll" {...scrolls(label)}>
        <pre>
          <code>
            <Marked code={code} language={language} />
          </code>
        </pre>
      </div>
      {copy ? <CopyButton class="code-copy" label={`Copy ${label}`} text={() => code} /> : null}
    </div>
  );
}

/** Code with its marks, inside of a line or a block. */
export function Marked({
  code,
  language,
}: {
  readonly code: string;
  readonly language: Language;
}): ComponentChildren {
  return highlight(code, language).map((piece, index) =>
    piece.mark === undefined ? (
      piece.text
    ) : (
      <span key={index} class={`t-${piece.mark}`}>
        {piece.text}
      </span>
    ),
  );
}
