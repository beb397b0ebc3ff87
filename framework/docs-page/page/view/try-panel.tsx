// The page about an API: calls an operation: the form, the answer, and the call as code.

import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Api } from '../../../api-model/api.js';
import type { Operation } from '../../../api-model/operations.js';
import { isOwn } from '../../../api-model/servers.js';
import { fieldsOf, isFields } from '../../../api-model/unknown-value.js';
import { OutcomeBadge, StatusBadge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Code } from '../../parts/code.js';
import { duration, size } from '../../parts/format.js';
import { Icon } from '../../parts/icon.js';
import { JsonView } from '../../parts/json-view.js';
import { Facts, Notice } from '../../parts/layout.js';
import { Tabs } from '../../parts/tabs.js';
import { BodyForm } from '../form/body-form.js';
import { ParameterForm } from '../form/parameter-form.js';
import type { ReceivedBody } from '../send/received-body.js';
import type { Received, ReceivedHead } from '../send/send-request.js';
import type { CallState } from '../state/call-state.js';
import { CodePanel } from './code-panel.js';
import { LogView } from './log-view.js';

interface TryPanelProps {
  readonly api: Api;
  readonly operation: Operation;
  readonly state: CallState;
}

export function TryPanel({ api, operation, state }: TryPanelProps): JSX.Element {
  const { detail, form } = state;
  const why = whyNot(state);
  const count = form.isTried.value ? form.issues.value.size : 0;
  const isStream = operation.kind === 'subscription';
  return (
    <section class="stack" aria-labelledby="try-heading">
      <h2 id="try-heading">Try it</h2>
      {why === undefined ? null : <Notice tone="amber">{why}</Notice>}
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void state.send();
        }}
      >
        <ParameterForm state={form} detail={detail} />
        <BodyForm state={form} detail={detail} title={detail.target.kind === 'rpc' ? 'Input' : 'Body'} />
        {detail.parameters.length + detail.bodies.length === 0 ? <p class="dim">It takes nothing.</p> : null}
        <div class="row">
          {state.isRunning ? (
            <Button onClick={() => state.stop()}>
              <Icon name="stop" /> {isStream ? 'Stop' : 'Cancel'}
            </Button>
          ) : (
            <Button kind="primary" type="submit" disabled={why !== undefined}>
              <Icon name={isStream ? 'play' : 'send'} /> {isStream ? 'Subscribe' : 'Send'}
            </Button>
          )}
          <span role="status" class="form-issue">
            {count === 0
              ? ''
              : `${count === 1 ? 'One value is' : `${count} values are`} invalid; sent anyway.`}
          </span>
        </div>
      </form>
      <AnswerView state={state} name={operation.name} />
      <CodePanel api={api} state={state} />
    </section>
  );
}

/** Why it cannot be called from this page at all. */
function whyNot({ detail: { target } }: CallState): string | undefined {
  if (target.kind === 'rpc' && target.path === null) {
    return 'The registry is mounted nowhere in this app, so that its procedures cannot be called from here.';
  }
  if (target.kind === 'http' && !isOwn(target.base, location.href)) {
    return `The server of this operation is ${target.base}. The policy of this page lets it call only its own server; copy the call as code instead.`;
  }
  return undefined;
}

/** The answer of a call. */
function AnswerView({ state, name }: { readonly state: CallState; readonly name: string }): JSX.Element {
  const said = useComputed(() => sayResult(state));
  return (
    <section class="answer-view" aria-label="The answer of the call">
      <p class="hidden-visually" role="status">
        {said}
      </p>
      <Result state={state} name={name} />
    </section>
  );
}

function Result({ state, name }: { readonly state: CallState; readonly name: string }): JSX.Element | null {
  const result = state.result.value;
  switch (result.kind) {
    case 'none':
      return null;
    case 'sending':
      return <p class="dim sending">Waiting for the answer …</p>;
    case 'failed':
      return <Notice tone="red">{result.message}</Notice>;
    case 'stream':
      return (
        <div class="stack tight">
          <HeadLine head={result.head} more={result.ended ?? 'The stream is open.'} />
          <LogView
            log={state.events.log.value}
            label="Events"
            empty="No event yet."
            onClear={() => state.events.clear()}
          />
        </div>
      );
    default:
      return <Whole received={result.received} state={state} name={name} />;
  }
}

