// The page about an API: keeps what cannot be shown of one operation from breaking the page.
import type { ComponentChildren, JSX } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { Notice } from '../../parts/layout.js';

export function Guarded({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const [error] = useErrorBoundary((reason: unknown) => console.error(reason));
  if (error === undefined || error === null) return <>{children}</>;
  return (
    <div class="op-docs">
      <Notice tone="red" alert>
        This cannot be shown: {error instanceof Error ? error.message : String(error)}
      </Notice>
    </div>
  );
}
