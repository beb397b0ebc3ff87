// The page about an API: its frame: the top, the list, and what is open.
import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import type { Api } from '../../../api-model/api.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Notice, Split } from '../../parts/layout.js';
import { ThemeSwitch } from '../../parts/theme.js';
import { base, hasCredentials, place } from '../state/page-state.js';
import { AuthDialog } from './auth-dialog.js';
import { OperationList } from './operation-list.js';
import { OperationView } from './operation-view.js';
import { Overview } from './overview.js';

export function App({ api }: { readonly api: Api }): JSX.Element {
  const isAsking = useSignal(false);
  const operation = api.operations.find(({ id }) => id === place.value);
  useEffect(() => {
    document.title = operation === undefined ? api.title : `${operation.name} · ${api.title}`;
    document.querySelector('.split-detail')?.scrollTo(0, 0);
    // The list is hidden on narrow screens: the keyboard goes on where the reader is.
    if (operation !== undefined && matchMedia('(max-width: 800px)').matches) {
      document.querySelector<HTMLElement>('.op-title')?.focus();
    }
  }, [operation, api]);
  const authenticate = (): void => {
    isAsking.value = true;
  };
  return (
    <div class="page">
      <header class="page-top">
        <Title api={api} isPage={operation === undefined} />
        {api.version === undefined ? null : <Badge>{api.version}</Badge>}
        <span class="grow" />
        <Button kind="quiet" onClick={authenticate} label="Authenticate">
          <Icon name="key" />
          <span class="wide-only">{hasCredentials.value ? 'Authenticated' : 'Authenticate'}</span>
          {hasCredentials.value ? <span class="dot" /> : null}
        </Button>
        <a class="button quiet" href={`${base}/openapi.json`} title="The OpenAPI document">
          <Icon name="download" />
          <span class="wide-only">OpenAPI</span>
          <span class="hidden-visually">document</span>
        </a>
        <ThemeSwitch />
      </header>
      <Split
        listLabel="Operations"
        detailLabel={operation?.name ?? 'Overview'}
        open={place.value === '' ? 'list' : 'detail'}
        list={<OperationList api={api} />}
        detail={
          operation === undefined ? (
            <Overview api={api} onAuthenticate={authenticate} />
          ) : (
            <Guarded key={operation.id}>
              <OperationView api={api} operation={operation} onAuthenticate={authenticate} />
            </Guarded>
          )
        }
      />
      {isAsking.value ? (
        <AuthDialog
          api={api}
          onClose={() => {
            isAsking.value = false;
          }}
        />
      ) : null}
    </div>
  );
}

/** The heading of the page, until an operation is open. */
function Title({ api, isPage }: { readonly api: Api; readonly isPage: boolean }): JSX.Element {
  const link = (
    <a class="plain-link" href="#/">
      {api.title}
    </a>
  );
  return isPage ? <h1 class="page-title">{link}</h1> : <p class="page-title">{link}</p>;
}

/** Keeps what cannot be shown of one operation from breaking the page. */
function Guarded({ children }: { readonly children: ComponentChildren }): JSX.Element {
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
