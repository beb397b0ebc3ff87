// Asks `fw dev` to open a place in the editor.
import type { SourcePlace } from '../protocol.js';

/** @param base where the page about the app is; what goes wrong is said in the element */
export async function openPlace(base: URL, place: SourcePlace, said: HTMLElement): Promise<void> {
  said.textContent = '';
  try {
    const answer = await fetch(new URL('open', base), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(place),
    });
    if (!answer.ok) said.textContent = ((await answer.json()) as { message: string }).message;
  } catch {
    said.textContent = 'fw dev does not answer';
  }
}
