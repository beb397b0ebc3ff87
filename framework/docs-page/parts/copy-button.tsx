// A part of both pages: copies a text, and says so.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from './button.js';
import { Icon } from './icon.js';

/** How long "Copied" shows, in milliseconds. */
const THANKS = 1500;

interface Copied {
  /** What is said for a moment after the text was copied. */
  readonly said: '' | 'Copied' | 'Could not copy';
  copy(text: string): void;
}

export function useCopied(): Copied {
  const said = useSignal<Copied['said']>('');
  useEffect(() => {
    if (said.value === '') return;
    const timer = setTimeout(() => {
      said.value = '';
    }, THANKS);
    return () => clearTimeout(timer);
  }, [said.value]);
  return {
    said: said.value,
    copy: (text) => {
      navigator.clipboard.writeText(text).then(
        () => {
          said.value = 'Copied';
        },
        () => {
          said.value = 'Could not copy';
        },
      );
    },
  };
}

/** Copies a text, which is made when it is asked for. */
export function CopyButton({
  text,
  label = 'Copy',
  icon = true,
  class: className,
}: {
  readonly text: () => string;
  readonly label?: string;
  readonly icon?: boolean;
  readonly class?: string;
}): JSX.Element {
  const { said, copy } = useCopied();
  return (
    <Button
      kind={icon ? 'quiet' : 'plain'}
      small={icon}
      icon={icon && said !== 'Could not copy'}
      label={said || label}
      onClick={() => copy(text())}
      {...(className !== undefined && { class: className })}
    >
      <Icon name={said === 'Copied' ? 'check' : 'copy'} />
      {icon && said !== 'Could not copy' ? null : said || label}
      <span class="hidden-visually" role="status">
        {said}
      </span>
    </Button>
  );
}
