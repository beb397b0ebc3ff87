// The page about an API: a WebSocket live: connect, send, and what arrives.
import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Api } from '../../../api-model/api.js';
import type { Detail } from '../../../api-model/detail.js';
import type { Operation } from '../../../api-model/operations.js';
import type { WireField, WireType } from '../../../wire/wire-type.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Notice } from '../../parts/layout.js';
import { Tabs } from '../../parts/tabs.js';
import { BodyForm } from '../form/body-form.js';
import { ParameterForm } from '../form/parameter-form.js';
import type { CallState } from '../state/call-state.js';
import { FormState } from '../state/form-state.js';
import { SocketState } from '../state/socket-state.js';
import { CodePanel } from './code-panel.js';
import { LogView } from './log-view.js';

interface SocketPanelProps {
  readonly api: Api;
  readonly operation: Operation;
  readonly state: CallState;
  readonly target: Extract<Detail['target'], { kind: 'socket' }>;
}

/** A connection lasts while other operations are open. */
const sockets = new WeakMap<Operation, SocketState>();

export function SocketPanel({ api, operation, state, target }: SocketPanelProps): JSX.Element {
  const socket = sockets.get(operation) ?? new SocketState();
  sockets.set(operation, socket);
  const problem = useSignal<string | undefined>(undefined);
  const status = socket.status.value;
  const connect = (): void => {
    const { plan } = state;
    state.form.isTried.value = true;
    [problem.value] = plan.problems;
    if (problem.value === undefined) socket.connect(plan, target.protocols);
  };
  return (
    <section class="stack" aria-labelledby="try-heading">
      <h2 id="try-heading" class="row">
        <span class="grow">Try it</span>
        <Badge tone={status === 'open' ? 'green' : 'plain'}>{status}</Badge>
      </h2>
      <ParameterForm state={state.form} detail={state.detail} />
      {problem.value === undefined ? null : <Notice tone="red">{problem.value}</Notice>}
      <div class="row">
        {status === 'closed' ? (
          <Button kind="primary" onClick={connect}>
            <Icon name="play" /> Connect
          </Button>
        ) : (
          <Button onClick={() => socket.close()} disabled={status === 'closing'}>
            <Icon name="stop" /> Close
          </Button>
        )}
      </div>
      <SendBox socket={socket} detail={state.detail} target={target} />
      <LogView
        log={socket.messages.log.value}
        label="Messages"
        empty="No message yet."
        onClear={() => socket.messages.clear()}
      />
      <CodePanel api={api} state={state} />
    </section>
  );
}

function SendBox({
  socket,
  detail,
  target,
}: {
  readonly socket: SocketState;
  readonly detail: Detail;
  readonly target: SocketPanelProps['target'];
}): JSX.Element {
  const events = target.sends.slice(0, 30);
  return (
    <Tabs
      label="What to send"
      tabs={[
        ...events.map((event) => ({
          id: `event-${event.name}`,
          title: event.name,
          panel: () => <EventBox key={event.name} socket={socket} event={event} detail={detail} />,
        })),
        { id: 'text', title: 'Text', panel: () => <TextBox socket={socket} target={target} /> },
      ]}
    />
  );
}

const forms = new WeakMap<WireField, FormState>();

function EventBox({
  socket,
  event,
  detail,
}: {
  readonly socket: SocketState;
  readonly event: WireField;
  readonly detail: Detail;
}): JSX.Element {
  const shape = eventDetail(detail, event.type);
  const form = forms.get(event) ?? new FormState(shape);
  forms.set(event, form);
  const isOpen = useComputed(() => socket.status.value === 'open');
  const send = (): void => {
    form.isTried.value = true;
    const { body } = form.filled.value;
    socket.send(JSON.stringify({ event: event.name, ...(body !== undefined && { data: body }) }));
  };
  return (
    <form
      class="stack tight"
      noValidate
      onSubmit={(submit) => {
        submit.preventDefault();
        send();
      }}
    >
      <BodyForm state={form} detail={shape} title="Data" />
      <div class="row">
        <Button kind="primary" type="submit" disabled={!isOpen.value}>
          <Icon name="send" /> Send {event.name}
        </Button>
      </div>
    </form>
  );
}

/** The data of an event, as the body of a call. */
function eventDetail(detail: Detail, type: WireType): Detail {
  const bodies = type.kind === 'void' ? [] : [{ mediaType: 'application/json', type, examples: [] }];
  return { ...detail, parameters: [], bodies, isBodyRequired: true };
}

function TextBox({
  socket,
  target,
}: {
  readonly socket: SocketState;
  readonly target: SocketPanelProps['target'];
}): JSX.Element {
  const text = useSignal(target.hasRpc ? '{"subscribe":{"id":1,"method":"","params":{}}}' : '');
  return (
    <form
      class="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        socket.send(text.value);
      }}
    >
      <textarea
        class="field"
        rows={3}
        aria-label="Text to send"
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <div class="row">
        <Button kind="primary" type="submit" disabled={socket.status.value !== 'open'}>
          <Icon name="send" /> Send text
        </Button>
      </div>
    </form>
  );
}
