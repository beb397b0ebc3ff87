// The page about an API: what shows when the API cannot be read.
import type { JSX } from 'preact';
import { Empty } from '../../parts/layout.js';

export function Failed({ message }: { readonly message: string }): JSX.Element {
  return (
    <main>
      <Empty title="The description of the API cannot be read">
        <p role="alert">{message}</p>
        <button type="button" class="button" onClick={() => location.reload()}>
          Try again
        </button>
      </Empty>
    </main>
  );
}
