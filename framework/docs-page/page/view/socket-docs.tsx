// The page about an API: the messages of a WebSocket.
import type { JSX } from 'preact';
import type { WireField } from '../../../wire/wire-type.js';
import type { Detail } from '../model/detail.js';
import type { Lookup } from '../model/type-space.js';
import { TypeView } from './type-view.js';

export function SocketDocs({
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
