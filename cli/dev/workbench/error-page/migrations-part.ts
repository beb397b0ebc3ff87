// The part of an error page about migrations that have not run: a button that runs them.
import type { MigrationsState } from '../../../process/messages.js';
import { element } from '../live/failure-parts.js';

/** @param base of the addresses of `fw dev` */
export function migrationsPart({ pending, interrupted, url }: MigrationsState, base: URL): HTMLElement[] {
  const names = [...interrupted, ...pending].map((name) => element('li', '', name));
  const list = element('ul', 'list-box', ...names);
  list.setAttribute('aria-label', 'Migrations');
  const where = url === undefined ? [] : [element('p', 'note', `Database: ${url}`)];
  if (interrupted.length > 0) {
    const what = 'A part of the first one may have run. The terminal of fw dev says how to go on.';
    return [element('p', '', what), list, ...where];
  }
  const said = element('p', 'said-here');
  said.setAttribute('role', 'status');
  const button = element('button', 'action', pending.length === 1 ? 'Run it' : `Run all ${pending.length}`);
  button.type = 'button';
  button.addEventListener('click', () => void run(button, said, base));
  return [list, ...where, element('p', 'actions', button), said];
}

async function run(button: HTMLButtonElement, said: HTMLElement, base: URL): Promise<void> {
  button.disabled = true;
  said.textContent = 'The migrations run …';
  try {
    const answer = await fetch(new URL('migrate', base), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    if (answer.ok) {
      location.reload();
      return;
    }
    said.textContent = ((await answer.json()) as { message: string }).message;
  } catch {
    said.textContent = 'fw dev does not answer';
  }
  button.disabled = false;
}