function HeadLine({
  head,
  more,
  outcome,
}: {
  readonly head: ReceivedHead;
  readonly more: string;
  /** Of a call of JSON-RPC that was answered with an error, in spite of the status. */
  readonly outcome?: string | undefined;
}): JSX.Element {
  return (
    <p class="row">
      {outcome === undefined ? null : <OutcomeBadge outcome={outcome} />}
      <StatusBadge status={head.status} hasFailed={outcome !== undefined} />
      <span class="dim">{head.statusText}</span>
      <span class="grow" />
      <span class="dim">{more}</span>
    </p>
  );
}

/** The name of a declared error, else the code; undefined if there is none. */
function errorOf(body: unknown): string | undefined {
  const { error } = fieldsOf(body);
  if (error === undefined) return undefined;
  const { name, code } = fieldsOf(error);
  return String(name ?? code);
}

/** What a call of JSON-RPC came to, out of its envelope. */
function Outcome({ value }: { readonly value: Readonly<Record<string, unknown>> }): JSX.Element {
  if (!('error' in value)) {
    return value.result === undefined || value.result === null ? (
      <p class="dim">Done, without a result.</p>
    ) : (
      <JsonView value={value.result} label="JSON of the result" />
    );
  }
  const { code, message, ...more } = fieldsOf(value.error);
  return (
    <div class="stack tight">
      <Notice tone="red">
        <strong class="mono">{String(code)}</strong> {String(message)}
      </Notice>
      {Object.keys(more).length === 0 ? null : <JsonView value={more} label="JSON of the error" />}
    </div>
  );
}

function Whole({
  received,
  state,
  name,
}: {
  readonly received: Received;
  readonly state: CallState;
  readonly name: string;
}): JSX.Element {
  const { target } = state.detail;
  const { headers, body, totalMs, size: bytes } = received;
  const isCall =
    target.kind === 'rpc' && target.mode === 'jsonrpc' && body.kind === 'json' && isFields(body.value);
  const raw =
    body.kind === 'json'
      ? [{ id: 'text', title: 'Text', panel: () => <Code code={body.text} label="text of the answer" /> }]
      : [];
  return (
    <div class="stack tight">
      <HeadLine
        head={received}
        more={`${duration(totalMs)} · ${size(bytes)}`}
        outcome={isCall ? errorOf(body.value) : undefined}
      />
      <Tabs
        label="Parts of the response"
        tabs={[
          {
            id: 'body',
            title: 'Response',
            panel: () =>
              isCall ? <Outcome value={fieldsOf(body.value)} /> : <BodyView body={body} name={name} />,
          },
          ...raw,
          {
            id: 'headers',
            title: 'Headers',
            count: headers.length,
            panel: () => <Facts facts={headers} />,
          },
        ]}
      />
    </div>
  );
}

function BodyView({ body, name }: { readonly body: ReceivedBody; readonly name: string }): JSX.Element {
  switch (body.kind) {
    case 'empty':
      return <p class="dim">The body is empty.</p>;
    case 'json':
      return <JsonView value={body.value} label="JSON of the answer" />;
    case 'text':
      return (
        <>
          <Code code={body.text} label="text of the answer" />
          {body.isCut ? <p class="dim">Only the beginning is shown.</p> : null}
        </>
      );
    default:
      return <BlobView blob={body.blob} isImage={body.kind === 'image'} type={body.type} name={name} />;
  }
}

/** An object URL lasts as long as it is shown. */
function BlobView({
  blob,
  isImage,
  type,
  name,
}: {
  readonly blob: Blob;
  readonly isImage: boolean;
  readonly type: string;
  readonly name: string;
}): JSX.Element {
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  const file = name.split('/').findLast((part) => part !== '') ?? 'answer';
  return (
    <div class="stack tight">
      {isImage && url !== undefined ? <img class="preview" src={url} alt={`The answer, ${type}`} /> : null}
      <p class="row">
        <a class="button" {...(url !== undefined && { href: url })} download={file}>
          <Icon name="download" /> Download
        </a>
        <span class="dim">
          {type || 'unknown type'}, {size(blob.size)}
        </span>
      </p>
    </div>
  );
}

function sayResult({ result, detail }: CallState): string {
  const { value } = result;
  if (value.kind === 'answered') {
    const { status, body } = value.received;
    const { target } = detail;
    const isCall = target.kind === 'rpc' && target.mode === 'jsonrpc' && body.kind === 'json';
    const outcome = isCall ? errorOf(body.value) : undefined;
    return outcome === undefined ? `Answered with ${status}` : `Failed with ${outcome}`;
  }
  if (value.kind === 'stream') return value.ended ?? 'The stream is open';
  return value.kind === 'failed' ? value.message : '';
}
