// Authentication: several methods on one App, of which one has to succeed.
import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import { type AnyAuthMiddleware, type Attempt, type AuthMiddleware, authMiddleware } from './auth-method.js';

/**
 * Accepts a request that one of the methods authenticates, or that the session before them has authenticated. They
 * are tried in order; a method whose credentials are absent or wrong leaves the request to the next one. If none
 * succeeds, the answer is 401; if all of the methods are optional, the request passes.
 *
 * ```ts
 * app.use(authenticate(apiKey({ store }), Jwt.hs256(secret).build()));
 * ```
 *
 * @throws ConfigError if one of them does not authenticate
 */
export function authenticate(...methods: readonly AuthMiddleware[]): AuthMiddleware;
export function authenticate(...methods: readonly AnyAuthMiddleware[]): AnyAuthMiddleware;
export function authenticate(...methods: readonly AnyAuthMiddleware[]): AnyAuthMiddleware {
  for (const [index, one] of methods.entries()) {
    if (typeof (one as Partial<AuthMiddleware> | undefined)?.method?.attempt === 'function') continue;
    throw new ConfigError(
      'FW_AUTHENTICATE',
      `argument ${index + 1} of authenticate() does not authenticate; give middleware of fw/api-key, fw/jwt or fw/oidc, built by build()`,
    );
  }
  if (methods.length === 0)
    throw new ConfigError('FW_OPTION_EMPTY', 'authenticate() takes at least one method');
  const attempts = methods.map(({ method }) => method.attempt);
  return authMiddleware({
    name: 'authenticate',
    security: methods.flatMap(({ method }) => method.security),
    challenges: methods.flatMap(({ challenges }) => challenges),
    isOptional: methods.every(({ method }) => method.isOptional),
    acceptsEarlier: true,
    async attempt(ctx: Context): Promise<Attempt> {
      if (ctx.principal() !== undefined) return true;
      let refusal: Attempt;
      for (const attempt of attempts) {
        const found = await attempt(ctx);
        if (found === true) return true;
        refusal ??= found;
      }
      return refusal;
    },
  });
}
