// A part of both pages: buttons.
import type { ComponentChildren, JSX } from 'preact';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: (() => void) | undefined;
  readonly kind?: 'plain' | 'primary' | 'quiet';
  readonly small?: boolean;
  /** Shows nothing but an icon; `label` says what it does. */
  readonly icon?: boolean;
  /** What a screen reader says instead of the content, and a tooltip. */
  readonly label?: string;
  /** A tooltip beside the content. */
  readonly title?: string | undefined;
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
      title={props.title ?? label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
