// The page about an API: one operation: what it is, beside the form that calls it.
import type { JSX } from 'preact';
import { MethodBadge } from '../../parts/badge.js';
import { Button, CopyButton } from '../../parts/button.js';
import { BackToList, Notice } from '../../parts/layout.js';
import type { Api } from '../model/api.js';
import type { Detail } from '../model/detail.js';
import type { Operation } from '../model/operations.js';
import { callStateOf } from '../state/call-state.js';
import { AccessView } from './access-view.js';
import { AnswersView } from './answers-view.js';
import { BodiesView, ParametersView } from './inputs-view.js';
import { MarkdownView } from './markdown-view.js';
import { SocketDocs } from './socket-docs.js';
import { SocketPanel } from './socket-panel.js';
import { TryPanel } from './try-panel.js';

interface OperationViewProps {
  readonly api: Api;
  readonly operation: Operation;
  readonly onAuthenticate: () => void;
}

export function OperationView({ api, operation, onAuthenticate }: OperationViewProps): JSX.Element {
  const state = callStateOf(api, operation);
  const { detail } = state;
  const { target } = detail;
  return (
    <article class="op">
      <div class="op-docs">
        <BackToList onClick={() => (location.hash = '#/')} />
        <Head operation={operation} detail={detail} />
        {detail.problems.map((problem) => (
          <Notice key={problem} tone="amber">
            The document is broken here: {problem}.
          </Notice>
        ))}
        <AccessView access={detail.access} schemes={api.schemes} onAuthenticate={onAuthenticate} />
        <ParametersView parameters={detail.parameters} lookup={detail.inputs} />
        <BodiesView detail={detail} />
        {target.kind === 'socket' ? <SocketDocs detail={detail} target={target} /> : null}
        <AnswersView detail={detail} />
      </div>
      <div class="op-try">
        {target.kind === 'socket' ? (
          <SocketPanel api={api} operation={operation} state={state} target={target} />
        ) : (
          <TryPanel api={api} operation={operation} state={state} />
        )}
      </div>
    </article>
  );
}

function Head({
  operation,
  detail,
}: {
  readonly operation: Operation;
  readonly detail: Detail;
}): JSX.Element {
  const { target, deprecated, description } = detail;
  const address = addressOf(detail);
  return (
    <header class="stack op-head">
      <div class="op-heading">
        <MethodBadge method={operation.kind} />
        <h1 class={deprecated === false ? 'op-title' : 'op-title gone'} tabIndex={-1}>
          {operation.name}
        </h1>
        <span class="grow" />
        <Button class="narrow-only" small onClick={() => document.querySelector('.op-try')?.scrollIntoView()}>
          Try it
        </Button>
        <CopyButton
          label={`Copy ${target.kind === 'rpc' ? 'the name' : 'the path'}`}
          text={() => operation.name}
        />
      </div>
      {address === undefined ? null : <p class="dim mono op-address">{address}</p>}
      {deprecated === false ? null : (
        <Notice tone="amber">
          <strong>Deprecated.</strong> {deprecated === true ? 'Do not use it in new code.' : deprecated}
        </Notice>
      )}
      {description === undefined ? null : <MarkdownView text={description} />}
    </header>
  );
}

function addressOf({ target }: Detail): string | undefined {
  if (target.kind === 'http') return target.base + target.path;
  if (target.kind === 'socket') return location.origin.replace(/^http/, 'ws') + target.path;
  if (target.path === null) return undefined;
  if (target.mode === 'jsonrpc') return `POST ${location.origin}${target.path}, JSON-RPC`;
  return `${target.procedure === 'mutation' ? 'POST' : 'GET'} ${location.origin}${target.path}/${encodeURIComponent(target.name)}`;
}
