// The middleware of `fw` for the App that a waiting process runs: that of the packages which the app has loaded.
import type * as FwApiKey from '../../../../framework/auth/api-key/index.js';
import type * as FwJwt from '../../../../framework/auth/jwt/index.js';
import type * as FwCompression from '../../../../framework/compression/index.js';
import type * as FwCsrf from '../../../../framework/csrf/index.js';
import type { App } from '../../../../framework/index.js';
import type * as FwMiddleware from '../../../../framework/middleware/index.js';
import type * as FwSession from '../../../../framework/session/index.js';
import type { Load } from '../../../process/load-packages.js';

/** Nothing is signed with it that leaves the process. */
const secret = 'a secret of an App that answers itself only';

/**
 * By package, in the order in which apps use them. Without `requestId`, and without a refusal: both open a span, and
 * from the first one on Node 20 follows every promise of the process, which makes a boot slower than this makes it
 * faster.
 */
const uses: Readonly<Record<string, (app: App, load: Load) => Promise<unknown>>> = {
  async 'fw/middleware'(app, load) {
    const loading = load('fw/middleware') as Promise<typeof FwMiddleware>;
    const { cors, logger, rateLimiter, securityHeaders } = await loading;
    app
      .use(logger())
      .use(securityHeaders())
      .use(cors({ origin: [] }));
    app.use(rateLimiter({ max: 10, windowSeconds: 1 }));
  },
  async 'fw/compression'(app, load) {
    const { compression } = (await load('fw/compression')) as typeof FwCompression;
    app.use(compression());
  },
  async 'fw/session'(app, load) {
    const { MemoryStore, session } = (await load('fw/session')) as typeof FwSession;
    app.use(session(new MemoryStore(), { secure: false }));
  },
  async 'fw/csrf'(app, load) {
    const { csrf } = (await load('fw/csrf')) as typeof FwCsrf;
    app.use(csrf({ secret, secure: false, except: ({ req }) => req.method === 'POST' }));
  },
  async 'fw/jwt'(app, load) {
    const { Jwt } = (await load('fw/jwt')) as typeof FwJwt;
    app.use(Jwt.hs256(secret).optional().build());
  },
  async 'fw/api-key'(app, load) {
    const { apiKey } = (await load('fw/api-key')) as typeof FwApiKey;
    app.use(apiKey({ store: { validate: async () => undefined }, optional: true }));
  },
};

export async function useLoaded(app: App, load: Load, loaded: readonly string[]): Promise<void> {
  for (const [name, use] of Object.entries(uses)) {
    if (loaded.includes(name)) await use(app, load);
  }
}
