// OAuth 2.0: tells clients of a resource server where to get a token (RFC 9728).
import type { Middleware } from '../../context/handlers.js';
import { answered } from '../../dispatch/error-response.js';
import { ContentType, FwResponse } from '../../http/response.js';
import { checkOptions } from '../../options/check.js';
import { filled, listOf, matching, type Rules, required } from '../../options/rules.js';

/** Options of `protectedResource`. */
export interface ProtectedResourceOptions {
  /**
   * The address that tokens are for, such as `https://api.example.com/mcp`: clients ask for tokens with it as their
   * audience (RFC 8707), and give them to nobody else.
   */
  readonly resource: string;
  /** The issuers whose tokens are taken, such as `https://login.example.com`. */
  readonly authorizationServers: readonly string[];
  /** The scopes that clients may ask for. */
  readonly scopes?: readonly string[];
  /** The name for people. */
  readonly name?: string;
  /** The address of a page for developers. */
  readonly documentation?: string;
}

const ADDRESS = matching(
  /^https?:\/\/[^\s"#?\\]+$/,
  "an address such as 'https://api.example.com/mcp', without query and fragment",
);

const RULES: Rules<ProtectedResourceOptions> = {
  resource: required(ADDRESS),
  authorizationServers: required(listOf(ADDRESS, 1)),
  scopes: listOf(filled),
  name: filled,
  documentation: ADDRESS,
};

/**
 * Middleware that tells clients how to get in: it answers `/.well-known/oauth-protected-resource` with the path of the
 * resource behind it (RFC 9728, section 3.1), and names that address in the challenges of 401 and 403 (section 5.1).
 * It authenticates nobody.
 *
 * ```ts
 * app.use(protectedResource({ resource: 'https://api.example.com/mcp', authorizationServers: [issuer] }))
 *   .use(Jwt.oidc(issuer).audience('https://api.example.com/mcp').build())
 *   .mountMcp('/mcp', rpc);
 * ```
 *
 * Give it to the App that listens, before what authenticates.
 *
 * @throws ConfigError if an option is missing or has another form
 */
export function protectedResource(options: ProtectedResourceOptions): Middleware {
  const { resource, authorizationServers, scopes, name, documentation } = checkOptions(
    'protectedResource',
    options,
    RULES,
  );
  const { origin, pathname } = new URL(resource);
  const path = `/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
  const document = JSON.stringify({
    resource,
    authorization_servers: authorizationServers,
    ...(scopes !== undefined && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    ...(name !== undefined && { resource_name: name }),
    ...(documentation !== undefined && { resource_documentation: documentation }),
  });
  const parameter = `resource_metadata="${origin}${path}"`;
  return async function protectedResource(ctx, next) {
    if (ctx.target.path === path && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
      const response = new FwResponse(document, 200, ContentType.json);
      // Clients in browsers may read it; it is the same for everybody.
      response.headers.set('Access-Control-Allow-Origin', '*');
      response.headers.set('Cache-Control', 'public, max-age=300');
      return response;
    }
    const response = await answered(ctx, next);
    const challenge = response.headers.get('WWW-Authenticate');
    if (response.status === 401 || (response.status === 403 && challenge !== undefined)) {
      response.headers.set('WWW-Authenticate', withParameter(challenge, parameter));
    }
    return response;
  };
}

/** A quoted text, or a scheme at the beginning of the list or behind a comma (RFC 9110, sections 5.6.4 and 11.6.1). */
const QUOTED_OR_BEARER = /"(?:[^"\\]|\\.)*"|(?<=^|,[ \t]?)Bearer(?: (?=[^,])|(?=,|$))/gi;

function withParameter(challenge: string | undefined, parameter: string): string {
  if (challenge === undefined) return `Bearer ${parameter}`;
  let isAdded = false;
  const named = challenge.replace(QUOTED_OR_BEARER, (found) => {
    if (isAdded || found.startsWith('"')) return found;
    isAdded = true;
    return `Bearer ${parameter}${found.endsWith(' ') ? ', ' : ''}`;
  });
  return isAdded ? named : `${challenge}, Bearer ${parameter}`;
}
