import { expect, it } from 'vitest';
import { type EventCounts, eventKey, Heard, LiveAccount } from './live-account.js';

const noCounts = (): EventCounts => ({ expected: 0, received: 0, reportedMissed: 0, twice: 0 });

function twoListeners(): [account: LiveAccount, one: Heard, other: Heard] {
  const [account, one, other] = [new LiveAccount(), new Heard('one'), new Heard('other')];
  account.heard.push(one, other);
  return [account, one, other];
}

it('is content with each event once at each listener', () => {
  const [account, one, other] = twoListeners();
  account.told(eventKey('added', 'a', 1), performance.now());
  expect(account.isSettled()).toBe(false);
  for (const heard of [one, other]) heard.event('added a 1');
  expect(account.isSettled()).toBe(true);
  const counts = noCounts();
  expect(account.check(counts)).toEqual([]);
  expect(counts).toEqual({ expected: 2, received: 2, reportedMissed: 0, twice: 0 });
});

it('names an event that one listener never got', () => {
  const [account, one] = twoListeners();
  account.told('removed a', performance.now());
  one.event('removed a');
  expect(account.check(noCounts())).toEqual([
    "other never got 'removed a', and was not told that it missed something",
  ]);
});

it('takes a report that events were missed for those before it alone', () => {
  const [account, one, other] = twoListeners();
  account.told('before', performance.now() - 1);
  for (const heard of [one, other]) heard.missed();
  account.told('after', performance.now() + 1);
  const counts = noCounts();
  const faults = account.check(counts);
  expect(faults).toHaveLength(2);
  expect(faults[0]).toContain("'after'");
  expect(counts).toEqual({ expected: 4, received: 0, reportedMissed: 2, twice: 0 });
});

it('names events that come twice, late or without a write', () => {
  const [account, one] = twoListeners();
  account.heard.pop();
  account.told('added a 1', performance.now());
  one.event('added a 1');
  one.event('added a 1');
  const counts = noCounts();
  expect(account.check(counts)).toEqual(["one got 'added a 1' 2 times"]);
  expect(counts.twice).toBe(1);
  one.event('added a 1');
  expect(account.check(counts)).toEqual(["one got 'added a 1', which nobody has done"]);
});

it('lets events of writes without an answer come or not', () => {
  const [account, one] = twoListeners();
  account.mayTell('changed a 2');
  expect(account.isSettled()).toBe(true);
  one.event('changed a 2');
  one.event('added b 1');
  expect(account.check(noCounts(), ['b'])).toEqual([]);
});
