// Changes between processes: what one tells, the others hear.
import type { ChannelBroker } from 'fw/websocket';
import { expect, test } from 'vitest';
import { Changes } from './changes.ts';

/** Two processes, and what carries messages between them. */
async function processes(): Promise<{ here: Changes; there: Changes; breaks(): void }> {
  const listeners: ((message: string) => void)[] = [];
  let isBroken = false;
  const broker: ChannelBroker = {
    async publish(_channel, message) {
      if (isBroken) throw new Error('away');
      for (const listener of listeners) listener(message);
    },
    async subscribe(_channel, listener) {
      listeners.push(listener);
      return async () => {};
    },
    async close() {},
  };
  const [here, there] = [new Changes(broker), new Changes(broker)];
  await Promise.all([here.start(), there.start()]);
  return {
    here,
    there,
    breaks() {
      isBroken = true;
    },
  };
}

/** What a window of Ada hears until it leaves. */
function listen(changes: Changes): { heard: string[]; leave(): Promise<unknown> } {
  const leaving = new AbortController();
  const heard: string[] = [];
  const following = (async () => {
    for await (const { listId } of changes.follow('ada', leaving.signal)) heard.push(listId);
  })();
  return {
    heard,
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
