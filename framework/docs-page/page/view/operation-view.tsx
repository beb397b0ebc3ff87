// The page about an API: one operation: what it is, beside the form that calls it.
import type { JSX } from 'preact';
import type { Api } from '../../../api-model/api.js';
import type { Scheme } from '../../../api-model/credentials.js';
import type { Access, Answer, Detail } from '../../../api-model/detail.js';
import type { Operation } from '../../../api-model/operations.js';
import type { Lookup } from '../../../api-model/type-space.js';
import { bareTypeText } from '../../../api-model/type-text.js';
import type { WireField } from '../../../wire/wire-type.js';
import { Badge, MethodBadge, type Tone } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Icon } from '../../parts/icon.js';
import { BackToList, Notice } from '../../parts/layout.js';
import { callStateOf } from '../state/call-state.js';
import { credentials } from '../state/page-state.js';
import { BodiesView, ParametersView } from './inputs-view.js';
import { MarkdownView } from './markdown-view.js';
import { MediaView } from './media-view.js';
import { SocketPanel } from './socket-panel.js';
import { TryPanel } from './try-panel.js';
import { TypeView } from './type-view.js';

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

/** The messages of a WebSocket. */
function SocketDocs({
  detail,
  target,
}: {
  readonly detail: Detail;
  readonly target: Extract<Detail['target'], { kind: 'socket' }>;
}): JSX.Element {
  const { protocols, hasRpc, sends, receives } = target;
  return (
    <section class="stack" aria-labelledby="messages-heading">
      <h2 id="messages-heading">Messages</h2>
      <EventsView title="You send" events={sends} lookup={detail.inputs} />
      <EventsView title="You get" events={receives} lookup={detail.outputs} />
      {sends.length + receives.length === 0 ? (
        <p class="dim">Texts and bytes that are not declared events.</p>
      ) : null}
      {hasRpc ? <p>It carries the subscriptions of the procedures, too.</p> : null}
      {protocols.length > 0 ? (
        <p>
          Sub-protocols: <code>{protocols.join(', ')}</code>
        </p>
      ) : null}
    </section>
  );
}

function EventsView({
  title,
  events,
  lookup,
}: {
  readonly title: string;
  readonly events: readonly WireField[];
  readonly lookup: Lookup;
}): JSX.Element | null {
  if (events.length === 0) return null;
  return (
    <div class="stack">
      <h3>{title}</h3>
      {events.map(({ name, type, description }) => (
        <div key={name} class="stack tight">
          <p>
            <code class="param-name">{name}</code>
            {description === undefined ? null : <span class="dim"> {description}</span>}
          </p>
          <TypeView type={type} lookup={lookup} label={`the event ${name}`} />
        </div>
      ))}
    </div>
  );
}

/** Who may call an operation. */
function AccessView({
  access,
  schemes,
  onAuthenticate,
}: {
  readonly access: Access;
  readonly schemes: readonly Scheme[];
  readonly onAuthenticate: () => void;
}): JSX.Element | null {
  if (!access.isRequired && access.schemes.length === 0) return null;
  const isEntered = access.schemes.some((group) =>
    group.every((name) => (credentials.value[name] ?? '') !== ''),
  );
  const ways = access.schemes.map((group) => group.map((name) => wayOf(name, schemes)).join(' and '));
  if (!access.isRequired) {
    return <p class="dim">Anyone may call it. Authentication is optional: {ways.join(', or ')}.</p>;
  }
  return (
    <section class="access" aria-label="Who may call it">
      <span class="inline-icon">
        <Icon name="lock" />
      </span>
      <span class="grow">
        Authentication is required
        {ways.length > 0 ? `: ${ways.join(', or ')}` : ''}
        {access.scopes.map((scope) => (
          <span key={scope} class="scope">
            <Badge tone="violet" title="A scope that the caller needs">
              {scope}
            </Badge>
          </span>
        ))}
      </span>
      {isEntered ? (
        <Badge tone="green">entered</Badge>
      ) : (
        <Button small onClick={onAuthenticate}>
          Authenticate
        </Button>
      )}
    </section>
  );
}

function wayOf(name: string, schemes: readonly Scheme[]): string {
  const scheme = schemes.find((one) => one.name === name);
  if (scheme === undefined) return name;
  if (scheme.kind === 'bearer') return 'bearer token';
  if (scheme.kind === 'basic') return 'user and password';
  if (scheme.kind === 'cookie') return `cookie ${scheme.field}`;
  return scheme.kind === 'query' ? `key in the query (${scheme.field})` : `key in ${scheme.field}`;
}

/** What an operation answers, and how it refuses. */
function AnswersView({ detail }: { readonly detail: Detail }): JSX.Element | null {
  const { answers, outputs, target } = detail;
  if (answers.length === 0) return null;
  const isProcedure = target.kind === 'rpc';
  return (
    <section class="stack" aria-labelledby="answers-heading">
      <h2 id="answers-heading">{isProcedure ? 'Output' : 'Answers'}</h2>
      {answers.map((answer, index) => (
        // Failures are opened when they are of interest.
        <details key={answer.label} class="answer" open={index === 0}>
          <summary>
            <Badge tone={toneOf(answer.label, isProcedure, index)}>{answer.label}</Badge>
            {answer.note === undefined ? null : <span class="dim">{answer.note}</span>}
            <span class="answer-text">{plainText(answer.description)}</span>
          </summary>
          <AnswerBody answer={answer} lookup={outputs} isProcedure={isProcedure} />
        </details>
      ))}
    </section>
  );
}

function AnswerBody({
  answer,
  lookup,
  isProcedure,
}: {
  readonly answer: Answer;
  readonly lookup: Lookup;
  readonly isProcedure: boolean;
}): JSX.Element {
  const { headers, bodies, label, description } = answer;
  const isLong = description !== undefined && description !== plainText(description);
  return (
    <div class="stack answer-body">
      {isLong ? <MarkdownView text={description} /> : null}
      {headers.length === 0 ? null : (
        <ul class="params">
          {headers.map(({ name, type, description: told }) => (
            <li key={name}>
              <p class="param-line">
                <code class="param-name">{name}</code>
                <code class="param-type">{bareTypeText(type)}</code>
                {told === undefined ? null : <span class="dim">{told}</span>}
              </p>
            </li>
          ))}
        </ul>
      )}
      {bodies.length === 0 ? <p class="dim">{isProcedure ? 'No data.' : 'No body.'}</p> : null}
      <MediaView bodies={bodies} lookup={lookup} label={label} showsMediaType={!isProcedure} />
    </div>
  );
}

/** On the line of the status. */
function plainText(text: string | undefined): string {
  const [line = ''] = (text ?? '').split('\n', 1);
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

function toneOf(label: string, isProcedure: boolean, index: number): Tone {
  if (isProcedure) return index === 0 ? 'green' : 'red';
  if (label.startsWith('2')) return 'green';
  if (label.startsWith('3')) return 'blue';
  return label.startsWith('4') ? 'amber' : label.startsWith('5') ? 'red' : 'plain';
}
