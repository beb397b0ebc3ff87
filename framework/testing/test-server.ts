// Testing: serves an App on a free port.

import { ConfigError } from '../config-error.js';
import { checkValue } from '../options/check.js';
import { objectWith } from '../options/rules.js';
import { kindOf } from '../options/shown.js';
import type { RunningServer } from '../runtime/node/listen.js';
import { TestClient, type TestClientOptions } from './test-client.js';

/** The method of an App that a test server uses. */
export interface Listenable {
  listen(address: number): Promise<RunningServer>;
}

/** A listening server with a client for it. */
export interface TestServer extends RunningServer, AsyncDisposable {
  /** Sends requests to the server over HTTP. */
  readonly client: TestClient;
}

const APP = objectWith(['listen'], 'an App');

/**
 * Starts a server on a free port of 127.0.0.1. Close it at the end of the test, or declare it with `await using`.
 * `close()` closes the streams of its client, then waits up to `shutdownGracePeriod` for requests in flight.
 */
export async function startServer(app: Listenable, options?: TestClientOptions): Promise<TestServer> {
  checkValue('startServer', 'the argument', app, APP);
  const running = await app.listen(0);
  const client = new TestClient(running.url, options);
  const close = async () => {
    await client.close();
    await running.close();
  };
  return { ...running, client, close, [Symbol.asyncDispose]: close };
}

type Test<T> = (server: TestServer) => Promise<T> | T;

/** Runs the test with a server, which is closed afterwards, also if the test fails. */
export async function withServer<T>(app: Listenable, test: Test<T>): Promise<T>;
export async function withServer<T>(app: Listenable, options: TestClientOptions, test: Test<T>): Promise<T>;
/** @deprecated The test comes last: `withServer(app, options, test)`. */
export async function withServer<T>(
  app: Listenable,
  test: Test<T>,
  options: TestClientOptions | undefined,
): Promise<T>;
export async function withServer<T>(
  app: Listenable,
  first: Test<T> | TestClientOptions,
  second?: Test<T> | TestClientOptions,
): Promise<T> {
  const [test, options] = typeof first === 'function' ? [first, second] : [second, first];
  if (typeof test !== 'function' || typeof options === 'function') {
    throw new ConfigError('FW_OPTION_TYPE', `withServer: the test is ${kindOf(test)}; give a function`);
  }
  const server = await startServer(app, options);
  try {
    return await test(server);
  } finally {
    await server.close();
  }
}
