// The ways that a TestClient reaches an App, for tests that go both.
import type { App } from '../index.js';
import { startServer, TestClient, type TestServer } from '../testing/index.js';

/** Runs a test in process and over a socket. */
export const ways: Record<string, (app: App, test: (client: TestClient) => Promise<void>) => Promise<void>> =
  {
    'in process': (app, test) => test(new TestClient(app)),
    'over HTTP': async (app, test) => {
      const server: TestServer = await startServer(app);
      try {
        await test(server.client);
      } finally {
        await server.close();
      }
    },
  };
