// A part of both pages: buttons.
import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon } from './icon.js';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: (() => void) | undefined;
  readonly kind?: 'plain' | 'primary' | 'quiet';
  readonly small?: boolean;
  /** Shows nothing but an icon; `label` says what it does. */
  readonly icon?: boolean;
  /** What a screen reader says instead of the content, and a tooltip. */
  readonly label?: string;
  readonly disabled?: boolean;
  readonly type?: 'button' | 'submit';
  readonly class?: string;
  readonly pressed?: boolean;
}

export function Button(props: ButtonProps): JSX.Element {
  const { children, onClick, kind = 'plain', small, icon, label, disabled, type = 'button', pressed } = props;
  const classes = ['button', kind, small && 'small', icon && 'icon', props.class].filter(Boolean);
  return (
    <button
      type={type}
      class={classes.join(' ')}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** How long "Copied" shows, in milliseconds. */
const THANKS = 1500;

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
  const said = useSignal<'' | 'Copied' | 'Could not copy'>('');
  useEffect(() => {
    if (said.value === '') return;
    const timer = setTimeout(() => {
      said.value = '';
    }, THANKS);
    return () => clearTimeout(timer);
  }, [said.value]);
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => {
        said.value = 'Copied';
      },
      () => {
        said.value = 'Could not copy';
      },
    );
  };
  return (
    <Button
      kind={icon ? 'quiet' : 'plain'}
      small={icon}
      icon={icon && said.value !== 'Could not copy'}
      label={said.value || label}
      onClick={copy}
      {...(className !== undefined && { class: className })}
    >
      <Icon name={said.value === 'Copied' ? 'check' : 'copy'} />
      {icon && said.value !== 'Could not copy' ? null : said.value || label}
      <span class="hidden-visually" role="status">
        {said.value}
      </span>
    </Button>
  );
}
