// Changes between processes: what one tells, the others hear.
import type { HistoryBroker, HistoryListener } from 'fw/websocket';
import { afterEach, expect, test, vi } from 'vitest';
import { Changes } from './changes.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Two processes, and what carries messages between them. */
async function processes(isBroken = false) {
  const listeners: HistoryListener[] = [];
  let tries = 0;
  const unused = () => Promise.reject(new Error('not used'));
  const broker: HistoryBroker = {
    async append(_channel, message) {
      tries += 1;
      if (isBroken) throw new Error('away');
      for (const listener of listeners) listener.onMessage({ id: '1-1', message });
    },
    async follow(_channel, listener) {
      tries += 1;
      if (isBroken) throw new Error('away');
      listeners.push(listener);
      return { id: '1-0', stop: async () => {} };
    },
    publish: unused,
    subscribe: unused,
    since: unused,
    async close() {},
  };
  const [here, there] = [new Changes(broker), new Changes(broker)];
  await Promise.all([here.start(), there.start()]);
  return {
    here,
    there,
    tries: () => tries,
    breaks() {
      isBroken = true;
    },
    returns() {
      isBroken = false;
    },
    loses() {
      for (const listener of listeners) listener.onLost('2-0');
    },
  };
}

/** What a window of Ada hears until it leaves. */
function listen(changes: Changes) {
  const leaving = new AbortController();
  const heard: string[] = [];
  const following = (async () => {
    for await (const { listId } of changes.follow('ada', leaving.signal)) heard.push(listId);
  })();
  return {
    heard,
    /** Resolves when the server has ended it. */
    following,
    leave() {
      leaving.abort();
      return following.catch(() => {});
    },
  };
}

test('windows hear of changes of their user in every process, and of no others', async () => {
  const { here, there } = await processes();
  const windows = [listen(here), listen(there)];
  here.tell('ada', { listId: 'groceries' });
  there.tell('bob', { listId: 'secret' });
  there.tell('ada', { listId: 'work' });
  for (const { heard } of windows) await expect.poll(() => heard).toEqual(['groceries', 'work']);
  for (const { leave } of windows) await leave();
});

test('while nothing is carried between them, windows hear of the changes of their process', async () => {
  const { here, there, breaks } = await processes();
  const [near, far] = [listen(here), listen(there)];
  breaks();
  here.tell('ada', { listId: 'groceries' });
  await expect.poll(() => near.heard).toEqual(['groceries']);
  expect(far.heard).toEqual([]);
  await Promise.all([near.leave(), far.leave()]);
});

test('a process that starts while Redis is away hears of the changes of all when it is back', async () => {
  const { here, there, returns } = await processes(true);
  const windows = [listen(here), listen(there)];
  here.tell('ada', { listId: 'groceries' });
  await expect.poll(() => windows[0]?.heard).toEqual(['groceries']);
  returns();
  // They end, and follow again, since nobody knows what they have missed.
  await Promise.all(windows.map(({ following }) => following));
  const again = [listen(here), listen(there)];
  there.tell('ada', { listId: 'work' });
  for (const { heard } of again) await expect.poll(() => heard).toContain('work');
  for (const { leave } of again) await leave();
});

test('changes that Redis has not taken reach other processes when it is back', async () => {
  const { here, there, breaks, returns } = await processes();
  const [near, far] = [listen(here), listen(there)];
  breaks();
  here.tell('ada', { listId: 'groceries' });
  await expect.poll(() => near.heard).toEqual(['groceries']);
  returns();
  await expect.poll(() => far.heard, { timeout: 5000 }).toEqual(['groceries']);
  await Promise.all([near.leave(), far.leave()]);
});

test('after too many of them, all windows follow again, as after changes that Redis has lost', async () => {
  const { here, there, breaks, returns, loses } = await processes();
  const far = listen(there);
  breaks();
  for (let number = 0; number <= 1000; number += 1) here.tell('bob', { listId: `${number}` });
  await new Promise(setImmediate);
  returns();
  await far.following;
  const again = listen(there);
  loses();
  await again.following;
});

test('a process that is closed tries nothing again', async () => {
  vi.useFakeTimers();
  const { here, there, tries, breaks } = await processes();
  breaks();
  here.tell('ada', { listId: 'groceries' });
  there.tell('ada', { listId: 'work' });
  await vi.advanceTimersByTimeAsync(2500);
  expect(tries()).toBe(8);
  here.close();
  await vi.advanceTimersByTimeAsync(1000);
  expect(tries()).toBe(9);
  there.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries()).toBe(9);
});
