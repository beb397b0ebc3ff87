// For tests: reads an event stream over a real socket, frame by frame.
import type { App } from '../app/app.js';

/** One response that stays open. */
export interface LiveEvents {
  readonly response: Response;
  /** The next frame, without the empty line at its end; undefined at the end of the stream. */
  frame(): Promise<string | undefined>;
  /** Closes the connection, as a client that leaves. */
  leave(): void;
}

/** Sends a request to a server of the app, which the caller closes. */
export async function liveEvents(url: string, init: RequestInit = {}): Promise<LiveEvents> {
  const controller = new AbortController();
  const response = await fetch(url, { ...init, signal: controller.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  return {
    response,
    async frame() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end !== -1) {
          const found = text.slice(0, end);
          text = text.slice(end + 2);
          return found;
        }
        const { done, value } = await reader.read();
        if (done) return undefined;
        text += decoder.decode(value, { stream: true });
      }
    },
    leave: () => controller.abort(),
  };
}

/** Serves the app on a free port while the test runs. */
export async function serving(app: App, test: (url: string) => Promise<void>): Promise<void> {
  const server = await app.listen(0);
  try {
    await test(server.url);
  } finally {
    await server.close();
  }
}
