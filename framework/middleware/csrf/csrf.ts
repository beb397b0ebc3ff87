// Built-in middleware: protects against cross-site request forgery, with a signed double-submit cookie.
import type { Context } from '../../context/context.js';
import type { Middleware } from '../../context/handlers.js';
import { answered } from '../../dispatch/error-response.js';
import { onlyCookie } from '../../http/cookie.js';
import { asFwError, FwError } from '../../http/errors.js';
import { listsToken } from '../../http/field-list.js';
import type { FwHeaders } from '../../http/headers.js';
import { isLoopbackHost } from '../../http/request-target.js';
import { markSecrets, noteSecret } from '../../tracing/secrets.js';
import { type CsrfOptions, type CsrfSettings, resolveCsrf } from './csrf-options.js';
import { equal } from './csrf-token.js';

/** RFC 9110, section 9.2.1: methods that change nothing. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)[ \t]*(?:;|$)/i;

const tokens = new WeakMap<Context, RequestToken>();

/** The middleware `csrf`. */
export interface CsrfMiddleware extends Middleware {
  /** The cookie with the token, and the header field that scripts send it in. @internal */
  readonly csrfNames: { readonly cookie: string; readonly header: string };
}

/**
 * Protects every request that is not `GET`, `HEAD`, `OPTIONS` or `TRACE`, of any content type: it must carry the
 * token of the cookie, in a header field or a form field, and must not come from another site. Everything else is
 * answered 403. The token is bound to the session, if the middleware `session` runs before.
 *
 * ```ts
 * app.use(session(store)).use(csrf({ secret: process.env.CSRF_SECRET ?? '' }));
 * ```
 *
 * @throws ConfigError if an option is malformed, or the secret is empty or shorter than 32 bytes.
 */
export function csrf(options: CsrfOptions): CsrfMiddleware {
  const settings = resolveCsrf(options);
  const { cookieName: cookie, headerName: header } = settings;
  markSecrets({ in: 'header', name: header }, { in: 'field', name: settings.fieldName });
  const middleware: Middleware = async function csrf(ctx, next) {
    if (settings.isExempt(ctx)) return next();
    const hadSession = ctx.ownSession !== undefined;
    const token = new RequestToken(ctx, settings);
    tokens.set(ctx, token);
    const response = await answered(ctx, async () => {
      if (!SAFE.has(ctx.req.method)) await check(ctx, settings, token.current());
      return next();
    });
    if (!hadSession && ctx.ownSession !== undefined) {
      throw new Error(
        'csrf must run after session, whose id its tokens contain: call app.use(session(…)) first',
      );
    }
    token.send(response.headers);
    return response;
  };
  return Object.assign(middleware, { csrfNames: { cookie, header } });
}

/**
 * The token for the forms of a page: `<input type="hidden" name="_csrf" value="…">`. The response must not be
 * cached, and gets `Cache-Control: no-store`.
 *
 * @throws Error if the middleware `csrf` does not run here.
 */
export function csrfToken(ctx: Context): string {
  const token = tokens.get(ctx);
  if (token === undefined) throw new Error('csrfToken() needs app.use(csrf({ secret })), of fw/csrf, before');
  return token.forPage();
}

/** The token of one request: that of its cookie, or a new one if that is not valid for the session. */
class RequestToken {
  readonly #ctx: Context;
  readonly #settings: CsrfSettings;
  #token: string | undefined;
  #session: string;
  #isNew = false;
  #isInPage = false;

