import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { TrialBroker } from '../../conformance/websocket/trial-broker.js';
import type { ChannelMember } from '../channel-member.js';
import { ChannelManager } from './channel-manager.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** A connection without a socket, and what closes it. */
function memory(): { member: ChannelMember; close(): void } {
  const callbacks: (() => void)[] = [];
  const member: ChannelMember = {
    isOpen: true,
    sendFrame: () => true,
    whenClosed: (callback) => callbacks.push(callback),
    takeResumePoint: () => undefined,
  };
  return {
    member,
    close() {
      for (const callback of callbacks) callback();
    },
  };
}

it('keeps nothing of connections and topics that are gone', () => {
  const channels = new ChannelManager();
  const stays = memory().member;
  channels.subscribe(stays, 'stays');
  let last: WeakRef<ChannelMember> | undefined;
  const round = () => {
    for (let n = 0; n < 2_000; n += 1) {
      const { member, close } = memory();
      for (let topic = 0; topic < 3; topic += 1)
        channels.subscribe(member, `${n}/${topic}/${Math.random()}`.padEnd(500));
      channels.subscribe(member, 'stays');
      // A WeakRef keeps its target for the rest of this turn.
      if (n === 1_999) last = new WeakRef(member);
      close();
    }
  };
  round();
  const before = heapUsed();
  for (let n = 0; n < 5; n += 1) round();
  expect(heapUsed() - before).toBeLessThan(2_000_000);
  expect([channels.count(), channels.topics()]).toEqual([1, ['stays']]);
  return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    collect();
    expect(last?.deref()).toBeUndefined();
  });
});

it('takes little for a subscription', () => {
  const channels = new ChannelManager();
  const members = Array.from({ length: 10_000 }, () => memory().member);
  const before = heapUsed();
  for (const member of members) for (const topic of ['a', 'b', 'c', 'd']) channels.subscribe(member, topic);
  const bytes = (heapUsed() - before) / (members.length * 4);
  // Measured: about 160, with the record of the connection.
  expect(bytes).toBeLessThan(200);
  expect(channels.count('d')).toBe(10_000);
});

it('keeps nothing of topics of a broker that are gone', async () => {
  const broker = new TrialBroker();
  const channels = new ChannelManager({ broker });
  const round = async () => {
    for (let n = 0; n < 2_000; n += 1) {
      const { member, close } = memory();
      await channels.subscribe(member, `${n}/${Math.random()}`.padEnd(500));
      close();
    }
    broker.calls.splice(0);
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  await round();
  const before = heapUsed();
  for (let n = 0; n < 5; n += 1) await round();
  expect(heapUsed() - before).toBeLessThan(2_000_000);
});
