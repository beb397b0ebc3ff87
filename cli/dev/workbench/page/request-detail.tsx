// The page about the app: one request: what was sent, what was answered, and what happened in between.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Badge, MethodBadge, StatusBadge } from '../../../../framework/docs-page/parts/badge.js';
import { Button, CopyButton } from '../../../../framework/docs-page/parts/button.js';
import { Code } from '../../../../framework/docs-page/parts/code.js';
import { clock, duration, size } from '../../../../framework/docs-page/parts/format.js';
import { Icon } from '../../../../framework/docs-page/parts/icon.js';
import { JsonView } from '../../../../framework/docs-page/parts/json-view.js';
import { BackToList, Empty, Facts, Notice } from '../../../../framework/docs-page/parts/layout.js';
import { type Tab, Tabs } from '../../../../framework/docs-page/parts/tabs.js';
import type { HeaderField, RequestDetail, ShownBody } from '../protocol.js';
import { CallList } from './call-list.js';
import { fetchRequest, messageOf, send } from './calls.js';
import { asCurl, asPowerShell, asTest } from './copies.js';
import { EditDialog } from './edit-dialog.js';
import { goTo, linkTo } from './place.js';
import { ErrorView } from './source-link.js';
import { RepeatedStatements, Statements } from './statements.js';
import { failedCalls, requests } from './store.js';
import { Timeline } from './timeline.js';

export function RequestDetailView({ id }: { readonly id: number }): JSX.Element {
  const detail = useSignal<RequestDetail | undefined>(undefined);
  const failure = useSignal('');
  const summary = requests.value.find((one) => one.id === id);
  // Loaded again when its state changes, such as when it is answered.
  useEffect(() => {
    let isLeft = false;
    fetchRequest(id).then(
      (found) => {
        if (isLeft) return;
        detail.value = found;
        failure.value = '';
      },
      (error: unknown) => {
        if (!isLeft) failure.value = messageOf(error);
      },
    );
    return () => {
      isLeft = true;
    };
  }, [id, summary]);
  const shown = detail.value;
  if (shown === undefined) {
    return (
      <div class="detail">
        <BackToList onClick={() => goTo('requests')} />
        {failure.value === '' ? (
          <Empty title="Loading…" />
        ) : (
          <Empty title="Not there any more">{failure.value}</Empty>
        )}
      </div>
    );
  }
  return (
    <article class="detail stack">
      <BackToList onClick={() => goTo('requests')} />
      <Head request={shown} />
      <Actions request={shown} />
      <RepeatedStatements steps={shown.steps} />
      <Tabs label="Parts of the request" tabs={tabsOf(shown)} />
    </article>
  );
}

/** As many as `fw dev` sends. */
const MOST_CALLS = 100;

function Head({ request }: { readonly request: RequestDetail }): JSX.Element {
  const { method, target, route, status, durationMs, began, requestId, aborted, sentFrom, label } = request;
  return (
    <header class="stack head">
      <h2 class="row head-title">
        <MethodBadge method={label === 'WebSocket' ? 'WEBSOCKET' : method} />
        <span class="mono target">{target}</span>
      </h2>
      <div class="row dim">
        <StatusBadge status={status} hasFailed={failedCalls(request).length > 0} />
        {aborted === true ? <Badge tone="amber">client left</Badge> : null}
        {durationMs === undefined ? null : <span>{duration(durationMs)}</span>}
        {request.size === undefined ? null : <span>{size(request.size)}</span>}
        <span>{clock(began)}</span>
        {route === undefined ? null : <span class="mono">{route}</span>}
        <CallList request={request} most={MOST_CALLS} />
        {requestId === undefined ? null : <span class="mono">id {requestId}</span>}
        {sentFrom === undefined ? null : (
          <a href={linkTo('requests', sentFrom)}>sent again from {sentFrom}</a>
        )}
      </div>
    </header>
  );
}

