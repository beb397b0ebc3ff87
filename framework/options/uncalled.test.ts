import { describe, expect, it } from 'vitest';
import { apiKey } from '../auth/api-key/index.js';
import { App, requireAuth, requireScope } from '../index.js';
import { compression } from '../middleware/compression/index.js';
import {
  cors,
  logger,
  poweredBy,
  rateLimiter,
  requestId,
  securityHeaders,
  serverHeaders,
} from '../middleware/index.js';
import { session } from '../session/index.js';
import { TestClient } from '../testing/index.js';

// `app.use(cors)` instead of `app.use(cors())`: the function gets the context of a request instead of options.
describe('middleware that is given without a call', () => {
  it.each(
    Object.entries({
      apiKey,
      compression,
      cors,
      logger,
      poweredBy,
      rateLimiter,
      requestId,
      requireAuth,
      requireScope,
      securityHeaders,
      serverHeaders,
      session,
    }),
  )('%s says that it has to be called', async (name, make) => {
    let message = '';
    const app = new App().use(make as never).onError((error, ctx) => {
      message = (error as Error).message;
      return ctx.text('', 500);
    });
    const answer = await new TestClient(app.get('/', () => 'x')).get('/');
    answer.assertStatus(500);
    expect(message).toContain(`call it where you give it to use, as in use(${name}(…)), not use(${name})`);
  });
});
