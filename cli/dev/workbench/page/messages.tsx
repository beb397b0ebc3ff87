// The page about the app: the messages of a WebSocket, or the events of a stream, as they come.
import type { JSX } from 'preact';
import { Badge, type Tone } from '../../../../framework/docs-page/parts/badge.js';
import { duration, size } from '../../../../framework/docs-page/parts/format.js';
import type { ShownMessage, ShownMessages } from '../protocol.js';

export function Messages({ stream }: { readonly stream: ShownMessages }): JSX.Element {
  const { messages, count, kind } = stream;
  const leftOut = count - messages.length;
  return (
    <div class="stack">
      <p class="row">
        <StreamState stream={stream} />
        <span class="dim">
          {leftOut > 0 ? `the last ${messages.length} of ${counted(count, kind)}` : counted(count, kind)}
        </span>
      </p>
      {messages.length === 0 ? null : (
        <table class="messages">
          <caption class="hidden-visually">
            {kind === 'events' ? 'Events, the newest first' : 'Messages, the newest first'}
          </caption>
          <thead>
            <tr>
              <th scope="col">At</th>
              <th scope="col">Direction</th>
              <th scope="col">Size</th>
              <th scope="col">Content</th>
            </tr>
          </thead>
          <tbody>
            {messages.toReversed().map((message, index) => (
              <MessageRow key={count - index} message={message} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function counted(count: number, kind: ShownMessages['kind']): string {
  const noun = kind === 'events' ? 'event' : 'message';
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const ends: Readonly<Record<NonNullable<ShownMessages['end']>, readonly [text: string, tone: Tone]>> = {
  ended: ['ended', 'plain'],
  aborted: ['client left', 'amber'],
  unwatched: ['not recorded any more', 'amber'],
  gone: ['the process has ended', 'amber'],
};

function StreamState({ stream: { end, close } }: { readonly stream: ShownMessages }): JSX.Element {
  if (end === undefined) return <Badge tone="green">open</Badge>;
  const [text, tone] = ends[end];
  if (close === undefined) return <Badge tone={tone}>{text}</Badge>;
  const isPlain = close.code === 1000 || close.code === 1001 || close.code === 1005;
  return (
    <>
      <Badge tone={isPlain ? 'plain' : 'amber'}>{`closed ${close.code}`}</Badge>
      <span>{close.reason === '' ? meanings[close.code] : close.reason}</span>
    </>
  );
}

/** Close codes that no reason explains (RFC 6455, section 7.4.1). */
const meanings: Readonly<Record<number, string>> = {
  1000: 'normal',
  1001: 'one side went away',
  1002: 'protocol error',
  1003: 'this kind of data is not accepted',
  1005: 'without a code',
  1006: 'without a close frame',
  1007: 'data that does not fit',
  1008: 'policy',
  1009: 'a message was too large',
  1011: 'a handler failed',
  1012: 'restart',
  1013: 'try again later',
};

/** Longer texts are folded, in characters. */
const SHORT = 240;

const directions: Readonly<Record<ShownMessage['direction'], readonly [text: string, tone: Tone]>> = {
  received: ['↑ received', 'blue'],
  sent: ['↓ sent', 'green'],
  failed: ['failed', 'red'],
};

function MessageRow({ message }: { readonly message: ShownMessage }): JSX.Element {
  const { at, direction, size: bytes, text, isCut, what } = message;
  return (
    <tr>
      <td class="mono">{duration(at)}</td>
      <td>
        <Badge tone={directions[direction][1]}>{directions[direction][0]}</Badge>
      </td>
      <td class="mono">{direction === 'failed' ? '' : size(bytes)}</td>
      <td class="message-text">
        {what === undefined ? null : (
          <>
            <Badge tone="violet">{what}</Badge>{' '}
          </>
        )}
        {text === undefined ? (
          <span class="dim">binary</span>
        ) : text.length > SHORT ? (
          <details>
            <summary>
              <span class="mono">{text.slice(0, SHORT)}…</span>
            </summary>
            <span class="mono">
              {text}
              {isCut === true ? ' … cut off' : ''}
            </span>
          </details>
        ) : (
          <span class="mono">{text}</span>
        )}
      </td>
    </tr>
  );
}
