// The page about an API: a type as TypeScript. The names in it open their types in the same place, with a way back.
import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Lookup } from '../../../api-model/type-space.js';
import { type TypePiece, typePieces, typeText } from '../../../api-model/type-text.js';
import type { WireType } from '../../../wire/wire-type.js';
import { Button } from '../../parts/button.js';
import { scrolls } from '../../parts/code.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Icon } from '../../parts/icon.js';
import { MarkdownView } from './markdown-view.js';

interface TypeViewProps {
  readonly type: WireType;
  readonly lookup: Lookup;
  /** What it is the type of, for screen readers. */
  readonly label: string;
}

export function TypeView({ type, lookup, label }: TypeViewProps): JSX.Element {
  // A type that is only a name is opened at once.
  const start = type.kind === 'ref' ? [type.name] : [];
  const path = useSignal<readonly string[]>(start);
  const block = useRef<HTMLElement>(null);
  const name = path.value.at(-1);
  const shown =
    name === undefined ? type : (lookup(name) ?? { kind: 'unknown', description: 'The type is missing.' });
  const open = (next: readonly string[]): void => {
    path.value = next;
    block.current?.focus();
  };
  return (
    <div class="type">
      {name === undefined ? null : (
        <div class="type-path">
          {path.value.length > start.length ? (
            <Button kind="quiet" small icon label="Back" onClick={() => open(path.value.slice(0, -1))}>
              <Icon name="back" />
            </Button>
          ) : null}
          <Crumbs names={path.value} onOpen={(count) => open(path.value.slice(0, count))} />
        </div>
      )}
      {shown.description === undefined ? null : <MarkdownView text={shown.description} />}
      <div class="code">
        <section class="code-scroll" aria-label={name ?? label} ref={block} {...scrolls}>
          <pre class="type-text">
            <code>
              {typePieces(shown).map((piece, index) =>
                pieceView(piece, index, (one) => open([...path.value, one])),
              )}
            </code>
          </pre>
        </section>
        <CopyButton class="code-copy" label={`Copy ${name ?? label}`} text={() => typeText(shown)} />
      </div>
    </div>
  );
}

function Crumbs({
  names,
  onOpen,
}: {
  readonly names: readonly string[];
  readonly onOpen: (count: number) => void;
}): JSX.Element {
  return (
    <span class="crumbs">
      {names.map((name, index) => (
        <span key={index}>
          {index > 0 ? <span class="dim"> › </span> : null}
          {index < names.length - 1 ? (
            <button type="button" class="type-link" onClick={() => onOpen(index + 1)}>
              {name}
            </button>
          ) : (
            <strong class="mono">{name}</strong>
          )}
        </span>
      ))}
    </span>
  );
}

function pieceView(
  { text, mark }: TypePiece,
  index: number,
  onOpen: (name: string) => void,
): ComponentChildren {
  if (mark === undefined) return text;
  if (mark === 'link') {
    return (
      <button key={index} type="button" class="type-link" onClick={() => onOpen(text)}>
        {text}
      </button>
    );
  }
  return (
    <span key={index} class={`t-${mark}`}>
      {text}
    </span>
  );
}
