// Testing: an App behind a real socket, on a port that is free.
import type { RunningServer } from '../node/listen.js';
import { TestClient, type TestClientOptions } from './test-client.js';

/** What a test server needs of an App. */
export interface Listenable {
  listen(address: number): Promise<RunningServer>;
}

/** A server that listens, and a client that talks to it over HTTP. */
export interface TestServer extends RunningServer, AsyncDisposable {
  readonly client: TestClient;
}

/**
 * Listens on a free port of 127.0.0.1. Close the server at the end of the test, or declare it with `await using`:
 * `close()` ends the streams of its client, then waits for requests in flight, up to `shutdownGracePeriod`.
 */
export async function startServer(app: Listenable, options?: TestClientOptions): Promise<TestServer> {
  const running = await app.listen(0);
  const client = new TestClient(running.url, options);
  const close = async () => {
    await client.close();
    await running.close();
  };
  return { ...running, client, close, [Symbol.asyncDispose]: close };
}

/** Runs the test with a server that is closed behind it, however the test ends. */
export async function withServer<T>(
  app: Listenable,
  test: (server: TestServer) => Promise<T> | T,
  options?: TestClientOptions,
): Promise<T> {
  const server = await startServer(app, options);
  try {
    return await test(server);
  } finally {
    await server.close();
  }
}