  constructor(ctx: Context, settings: CsrfSettings) {
    this.#ctx = ctx;
    this.#settings = settings;
    this.#session = ctx.ownSession?.id ?? '';
    const sent = onlyCookie(ctx.req.header('cookie'), settings.cookieName);
    const isValid = sent !== undefined && settings.signer.isValid(sent, this.#session);
    this.#token = isValid ? sent : undefined;
  }

  /** The token of the request; undefined if it is not valid. */
  current(): string | undefined {
    return this.#token;
  }

  forPage(): string {
    this.#isInPage = true;
    const token = this.#renewed();
    noteSecret(token);
    return token;
  }

  /** Gives the client a valid token, unless the response may be stored by caches. */
  send(headers: FwHeaders): void {
    if (!this.#isInPage && mayBeShared(headers)) return;
    const token = this.#renewed();
    if (this.#isNew) headers.append('Set-Cookie', this.#settings.cookie(token));
    if (this.#isNew || this.#isInPage) headers.set('Cache-Control', 'no-store');
  }

  /** The session may have begun or changed its id during the request. */
  #renewed(): string {
    const session = this.#ctx.ownSession?.id ?? '';
    if (this.#token === undefined || this.#session !== session) {
      this.#token = this.#settings.signer.make(session);
      this.#session = session;
      this.#isNew = true;
    }
    return this.#token;
  }
}

function mayBeShared(headers: FwHeaders): boolean {
  const control = headers.get('Cache-Control');
  return (
    control !== undefined && !['private', 'no-store', 'no-cache'].some((one) => listsToken(control, one))
  );
}

/** @throws FwError 403 */
async function check(ctx: Context, settings: CsrfSettings, token: string | undefined): Promise<void> {
  const reason = foreignReason(ctx, settings);
  if (reason !== undefined) throw FwError.forbidden(reason);
  const { headerName, fieldName, cookieName } = settings;
  // Before the body is read: a request without a valid cookie must not cost more.
  const sent =
    token === undefined ? undefined : (ctx.req.header(headerName) ?? (await formField(ctx, fieldName)));
  if (token !== undefined && sent !== undefined && equal(sent, token)) return;
  throw FwError.forbidden(
    `the CSRF token is missing or wrong: send the value of the cookie '${cookieName}' in the header field '${headerName}'`,
    // Clients can tell it from every other refusal: the request may be repeated with the new token.
    { headers: { [headerName]: 'required' } },
  );
}

async function formField(ctx: Context, name: string): Promise<string | undefined> {
  if (!FORM.test(ctx.req.header('content-type') ?? '')) return undefined;
  const value = await ctx.req.formData().then(
    (form) => form.get(name),
    (error: unknown) => {
      // A form that cannot be read has no token, and is answered like every request without one.
      if (asFwError(error)?.status === 400) return undefined;
      throw error;
    },
  );
  return typeof value === 'string' ? value : undefined;
}

/**
 * Why a request is refused by `Origin` and `Sec-Fetch-Site` (Fetch Metadata), which scripts cannot set; clients that
 * are not browsers send neither. Another subdomain counts as foreign, because it may be in other hands. So does
 * `Origin: null`, which browsers send for sandboxed frames, unless `Sec-Fetch-Site` says that the page is of this origin:
 * they also send it for the forms of a page with `Referrer-Policy: no-referrer` (Fetch, "append a request `Origin`
 * header").
 */
function foreignReason(ctx: Context, { origins, secure }: CsrfSettings): string | undefined {
  const origin = ctx.req.header('origin');
  if (origin !== undefined && origins.has(origin)) return undefined;
  const site = ctx.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return FOREIGN;
  if (origin === undefined || (origin === 'null' && site === 'same-origin')) return undefined;
  const { host } = ctx.req.uri;
  // A proxy that ends TLS makes the scheme of the request useless, so the option decides.
  if (origin === originOf('https', host)) return undefined;
  if (origin !== originOf('http', host)) return FOREIGN;
  return !secure || isLoopbackHost(host) ? undefined : PLAIN;
}

const FOREIGN = 'the request comes from a page of another site';
const PLAIN = 'the request comes from a page over plain HTTP, and the app expects HTTPS';

function originOf(scheme: string, host: string): string | undefined {
  const url = `${scheme}://${host}`;
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
