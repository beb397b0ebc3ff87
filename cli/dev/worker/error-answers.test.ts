// Which requests get a page, and which the stack: from what the framework offers.
import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { App } from '../../../framework/app/app.js';
import { TestClient } from '../../../framework/testing/test-client.js';
import { answerErrors, isNavigation } from './error-answers.js';
import { Recorder } from './recording/recorder.js';

describe('isNavigation', () => {
  it.each([
    [true, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }],
    [true, { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
    [true, { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    [false, { accept: 'text/html', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    [false, { accept: 'text/html', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    [false, { accept: '*/*' }],
    [false, { accept: 'application/json' }],
    [false, {}],
  ])('is %s for %o', (expected, headers) => {
    expect(isNavigation({ headers })).toBe(expected);
  });
});

describe('the response to an error', () => {
  const app = new App()
    .get('/crash', () => {
      throw new TypeError('broken');
    })
    .use(async (ctx, next) => {
      const response = await next().catch((error: unknown) => ctx.json({ mine: String(error) }, 500));
      return response;
    });
  const plain = new App().get('/crash', () => {
    throw new TypeError('broken');
  });

  /** Subscribes for the time of the work alone. */
  async function during<Result>(
    isStackShown: boolean,
    work: (recorder: Recorder) => Promise<Result>,
  ): Promise<Result> {
    const subscribe = vi.spyOn(diagnostics, 'subscribe');
    const recorder = new Recorder(() => {});
    answerErrors(recorder, '/app', isStackShown);
    const listener = subscribe.mock.calls.find(([name]) => name === 'fw:error-response')?.[1];
    subscribe.mockRestore();
    try {
      return await work(recorder);
    } finally {
      diagnostics.unsubscribe('fw:error-response', listener as () => void);
    }
  }

  it('has no stack without a connection of this machine, and none if the token is required', async () => {
    const ask = () => new TestClient(plain).get('/crash');
    for (const isStackShown of [true, false]) {
      const { json } = await during(isStackShown, async () => {
        const response = await ask();
        return { json: response.json<object>() };
      });
      expect(Object.keys(json)).toEqual(['error', 'message']);
    }
  });

  it('is left to the app where it answers by itself', async () => {
    const text = await during(true, async () => (await new TestClient(app).get('/crash')).text());
    expect(text).toContain('mine');
  });

  it('is a page only if the request is recorded', async () => {
    const headers = { accept: 'text/html' };
    await during(true, async (recorder) => {
      const unrecorded = await new TestClient(plain).get('/crash', { headers });
      expect(unrecorded.headers.get('content-type')).toBe('application/json');
      const request = { rawHeaders: [], headers: {}, method: 'GET', url: '/crash', socket: {} } as unknown;
      const response = { once: () => {}, write: () => {}, end: () => {} } as unknown;
      const recorded = await recorder.request(
        request as IncomingMessage,
        response as ServerResponse,
        undefined,
        () => new TestClient(plain).get('/crash', { headers }),
      );
      expect(recorded.status).toBe(500);
      expect(recorded.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(recorded.headers.get('content-security-policy')).toContain(
        "default-src 'none'; script-src 'self'",
      );
      expect(recorded.text()).toMatch(/<body data-request="[0-9a-f]{32}">\n {4}<pre>\{&quot;error&quot;/);
      expect(recorded.text()).not.toContain('broken');
    });
  });
});
