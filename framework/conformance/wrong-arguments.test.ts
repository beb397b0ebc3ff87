// Every public function, with arguments that are not what it takes: a ConfigError when it is called, and neither an error
// of JavaScript nor silence.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ConfigError, FwError } from '../index.js';
import { RateLimitKey } from '../middleware/index.js';
import { RpcRegistry } from '../rpc/index.js';
import { SessionConfig } from '../session/index.js';
import { app } from './public-calls/app.js';
import { auth } from './public-calls/auth.js';
import { type Call, type Wrong, wrong } from './public-calls/call.js';
import { inHandlers } from './public-calls/in-handlers.js';
import { live } from './public-calls/live.js';
import { middleware } from './public-calls/middleware.js';
import { registry } from './public-calls/registry.js';

beforeAll(() => {
  // Clients of Redis that were made in vain say so.
  vi.spyOn(console, 'error').mockReturnValue();
});
afterAll(() => {
  vi.restoreAllMocks();
});

async function thrownBy(call: (value: never) => unknown, value: unknown): Promise<unknown> {
  try {
    await call(value as never);
  } catch (error) {
    return error;
  }
  return undefined;
}

function cases(calls: readonly Call[]): readonly [string, Wrong, Call[1]][] {
  return calls.flatMap(([name, call, fine = []]) =>
    (Object.keys(wrong) as Wrong[])
      .filter((kind) => !fine.includes(kind))
      .map((kind): [string, Wrong, Call[1]] => [name, kind, call]),
  );
}

const calls = [...app, ...auth, ...middleware, ...registry, ...live];

describe('a wrong argument', () => {
  it.each(cases(calls))('%s refuses %s', async (_, kind, call) => {
    const error = await thrownBy(call, wrong[kind]);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).not.toMatch(/\[object|undefined is not|null is not/);
  });

  it.each(cases(inHandlers))('%s refuses %s with an Error that says why', async (_, kind, call) => {
    const error = await thrownBy(call, wrong[kind]);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(TypeError);
    expect(error).not.toBeInstanceOf(RangeError);
  });
});

/** Without arguments, made by others, called in handlers with their own checks, or tested with one that is. */
const OTHERS =
  `Claims ConfigError Context ContextMiddleware FuzzError FwError FwResponse InferenceError JsonRpcOutput
  MailError MemoryRateLimitStore RpcError SessionConfig SessionWatchers TestAnswer TestEvents TestResponse TestStream
  TestWebSocket UniqueViolation UniqueViolationError WebSocketConnection clientCapabilities csrfToken currentSpan errorResponse events eventTypes hashPassword inferTypes
  isCommonPassword isUniqueViolation MissedMessagesError localPath logger needsRehash poweredBy rateLimitState refusedWebSocket reportProgress requestInput requireAuth
  shutdownSignal tracked transaction verifyPassword withServer withSpan`.split(/\s+/);

it('of every public function is tested', async () => {
  const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    exports: Record<string, { default?: string }>;
  };
  // Generated code alone calls what is in `fw/client`, and does not compile with wrong arguments.
  const { './client': _, ...called } = exports;
  const entries = Object.values(called).flatMap(
    (entry) => entry.default?.match(/^\.\/dist\/framework\/(.*)\.js$/)?.[1] ?? [],
  );
  expect(entries.length).toBeGreaterThan(15);
  const tested = [...calls, ...inHandlers].map(([name]) => /^(?:new )?(\w+)/.exec(name)?.[1]);
  for (const entry of entries) {
    const members = Object.entries(
      (await import(/* @vite-ignore */ new URL(`../${entry}.ts`, import.meta.url).href)) as object,
    );
    const names = members.flatMap(([name, member]) => (typeof member === 'function' ? [name] : []));
    expect(names.filter((name) => !tested.includes(name) && !OTHERS.includes(name))).toEqual([]);
  }
});

describe('a member of the notation of the specification', () => {
  it.each<[() => unknown, string]>([
    [() => (SessionConfig as never as { default(): unknown }).default(), 'new SessionConfig()'],
    [() => (RpcRegistry as never as { newWithMode(): unknown }).newWithMode(), 'RpcRegistry.withMode('],
    [
      () => (FwError as never as { NotFound(text: string): unknown }).NotFound('x'),
      'write FwError.notFound(',
    ],
    [() => (RateLimitKey as never as { Global: unknown }).Global, 'write RateLimitKey.global'],
    [() => (RateLimitKey as never as { Header(name: string): unknown }).Header('X'), 'RateLimitKey.header('],
  ])('throws an error that names the one here: %s', (use, named) => {
    expect(use).toThrow(
      expect.objectContaining({ name: 'ConfigError', message: expect.stringContaining(named) }),
    );
  });
});
