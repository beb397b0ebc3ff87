// The messages of a WebSocket or an event stream as the page about the app shows them, with the secrets masked.
import type { RawMessage, RawRecord } from '../../process/records.js';
import type { KeptMessages } from './kept-messages.js';
import { maskBody } from './masking.js';
import type { ShownMessage, ShownMessages } from './protocol.js';
import type { Secrets } from './secrets.js';

export function shownMessages(kept: KeptMessages, raw: RawRecord, secrets: Secrets): ShownMessages {
  const names = new Map<string, string>();
  return {
    kind: raw.isWebSocket ? 'websocket' : 'events',
    count: kept.count,
    messages: kept.last.map((one) => shownMessage(one, names, secrets)),
    ...endOf(kept, raw, secrets),
  };
}

function endOf(kept: KeptMessages, raw: RawRecord, secrets: Secrets): Pick<ShownMessages, 'end' | 'close'> {
  const { end } = kept;
  if (!raw.isWebSocket) {
    if (raw.state === 'pending') return {};
    return { end: raw.state === 'aborted' ? 'aborted' : 'ended' };
  }
  if (end === undefined) return {};
  if (typeof end === 'string') return { end };
  return { end: 'ended', close: { code: end.code, reason: secrets.hide(end.reason) } };
}

/** @param names of the subscriptions that messages before it have begun, by their ids; it gets those of this one */
function shownMessage(raw: RawMessage, names: Map<string, string>, secrets: Secrets): ShownMessage {
  const { text, event, ...message } = raw;
  const what = event ?? (text === undefined ? undefined : subscriptionOf(raw.direction, text, names));
  return {
    ...message,
    ...(text !== undefined && { text: maskBody(text, '', secrets) }),
    ...(what !== undefined && { what: secrets.hide(what) }),
  };
}

/** What a frame of fw/rpc is about, read from its begin: it may be cut off. */
function subscriptionOf(
  direction: RawMessage['direction'],
  text: string,
  names: Map<string, string>,
): string | undefined {
  const [, kind, begin = ''] = /^\{"(subscribe|unsubscribe|subscription)":\{(.{1,400})/s.exec(text) ?? [];
  if (kind === undefined || (kind === 'subscription') !== (direction === 'sent')) return undefined;
  const id = /"id":(\d{1,16})[,}]/.exec(begin)?.[1];
  if (id === undefined) return undefined;
  if (kind === 'subscribe') {
    const name = /"method":"([\w.:/-]{1,100})"/.exec(begin)?.[1];
    if (name !== undefined) names.set(id, name);
  }
  const subject = names.get(id) ?? `subscription ${id}`;
  if (kind === 'subscribe') return `subscribe ${subject}`;
  if (kind === 'unsubscribe') return `unsubscribe ${subject}`;
  if (/^"id":\d{1,16},"error":/.test(begin)) return `${subject} failed`;
  return /^"id":\d{1,16},"done":/.test(begin) ? `${subject} done` : `${subject} event`;
}