function Actions({ request }: { readonly request: RequestDetail }): JSX.Element {
  const isEditing = useSignal(false);
  const isSending = useSignal(false);
  const failure = useSignal('');
  const again = (): void => {
    const { id, method, target, requestHeaders: headers } = request;
    isSending.value = true;
    failure.value = '';
    send({ from: id, method, target, headers })
      .then(
        (next) => goTo('requests', next),
        (error: unknown) => {
          failure.value = messageOf(error);
        },
      )
      .finally(() => {
        isSending.value = false;
      });
  };
  return (
    <div class="stack">
      <div class="row">
        <Button onClick={again} disabled={isSending.value}>
          <Icon name="refresh" /> {isSending.value ? 'Sending…' : 'Send again'}
        </Button>
        <Button
          onClick={() => {
            isEditing.value = true;
          }}
        >
          <Icon name="edit" /> Edit and send
        </Button>
        <CopyButton icon={false} label="Copy as curl" text={() => asCurl(request)} />
        <CopyButton icon={false} label="Copy as PowerShell" text={() => asPowerShell(request)} />
        <CopyButton icon={false} label="Copy as test" text={() => asTest(request)} />
      </div>
      {failure.value === '' ? null : (
        <Notice tone="red" alert>
          {failure.value}
        </Notice>
      )}
      {isEditing.value ? (
        <EditDialog
          title="Edit and send"
          from={request}
          onClose={() => {
            isEditing.value = false;
          }}
        />
      ) : null}
    </div>
  );
}

function tabsOf(request: RequestDetail): Tab[] {
  const { steps, log, error } = request;
  const statements = steps.filter(({ kind }) => kind === 'database');
  return [
    ...(error === undefined
      ? []
      : [{ id: 'error', title: 'Error', panel: () => <ErrorView error={error} /> }]),
    ...(steps.length + log.length === 0
      ? []
      : [{ id: 'timeline', title: 'Timeline', panel: () => <Timeline request={request} /> }]),
    {
      id: 'response',
      title: 'Response',
      panel: () => (
        <MessageView what="response" headers={request.responseHeaders} body={request.responseBody} />
      ),
    },
    {
      id: 'request',
      title: 'Request',
      panel: () => <MessageView what="request" headers={request.requestHeaders} body={request.requestBody} />,
    },
    ...(statements.length === 0
      ? []
      : [
          {
            id: 'database',
            title: 'Database',
            count: statements.length,
            panel: () => <Statements steps={statements} />,
          },
        ]),
  ];
}

/** Header fields and body of a request or a response. */
function MessageView({
  what,
  headers,
  body,
}: {
  readonly what: 'request' | 'response';
  readonly headers: readonly HeaderField[];
  readonly body: ShownBody | undefined;
}): JSX.Element {
  return (
    <div class="stack">
      <section class="stack">
        <h3>Body</h3>
        {body === undefined || body.size === 0 ? (
          <p class="dim">The {what} has no body.</p>
        ) : (
          <BodyView what={what} body={body} />
        )}
      </section>
      <section class="stack">
        <h3>Header fields</h3>
        {headers.length === 0 ? <p class="dim">There are none.</p> : <Facts facts={headers} />}
      </section>
    </div>
  );
}

function BodyView({ what, body }: { readonly what: string; readonly body: ShownBody }): JSX.Element {
  const isRaw = useSignal(false);
  const { text, type, isCut } = body;
  const facts = [type, size(body.size), isCut === true ? 'cut off' : ''].filter(Boolean).join(' · ');
  if (text === undefined) return <p class="dim">{facts} · not shown, because it is not text</p>;
  const json = isCut === true ? undefined : parsed(text);
  return (
    <>
      <div class="row">
        <span class="dim grow">{facts}</span>
        {json === undefined ? null : (
          <Button
            small
            kind="quiet"
            pressed={isRaw.value}
            onClick={() => {
              isRaw.value = !isRaw.value;
            }}
          >
            Raw
          </Button>
        )}
      </div>
      {json === undefined || isRaw.value ? (
        <Code code={text} language={type.includes('json') ? 'json' : 'text'} label={`body of the ${what}`} />
      ) : (
        <JsonView value={json.value} label={`Body of the ${what}`} />
      )}
    </>
  );
}

/** Undefined for text that is not JSON of an object or an array. */
function parsed(text: string): { readonly value: unknown } | undefined {
  if (!/^[ \t\r\n]{0,20}[[{]/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
