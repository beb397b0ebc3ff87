import diagnostics from 'node:diagnostics_channel';
import { format, inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app.js';
import { errorResponse } from '../error-response.js';
import { FwError } from '../errors.js';
import type { FwErrorEvent } from './error-channel.js';

const channel = diagnostics.channel('fw:error');
const boom = new Error('boom');

function failing(): App {
  return new App()
    .get('/boom/:id', () => {
      throw boom;
    })
    .get('/denied', () => {
      throw FwError.forbidden('no');
    })
    .get(
      '/stream/:id',
      () => new Response(new ReadableStream({ pull: (controller) => controller.error(boom) })),
    );
}

const ask = (app: App, path: string) => app.oneshot(new Request(`http://x${path}`));

describe('the error channel', () => {
  const events: FwErrorEvent[] = [];
  const collect = (event: unknown) => events.push(event as FwErrorEvent);

  afterEach(() => {
    channel.unsubscribe(collect);
    events.length = 0;
    vi.restoreAllMocks();
  });

  it('gets one event for a throw, and stderr stays quiet', async () => {
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => {});
    channel.subscribe(collect);
    await ask(failing(), '/boom/7?secret=1');
    expect(events).toEqual([{ error: boom, status: 500, method: 'GET', path: '/boom/7' }]);
    expect(stderr).not.toHaveBeenCalled();
  });

  it('gets client errors too', async () => {
    channel.subscribe(collect);
    await ask(failing(), '/denied');
    await ask(failing(), '/nope');
    expect(events.map((event) => event.status)).toEqual([403, 404]);
  });

  it('gets one event where a middleware made the response, none where it recovered', async () => {
    channel.subscribe(collect);
    const converting = failing().use((_ctx, next) => next().catch(errorResponse));
    await ask(converting, '/boom/1');
    expect(events).toHaveLength(1);
    const recovering = failing().use((ctx, next) => next().catch(() => ctx.text('fine')));
    await ask(recovering, '/boom/1');
    expect(events).toHaveLength(1);
  });

  it('gets an event for a stream that fails', async () => {
    channel.subscribe(collect);
    const response = await ask(failing(), '/stream/a%20b?x=1');
    await expect(response.text()).rejects.toThrow('the response stream failed');
    expect(events).toEqual([{ error: boom, status: 200, method: 'GET', path: '/stream/a b' }]);
  });

  it('gets both errors where onError fails', async () => {
    channel.subscribe(collect);
    const second = new Error('second');
    await ask(
      failing().onError(() => {
        throw second;
      }),
      '/boom/1',
    );
    expect(events.map((event) => event.error)).toEqual([boom, second]);
  });

  it('without subscribers, a 5xx goes to stderr with its error and a 4xx does not', async () => {
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => {});
    await ask(failing(), '/boom/7');
    await ask(failing(), '/denied');
    expect(stderr.mock.calls).toEqual([['GET /boom/7 → 500', boom]]);
  });

  it('without subscribers, an error that cannot be shown is told all the same, and answered', async () => {
    const lines: unknown[][] = [];
    vi.spyOn(console, 'error').mockImplementation((...args) => {
      lines.push([format(...args)]);
    });
    const odd = Object.assign(new Error('odd'), {
      [inspect.custom]() {
        throw new Error('not for showing');
      },
    });
    const app = new App().get('/odd', () => {
      throw odd;
    });
    expect((await ask(app, '/odd')).status).toBe(500);
    expect(lines).toEqual([['GET /odd → 500: what was thrown cannot be shown, because that throws too']]);
  });
});
