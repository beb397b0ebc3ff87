// The generated client of registries with subscriptions: its types, and how it reads streams.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  type CheckedProgram,
  check,
  checkAll,
  compilers,
  libraries,
  options,
  procedure,
  rest,
  types,
} from '../conformance/checked-client.js';
import { clientCode, form } from '../conformance/client-form.js';
import { serving } from '../conformance/live-events.js';
import { App, FwError } from '../index.js';
import { RpcMode, RpcRegistry, tracked } from '../rpc/index.js';
import type { WireTypes } from '../wire/wire-type.js';
import { printClient } from './print-client.js';
import { printDeclaredClient } from './print-declared-client.js';
import { readClient } from './read-client.js';

const directory = mkdtempSync(join(tmpdir(), 'fw-subscriptions-'));
afterAll(() => rmSync(directory, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

const streams: WireTypes['procedures'] = {
  onUser: {
    ...procedure('subscription', '{ id: string } | void', 'User'),
    description: 'Changes of a user.',
    errors: { gone: { data: { kind: 'void' } } },
  },
  ticks: procedure('subscription', 'void', 'number'),
  raw: procedure('subscription', 'void', 'unknown'),
};
const both: WireTypes = { named: types.named, procedures: { ...types.procedures, ...streams } };
const only: WireTypes = { named: types.named, procedures: streams };

const use = `import { FwRpcClient, isErrorOf, type User } from './client.js';
const client = new FwRpcClient('/x', { headers: async () => ({ a: 'b' }) });
export async function use(): Promise<number> {
  try {
    for await (const user of client.onUser({ id: '1' }, { reconnect: { maxAttempts: 2 }, lastEventId: '4' })) {
      const name: string | null = (user satisfies User).name;
      if (name === null) break;
    }
  } catch (error) {
    if (isErrorOf(error, 'onUser')) return error.error.name.length;
  }
  const ticks: AsyncGenerator<number, void, undefined> = client.ticks({ reconnect: false });
  await ticks.return();
  const raw: AsyncIterable<unknown> = client.raw({ onState: (state: 'open' | 'lost') => state });
  // @ts-expect-error a wrong input
  client.onUser({ id: 1 });
  return raw === undefined ? 1 : 2;
}
`;
const batchUse = `import type { FwRpcBatchCall, FwRpcMethod } from './client.js';
// @ts-expect-error a subscription is called alone
export const call: FwRpcBatchCall = { method: 'ticks' };
// @ts-expect-error a subscription has no notification
export const method: FwRpcMethod = 'ticks';
`;
const libraryUse = `import { FwRpcClient } from './client.js';
export const client: FwRpcClient = new FwRpcClient('/x', { fetch, signal: AbortSignal.timeout(1) });
export const other: FwRpcClient = new FwRpcClient('/x', { fetch: (url, init) => fetch(url, init) });
`;

describe('the client of a registry with subscriptions', () => {
  it.each(compilers)(
    'compiles under the strictest options of %s, with its declarations',
    (compiler) => {
      const programs = [options, rest].flatMap((mode) =>
        [both, only].flatMap((wire): CheckedProgram[] => {
          const client = { 'client.ts': printClient(wire, mode) };
          const declared = { 'client.d.ts': printDeclaredClient(wire, mode) };
          return [[client, use], [declared, use], ...(mode === options ? [[client, batchUse] as const] : [])];
        }),
      );
      expect(checkAll(compiler, programs)).toBe('');
    },
    120_000,
  );

  it.each(Object.entries(libraries))(
    'accepts the fetch of %s without a cast',
    (_name, library) => {
      for (const mode of [options, rest]) {
        const client = { 'client.ts': printClient(both, mode) };
        expect(check(directory, 'typescript', client, libraryUse, library)).toBe('');
      }
    },
    60_000,
  );

  it('is read back, for fw generate --diff', () => {
    const { procedures } = readClient(printClient(both, options));
    expect(procedures.ticks).toEqual({
      kind: 'subscription',
      input: { kind: 'void' },
      output: { kind: 'number' },
    });
    expect(procedures.getUser?.kind).toBe('query');
  });

  it('has nothing of them without a subscription', () => {
    for (const mode of [options, rest])
      expect(printClient(types, mode)).not.toMatch(/subscri|Frame|Last-Event/i);
  });
});

/** What a test needs of a client. */
interface Client {
  count(input: object, options?: object): AsyncGenerator<{ n: number }, void, undefined>;
  changes(input: object, options?: object): AsyncGenerator<unknown, void, undefined>;
  flaky(input: object, options?: object): AsyncGenerator<number, void, undefined>;
  idle(input: object, options?: object): AsyncGenerator<unknown, void, undefined>;
}
interface Loaded {
  FwRpcClient: new (baseUrl: string, options?: object) => Client;
  JsonRpcClientError: new () => Error;
  FwRpcHttpError: new () => Error;
  isErrorOf(error: unknown, name: string): boolean;
}

const seen: string[] = [];
let left: () => void = () => {};
/** What the tests decide while subscriptions run. */
const control = { fails: [] as unknown[], connections: 0 };

function registry(mode: RpcMode): RpcRegistry {
  return RpcRegistry.withMode(mode)
    .heartbeat(50)
    .use((call, next) => {
      if (call.kind === 'subscription') control.connections += 1;
      const failure = control.fails.shift();
      if (failure !== undefined) throw failure;
      return next();
    })
    .subscription(
      'count',
      {
        input: z.object({ to: z.coerce.number(), text: z.string().optional() }),
        errors: { tooFar: z.object({ most: z.number() }) },
      },
      async function* ({ to, text }, { errors }) {
        if (text === 'refused') throw errors.tooFar({ most: 0 });
        for (let n = 1; n <= to; n++) {
          if (n > 3) throw errors.tooFar({ most: 3 });
          yield { n, ...(text !== undefined && { text }) };
        }
      },
    )
    .subscription('changes', { input: z.object({}) }, async function* (_, { signal, lastEventId }) {
      seen.push(`after ${lastEventId}`);
      try {
        yield tracked('€ 1', 'first');
        await once(signal, 'abort');
      } finally {
        seen.push('finally');
        left();
      }
    })
    .subscription('flaky', { input: z.object({}) }, async function* (_, { signal, lastEventId }) {
      const n = Number(lastEventId ?? 0) + 1;
      yield tracked(String(n), n);
      if (n < 3) await once(signal, 'abort');
    })
    .subscription('idle', { input: z.object({}) }, async function* (_, { signal }) {
      yield* [];
      await once(signal, 'abort');
    })
    .query('plain', { input: z.object({}) }, () => 1);
}

/** The calls that add or remove listeners of the client. */
function leaves({ mock }: { mock: { calls: unknown[][] } }): unknown[] {
  return mock.calls
    .map(([, listener]) => listener)
    .filter((one) => ['leave', 'passOn'].includes((one as { name: string }).name));
}

/** Cuts the connections of the test, in their order. */
const connections: (() => void)[] = [];

const loaded: Partial<Record<RpcMode, Loaded>> = {};

beforeAll(async () => {
  for (const mode of [RpcMode.JsonRpc, RpcMode.Rest]) {
    const code = await clientCode(registry(mode).generateClient({ client: form }));
    loaded[mode] = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  }
});

describe.each([RpcMode.JsonRpc, RpcMode.Rest])('the client in mode %s', (mode) => {
  const fast = { minDelayMs: 1, maxDelayMs: 2 };
  const module = (): Loaded => loaded[mode] as Loaded;
  const errorOf = (error: unknown) => {
    const { JsonRpcClientError, FwRpcHttpError } = module();
    return error instanceof (mode === RpcMode.Rest ? FwRpcHttpError : JsonRpcClientError);
  };

  const connected = async (
    test: (client: Client, url: string) => Promise<void>,
    given: object = {},
  ): Promise<void> => {
    seen.length = 0;
    connections.length = 0;
    Object.assign(control, { fails: [], connections: 0 });
    const app = new App()
      .mountRpc('/rpc', registry(RpcMode.JsonRpc))
      .mountRest('/api', registry(RpcMode.Rest));
    await serving(app, async (url) => {
      const base = mode === RpcMode.Rest ? `${url}/api` : `${url}/rpc`;
      const cutting = async (address: string, init: RequestInit): Promise<Response> => {
        const response = await fetch(address, init);
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        const cutter = new AbortController();
        connections.push(() => cutter.abort(new TypeError('terminated')));
        response.body?.pipeTo(writable, { signal: cutter.signal }).catch(() => {});
        return new Response(readable, response);
      };
      await test(new (module().FwRpcClient)(base, { fetch: cutting, ...given }), base);
    });
  };

  it('gives the events to a loop, and ends with the handler', async () => {
    await connected(async (client) => {
      const events: unknown[] = [];
      const text = 'ä\n\ndata: €\u2028\r\u2029';
      for await (const event of client.count({ to: 2, text })) events.push(event);
      expect(events).toEqual([
        { n: 1, text },
        { n: 2, text },
      ]);
      expect(control.connections).toBe(1);
    });
  });

  it('throws a declared error at any time, as the error of a call', async () => {
    await connected(async (client) => {
      const events: unknown[] = [];
      const loop = async (input: object) => {
        for await (const { n } of client.count(input, { reconnect: fast })) events.push(n);
      };
      const error: unknown = await loop({ to: 9 }).catch((thrown: unknown) => thrown);
      expect(events).toEqual([1, 2, 3]);
      expect(module().isErrorOf(error, 'count')).toBe(true);
      expect(error).toMatchObject({ error: { name: 'tooFar', data: { most: 3 } } });
      const start: unknown = await loop({ to: 1, text: 'refused' }).catch((thrown: unknown) => thrown);
      expect(module().isErrorOf(start, 'count')).toBe(true);
      expect(control.connections).toBe(2);
    });
  });

  it('throws what the server refuses before the stream', async () => {
    await connected(async (client) => {
      const error: unknown = await client
        .count({ to: 'many' })
        .next()
        .catch((thrown: unknown) => thrown);
      expect(errorOf(error)).toBe(true);
      control.fails.push(FwError.forbidden('no'));
      expect(
        errorOf(
          await client
            .idle({}, { reconnect: fast })
            .next()
            .catch((thrown: unknown) => thrown),
        ),
      ).toBe(true);
      control.fails.push(FwError.serviceUnavailable('soon'));
      expect(
        errorOf(
          await client
            .idle({}, { reconnect: fast })
            .next()
            .catch((thrown: unknown) => thrown),
        ),
      ).toBe(true);
    });
  });

  it('stops the handler when the loop breaks', async () => {
    await connected(async (client) => {
      const gone = new Promise<void>((resolve) => {
        left = resolve;
      });
      for await (const event of client.changes({})) {
        expect(event).toBe('first');
        break;
      }
      await gone;
      expect(seen).toEqual(['after undefined', 'finally']);
    });
  });

  it('closes the connection when the caller throws into it', async () => {
    await connected(async (client) => {
      const gone = new Promise<void>((resolve) => {
        left = resolve;
      });
      const events = client.changes({}, { reconnect: fast });
      await events.next();
      await expect(events.throw(new Error('mine'))).rejects.toThrow('mine');
      await gone;
      expect(control.connections).toBe(1);
    });
  });

  it('does not count the time in which the caller works on an event', async () => {
    const frames = [
      'event: ready\ndata: {"heartbeatMs":2}\n\ndata: 1\n\n',
      'data: 2\n\n',
      'event: done\ndata: \n\n',
    ];
    const fetch = async (_url: string, { signal }: { signal: AbortSignal }): Promise<Response> => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
        pull: (controller) => controller.enqueue(new TextEncoder().encode(frames.shift())),
      });
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
    };
    const events: unknown[] = [];
    for await (const event of new (module().FwRpcClient)('/x', { fetch }).idle(
      {},
      { timeoutMs: 5, reconnect: false },
    )) {
      events.push(event);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(events).toEqual([1, 2]);
  });

  it('reads a long event in many parts as fast as one in few parts', { timeout: 10_000 }, async () => {
    const parts = ['event: ready\ndata: {"heartbeatMs":1000}\n\ndata: "'];
    for (let count = 0; count < 10_000; count += 1) parts.push('x'.repeat(500));
    parts.push('"\n\nevent: done\ndata: \n\n');
    const fetch = async (): Promise<Response> => {
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new TextEncoder().encode(parts.shift())),
      });
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
    };
    const lengths: number[] = [];
    const client = new (module().FwRpcClient)('/x', { fetch });
    for await (const event of client.idle({})) lengths.push((event as string).length);
    expect(lengths).toEqual([5_000_000]);
  });

  it('ends at once by return(), also while it waits for an event', async () => {
    await connected(async (client) => {
      const gone = new Promise<void>((resolve) => {
        left = resolve;
      });
      const events = client.changes({});
      await events.next();
      const pending = events.next();
      expect(await events.return()).toEqual({ done: true, value: undefined });
      expect(await pending).toEqual({ done: true, value: undefined });
      await gone;
    });
  });

  it('ends by return() before it was opened, and while it waits to reconnect', async () => {
    await connected(async (client) => {
      await client.changes({}).return();
      expect(control.connections).toBe(0);
      let isLost = (): void => {};
      const lost = new Promise<void>((resolve) => {
        isLost = resolve;
      });
      const onState = (state: string) => state === 'lost' && isLost();
      const events = client.changes({}, { reconnect: { minDelayMs: 60_000, maxDelayMs: 60_000 }, onState });
      await events.next();
      const pending = events.next();
      connections.at(-1)?.();
      await lost;
      await events.return();
      expect(await pending).toEqual({ done: true, value: undefined });
    });
  });

  it('throws the reason of a signal, of the call or of the client', async () => {
    for (const isOfClient of [false, true]) {
      const controller = new AbortController();
      const { signal } = controller;
      await connected(
        async (client) => {
          const events = client.changes({}, isOfClient ? {} : { signal });
          await events.next();
          const pending = events.next();
          controller.abort(new Error('enough'));
          await expect(pending).rejects.toThrow('enough');
          await expect(client.idle({}, { signal }).next()).rejects.toThrow('enough');
        },
        isOfClient ? { signal } : {},
      );
    }
  });

  it('stops the handler through a fetch that ignores signals', async () => {
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const app = new App()
      .mountRpc('/rpc', registry(RpcMode.JsonRpc))
      .mountRest('/api', registry(RpcMode.Rest));
    const fetch = (url: string, { signal: _, ...init }: RequestInit) => app.fetch(new Request(url, init));
    const base = mode === RpcMode.Rest ? 'http://x/api' : 'http://x/rpc';
    for await (const event of new (module().FwRpcClient)(base, { fetch }).changes({})) {
      expect(event).toBe('first');
      break;
    }
    await gone;
  });

  it('reconnects with the last id after its connection was lost', async () => {
    const added = vi.spyOn(EventTarget.prototype, 'addEventListener');
    const taken = vi.spyOn(EventTarget.prototype, 'removeEventListener');
    await connected(async (client) => {
      const states: string[] = [];
      const onState = (state: string) => states.push(state);
      const events: number[] = [];
      for await (const n of client.flaky({}, { reconnect: fast, onState })) {
        events.push(n);
        // As a process that dies: the connection ends without the frame `done`.
        if (n < 3) connections.at(-1)?.();
      }
      expect(events).toEqual([1, 2, 3]);
      expect(states).toEqual(['open', 'lost', 'open', 'lost', 'open']);
    });
    // Those of the connections and of the waits between them.
    expect(leaves(added).length).toBe(5);
    expect(leaves(taken)).toEqual(leaves(added));
  });

  it('takes an id that is not ASCII back to the server', async () => {
    await connected(async (client) => {
      const events = client.changes({}, { reconnect: fast });
      await events.next();
      connections.at(-1)?.();
      await events.next();
      await events.return();
      expect(seen.filter((one) => one.startsWith('after'))).toEqual(['after undefined', 'after € 1']);
    });
  });

  it('does not reconnect if that is switched off, or after as many attempts as allowed', async () => {
    await connected(async (client) => {
      const loop = async (reconnect: unknown) => {
        for await (const _ of client.flaky({}, { reconnect })) {
          // What fails from now on is another attempt to connect.
          control.fails = Array.from({ length: 5 }, () => FwError.serviceUnavailable('soon'));
          connections.at(-1)?.();
        }
      };
      await expect(loop(false)).rejects.toThrow();
      expect(control.connections).toBe(1);
      control.fails = [];
      await expect(loop({ ...fast, maxAttempts: 2 })).rejects.toThrow(/soon|503/);
      expect(control.connections).toBe(4);
    });
  });

  it('gives up if the server refuses it when it reconnects', async () => {
    await connected(async (client) => {
      const events = client.flaky({}, { reconnect: fast });
      await events.next();
      control.fails = [FwError.serviceUnavailable('soon'), FwError.unauthorized('expired')];
      connections.at(-1)?.();
      await expect(events.next()).rejects.toMatchObject(
        mode === RpcMode.Rest ? { status: 401 } : { code: -32001 },
      );
      expect(control.connections).toBe(3);
    });
  });

  it('reconnects if nothing arrives for three heartbeats', async () => {
    let calls = 0;
    const silent = async (_url: string, { signal }: { signal: AbortSignal }): Promise<Response> => {
      calls += 1;
      const frames = calls === 1 ? '' : 'data: 1\n\nevent: done\ndata: \n\n';
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(`event: ready\ndata: {"heartbeatMs":5}\n\n${frames}`));
          signal.addEventListener('abort', () => controller.error(signal.reason));
        },
      });
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
    };
    const reasons: unknown[] = [];
    const onState = (_: string, reason: unknown) => reason !== undefined && reasons.push(reason);
    const client = new (module().FwRpcClient)('/x', { fetch: silent });
    const events: unknown[] = [];
    for await (const event of client.idle({}, { reconnect: fast, onState })) events.push(event);
    expect(events).toEqual([1]);
    expect(reasons).toMatchObject([{ message: expect.stringContaining('sent nothing for 15 ms') }]);
  });

  it('stays connected while comments arrive', async () => {
    await connected(async (client) => {
      const events = client.idle({});
      const pending = events.next();
      // Longer than the client waits for a comment, which is 150 ms: no event tells that nothing happens.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await events.return();
      await pending;
      expect(control.connections).toBe(1);
    });
  });

  it('waits no longer than timeoutMs for the stream to open', async () => {
    const client = new (module().FwRpcClient)('/x', { fetch: () => new Promise(() => {}) });
    await expect(client.idle({}, { timeoutMs: 5 }).next()).rejects.toMatchObject({ name: 'TimeoutError' });
    await connected(async (client) => {
      // A machine may be busy for longer, until the stream is open.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const events = client.changes({}, { timeoutMs: 50 });
        await events.next();
        const pending = events.next();
        vi.advanceTimersByTime(80);
        await events.return();
        expect(await pending).toEqual({ done: true, value: undefined });
      } finally {
        vi.useRealTimers();
      }
    });
  });

  it.each<[string, object, string]>([
    ['its time is over', { timeoutMs: 5 }, 'no answer within 5 ms'],
    ['its signal aborts', {}, 'enough'],
  ])('ends when %s while a function makes its header fields', async (_name, limits, message) => {
    const controller = new AbortController();
    const headers = () => {
      if (message === 'enough') setImmediate(() => controller.abort(new Error(message)));
      return new Promise(() => {});
    };
    const client = new (module().FwRpcClient)('/x', { fetch: () => expect.fail('it was sent'), headers });
    const { signal } = controller;
    await expect(client.idle({}, { ...limits, signal }).next()).rejects.toThrow(message);
  });

  it('sends nothing if it was left while a function made its header fields', async () => {
    const fetch = vi.fn(() => new Promise(() => {}));
    const headers = vi.fn();
    const made = new Promise<object>((resolve) => {
      headers.mockImplementation(() => {
        resolve({});
        return new Promise((give) => setImmediate(give, {}));
      });
    });
    const events = new (module().FwRpcClient)('/x', { fetch, headers }).idle({});
    const pending = events.next();
    await made;
    await events.return();
    expect(await pending).toEqual({ done: true, value: undefined });
    // The function has returned since then.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('ends a stream that a fetch without signals opens after it was left', async () => {
    const cancel = vi.fn();
    let give = (_response: Response): void => {};
    const fetch = vi.fn(() => new Promise<Response>((resolve) => (give = resolve)));
    const events = new (module().FwRpcClient)('/x', { fetch }).idle({});
    const pending = events.next();
    await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
    await events.return();
    await pending;
    give(new Response(new ReadableStream({ cancel }), { headers: { 'Content-Type': 'text/event-stream' } }));
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1));
  });

  it.each([
    ['an event, that arrives with the beginning', (ready: string) => [`${ready}data: 1\n\n`]],
    ['a comment', (ready: string) => [ready, ': \n\n']],
  ])('counts its attempts anew after %s', async (_name, chunksAfter) => {
    let connections = 0;
    const answer = (chunks: readonly string[]) => {
      const encoded = chunks.map((chunk) => new TextEncoder().encode(chunk));
      return new Response(ReadableStream.from(encoded), { headers: { 'Content-Type': 'text/event-stream' } });
    };
    const ready = 'event: ready\ndata: {"heartbeatMs":15000}\n\n';
    const fetch = async () => {
      connections += 1;
      return answer(connections > 3 ? [`${ready}event: done\ndata: \n\n`] : chunksAfter(ready));
    };
    const reconnect = { ...fast, maxAttempts: 1 };
    for await (const _ of new (module().FwRpcClient)('/x', { fetch }).idle({}, { reconnect }));
    expect(connections).toBe(4);
    const alone = new (module().FwRpcClient)('/x', { fetch: async () => answer([ready]) });
    await expect(alone.idle({}, { reconnect }).next()).rejects.toThrow('was closed before');
  });

  it.each([
    FwError.requestTimeout('no'),
    FwError.tooManyRequests('no'),
    FwError.serviceUnavailable('no'),
    FwError.internal('no'),
  ])('goes on after a refusal that may pass: $status', async (refusal) => {
    await connected(async (client) => {
      const events = client.flaky({}, { reconnect: fast });
      await events.next();
      control.fails = [refusal];
      connections.at(-1)?.();
      expect(await events.next()).toEqual({ done: false, value: 2 });
      await events.return();
      expect(control.connections).toBe(3);
    });
  });

  it.each(['open', 'lost'])('fails with what its callback throws when it is %s', async (throwing) => {
    await connected(async (client) => {
      const onState = (state: string) => {
        if (state === throwing) throw new Error('the callback');
      };
      const events = client.flaky({}, { reconnect: fast, onState });
      if (throwing === 'lost') await events.next();
      connections.at(-1)?.();
      await expect(events.next()).rejects.toThrow('the callback');
      expect(control.connections).toBe(1);
    });
  });

  it('says that another answer is not a stream', async () => {
    const fetch = async () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });
    const client = new (module().FwRpcClient)('/x', { fetch });
    await expect(client.idle({}).next()).rejects.toThrow(
      /^\/x\S* answered '<!doctype html>'.*is the base URL right\?$/,
    );
  });

  it('has the status of an answer that is not a success, though it is a stream', async () => {
    const fetch = async () =>
      new Response('event: error\ndata: {}\n\n', {
        status: 403,
        headers: { 'Content-Type': 'text/event-stream' },
      });
    const client = new (module().FwRpcClient)('/x', { fetch });
    await expect(client.idle({}, { reconnect: fast }).next()).rejects.toMatchObject({ status: 403 });
  });

  it('leaves neither timers nor listeners behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { signal } = new AbortController();
    const listeners = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const added = vi.spyOn(EventTarget.prototype, 'addEventListener');
    const taken = vi.spyOn(EventTarget.prototype, 'removeEventListener');
    const frames = (text: string) => async () =>
      new Response(text, { headers: { 'Content-Type': 'text/event-stream' } });
    const ready = 'event: ready\ndata: {"heartbeatMs":15000}\n\ndata: 1\n\n';
    for (const text of [`${ready}event: done\ndata: \n\n`, ready]) {
      const client = new (module().FwRpcClient)('/x', { fetch: frames(text) });
      const loop = async () => {
        for await (const _ of client.idle({}, { signal, reconnect: false, timeoutMs: 1_000 }));
      };
      await loop().catch(() => {});
      expect(vi.getTimerCount()).toBe(0);
    }
    expect(listeners.mock.calls.length).toBe(2);
    expect(removed.mock.calls).toEqual(listeners.mock.calls);
    expect(leaves(added).length).toBe(2);
    expect(leaves(taken)).toEqual(leaves(added));
    vi.useRealTimers();
  });
});
