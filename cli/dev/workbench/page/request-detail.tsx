// The page about the app: one request: what was sent, what was answered, and what happened in between.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Badge, MethodBadge } from '../../../../framework/docs-page/parts/badge.js';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { Code } from '../../../../framework/docs-page/parts/code.js';
import { clock, duration, size } from '../../../../framework/docs-page/parts/format.js';
import { JsonView } from '../../../../framework/docs-page/parts/json-view.js';
import { BackToList, Empty, Facts } from '../../../../framework/docs-page/parts/layout.js';
import { type Tab, Tabs } from '../../../../framework/docs-page/parts/tabs.js';
import type { HeaderField, RequestDetail, ShownBody } from '../protocol.js';
import { CallList } from './call-list.js';
import { fetchPin, fetchRequest, messageOf } from './calls.js';
import { pinOf } from './kept.js';
import { Messages } from './messages.js';
import { goTo, linkTo } from './place.js';
import { RequestActions } from './request-actions.js';
import { hasErrorTab, RequestError } from './request-error.js';
import { RequestStatus } from './request-status.js';
import { RepeatedStatements, Statements } from './statements.js';
import { requests } from './store.js';
import { Timeline } from './timeline.js';

/** @param item the number of a request, or `pin-` and that of a pin */
export function RequestDetailView({ item }: { readonly item: string }): JSX.Element {
  const detail = useSignal<RequestDetail | undefined>(undefined);
  const failure = useSignal('');
  const pin = pinOf(item);
  const id = Number(item);
  const summary = requests.value.find((one) => one.id === id);
  // Loaded again when its state changes, such as when it is answered.
  useEffect(() => {
    let isLeft = false;
    (pin === undefined ? fetchRequest(id) : fetchPin(pin)).then(
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
  }, [item, summary]);
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
      <RequestActions request={shown} />
      <RepeatedStatements steps={shown.steps} />
      <Tabs label={`Parts of the ${shown.isJob === true ? 'job' : 'request'}`} tabs={tabsOf(shown)} />
    </article>
  );
}

/** As many as `fw dev` sends. */
const MOST_CALLS = 100;

function Head({ request }: { readonly request: RequestDetail }): JSX.Element {
  const { method, target, route, durationMs, began, requestId, aborted, sentFrom, label, isJob, hasCrashed } =
    request;
  return (
    <header class="stack head">
      <h2 class="row head-title">
        <MethodBadge method={label === 'WebSocket' ? 'WEBSOCKET' : method} />
        <span class="mono target">{target}</span>
      </h2>
      <div class="row dim">
        <RequestStatus request={request} />
        {aborted === true && isJob !== true && hasCrashed !== true ? (
          <Badge tone="amber">client left</Badge>
        ) : null}
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

function tabsOf(request: RequestDetail): Tab[] {
  const { steps, log, callErrors, stream } = request;
  const statements = steps.filter(({ kind }) => kind === 'database');
  return [
    ...(hasErrorTab(request)
      ? [
          {
            id: 'error',
            title: callErrors === undefined ? 'Error' : 'Errors',
            count: callErrors?.length,
            panel: () => <RequestError request={request} />,
          },
        ]
      : []),
    ...(stream === undefined
      ? []
      : [
          {
            id: 'messages',
            title: stream.kind === 'events' ? 'Events' : 'Messages',
            count: stream.count,
            panel: () => <Messages stream={stream} />,
          },
        ]),
    ...(steps.length + log.length === 0
      ? []
      : [{ id: 'timeline', title: 'Timeline', panel: () => <Timeline request={request} /> }]),
    ...(request.isJob === true ? [] : messageTabs(request)),
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

/** What was sent, and what was answered. */
function messageTabs(request: RequestDetail): Tab[] {
  return [
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
        <h3>Headers</h3>
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
