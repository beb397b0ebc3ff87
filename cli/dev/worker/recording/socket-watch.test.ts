// When the connections of WebSockets are followed, and when no more.
import diagnostics from 'node:diagnostics_channel';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SocketTrace } from '../../../../framework/websocket/socket-channel.js';
import type { WorkerNews } from '../../../process/messages.js';
import type { RawMessages } from '../../../process/records.js';
import type { Exchange } from './exchange.js';
import { MessageOutbox } from './message-outbox.js';
import { SocketWatch } from './socket-watch.js';

const channel = diagnostics.channel('fw:websocket');
let news: WorkerNews[];
let outbox: MessageOutbox;
let watch: SocketWatch;
beforeEach(() => {
  news = [];
  outbox = new MessageOutbox((message, done) => {
    news.push(message);
    done?.();
  });
  watch = new SocketWatch(outbox);
});
afterEach(() => watch.stop());

/** What was told since the last time. */
async function told(): Promise<RawMessages[]> {
  await outbox.flush();
  return news.splice(0).flatMap((one) => (one.fw === 'messages' ? one.logs : []));
}
const textsIn = (logs: readonly RawMessages[]) =>
  logs.flatMap(({ seq, messages }) => messages.map(({ text }) => [seq, text]));

type Event = SocketTrace extends infer One
  ? One extends SocketTrace
    ? Omit<One, 'connection' | 'route'>
    : never
  : never;

function publish(connection: object, event: Event): void {
  channel.publish({ connection, route: '/live', ...event });
}
const says = (connection: object, content: string) =>
  publish(connection, {
    type: 'message',
    direction: 'received',
    size: content.length,
    content,
    isBinary: false,
  });

/** A connection whose handshake was recorded. */
function opened(seq: number): object {
  const [stream, connection] = [{}, {}];
  const exchange = {
    seq,
    began: performance.now(),
    fate: 'told',
    isKept: true,
    note: (part: () => void) => part(),
  };
  watch.follow(stream, exchange as unknown as Exchange);
  publish(connection, { type: 'open', stream });
  return connection;
}

it('a connection whose handshake was recorded, each message once, also with others beside it', async () => {
  const [one, other, stranger] = [opened(1), opened(2), {}];
  publish(stranger, { type: 'open', stream: {} });
  says(one, 'a');
  says(other, 'b');
  says(stranger, 'c');
  expect(textsIn(await told())).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
});

it('no more once it is closed: its end is told once', async () => {
  const one = opened(1);
  publish(one, { type: 'close', code: 4000, reason: 'bye' });
  expect(await told()).toMatchObject([{ seq: 1, end: { code: 4000, reason: 'bye' } }]);
  says(one, 'late');
  publish(one, { type: 'close', code: 4001, reason: 'again' });
  watch.stop();
  expect(await told()).toEqual([]);
});

it('none once nobody looks, and not those of before when somebody looks again', async () => {
  const before = opened(1);
  says(before, 'a');
  await told();
  watch.stop();
  expect([await told(), channel.hasSubscribers]).toMatchObject([[{ seq: 1, end: 'unwatched' }], false]);
  watch.stop();
  const after = opened(2);
  says(before, 'b');
  says(after, 'c');
  publish(before, { type: 'close', code: 1000, reason: '' });
  const logs = await told();
  expect([textsIn(logs), logs.map(({ end }) => end)]).toEqual([[[2, 'c']], [undefined]]);
  watch.stop();
  expect(await told()).toMatchObject([{ seq: 2, end: 'unwatched' }]);
});
