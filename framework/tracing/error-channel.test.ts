import diagnostics from 'node:diagnostics_channel';
import { format, inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { errorResponse } from '../dispatch/error-response.js';
import { FwError } from '../http/errors.js';
import { type FwErrorEvent, reportError } from './error-channel.js';

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
    .get('/stream/:id', () => new Response(ReadableStream.from(half())));
}

async function* half(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1);
  throw boom;
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

  it('publishes one event for a thrown error, without output on stderr', async () => {
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => {});
    channel.subscribe(collect);
    await ask(failing(), '/boom/7?secret=1');
    expect(events).toEqual([{ error: boom, status: 500, method: 'GET', path: '/boom/7' }]);
    expect(stderr).not.toHaveBeenCalled();
  });

  it('also publishes client errors', async () => {
    channel.subscribe(collect);
    await ask(failing(), '/denied');
    await ask(failing(), '/nope');
    expect(events.map((event) => event.status)).toEqual([403, 404]);
  });

  it('publishes one event if middleware made the error response, and none if middleware recovered', async () => {
    channel.subscribe(collect);
    const converting = failing().use((_ctx, next) => next().catch(errorResponse));
    await ask(converting, '/boom/1');
    expect(events).toHaveLength(1);
    const recovering = failing().use((ctx, next) => next().catch(() => ctx.text('fine')));
    await ask(recovering, '/boom/1');
    expect(events).toHaveLength(1);
  });

  it('publishes an event for a stream that fails', async () => {
    channel.subscribe(collect);
    const response = await ask(failing(), '/stream/a%20b?x=1');
    await expect(response.text()).rejects.toThrow('the response stream failed');
    expect(events).toEqual([{ error: boom, status: 200, isCut: true, method: 'GET', path: '/stream/a b' }]);
  });

  it('publishes both errors if onError fails', async () => {
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

  it('without subscribers, a 5xx is written to stderr with its error, and a 4xx is not', async () => {
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => {});
    await ask(failing(), '/boom/7');
    await ask(failing(), '/denied');
    expect(stderr.mock.calls).toEqual([[expect.stringMatching(/^GET \/boom\/7 → 500 Error: boom\n {4}at /)]]);
  });

  it('without subscribers, neither a path nor a message can forge a line or control the terminal', async () => {
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = new App().get('/boom/:id', (ctx) => {
      const id = ctx.req.param('id');
      const cause = new AggregateError([new Error(`one of ${id}`)], `because of ${id}`);
      throw Object.assign(new Error(`no ${id}`, { cause }), { id });
    });
    await ask(app, '/boom/%0aINFO%20forged%1b[2J%c2%9b2J%e2%80%ae%e2%80%a8');
    const [[text]] = stderr.mock.calls as [[string]];
    const shown = '\\x0aINFO forged\\x1b[2J\\x9b2J\\u202e\\u2028';
    expect(text.split('\n')[0]).toBe(`GET /boom/${shown} → 500 Error: no ${shown}`);
    for (const what of ['no', 'because of', 'one of']) expect(text).toContain(`Error: ${what} ${shown}`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters that must not be there.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/);
    expect(text).not.toMatch(/^\s*INFO/m);
  });

  it('without subscribers, the lines of an error with a custom inspect function are indented', async () => {
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = new App().get('/odd/:id', (ctx) => {
      const text = `odd ${ctx.req.param('id')}`;
      throw { [inspect.custom]: () => text };
    });
    await ask(app, '/odd/%0aINFO%20forged');
    expect(stderr.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^GET \/odd\/\\x0aINFO forged → 500 odd \n {4}INFO forged\n {4}at route GET \/odd\/:id \(.+\)$/,
        ),
      ],
    ]);
  });

  it('without subscribers, errors that cause each other are written', async () => {
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => {});
    const first = new Error('first');
    first.cause = new Error('second', { cause: first });
    const app = new App().get('/loop', () => {
      throw first;
    });
    await ask(app, '/loop');
    expect(stderr.mock.calls[0]?.[0]).toMatch(
      /Error: first[\s\S]*Error: second[\s\S]*\[cause\]: \[circular\]/,
    );
  });

  it('without subscribers, an error whose own code for showing it throws is reported and answered', async () => {
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
    expect(lines).toEqual([[expect.stringMatching(/^GET \/odd → 500 Error: odd\n {4}at /)]]);
  });
});

it('writes the stack if the runtime has no node:util', () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const builtin = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  reportError({ error: new Error('bad\u001b[2J'), status: 500, method: 'GET', path: '/' });
  reportError({ error: 'text\n', status: 500, method: 'GET', path: '/' });
  const [[first] = [], [second] = []] = printed.mock.calls;
  builtin.mockRestore();
  printed.mockRestore();
  expect(first).toMatch(/^GET \/ → 500 Error: bad\\x1b\[2J\n {4}at /);
  expect(second).toBe('GET / → 500 text\\x0a');
});
