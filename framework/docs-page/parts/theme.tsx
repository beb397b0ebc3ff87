// A part of both pages: light, dark, or as the system says.
import { type Signal, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from './button.js';
import { Icon, type IconName } from './icon.js';

type Theme = 'system' | 'light' | 'dark';

const KEY = 'fw-theme';
const order: readonly Theme[] = ['system', 'light', 'dark'];
const icons: Readonly<Record<Theme, IconName>> = { system: 'screen', light: 'sun', dark: 'moon' };

const theme: Signal<Theme> = signal('system');

/** Applies what was chosen before. Called before the first paint. */
export function applyTheme(): void {
  const stored = read();
  choose(order.find((one) => one === stored) ?? 'system');
}

/** Goes through the three themes. */
export function ThemeSwitch(): JSX.Element {
  const now = theme.value;
  const next = order[(order.indexOf(now) + 1) % order.length] ?? 'system';
  return (
    <Button kind="quiet" icon label={`Theme: ${now}; switch to ${next}`} onClick={() => choose(next)}>
      <Icon name={icons[now]} />
    </Button>
  );
}

function choose(next: Theme): void {
  theme.value = next;
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  store(next);
}

/** Storage is refused in some browsers' private windows: then the choice holds for this page alone. */
function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function store(next: Theme): void {
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // See `read`.
  }
}
