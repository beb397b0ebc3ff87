// CSRF: the options, their defaults and their checks.
import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import { Cookie, SameSite } from '../http/cookie.js';
import { FwHeaders } from '../http/headers.js';
import { TokenSigner } from './csrf-token.js';

/** Options of `csrf`. */
export interface CsrfOptions {
  /** Signs the tokens: at least 32 bytes, kept secret. In a list the first signs, and all are accepted. */
  secret: string | readonly string[];
  /** The header field that scripts send the token in; `X-CSRF-Token` by default. */
  headerName?: string;
  /** The field that forms send the token in; `_csrf` by default. */
  fieldName?: string;
  /** The name of the cookie; `__Host-csrf` by default, `csrf` with `secure: false`. */
  cookieName?: string;
  /** Whether the app is served over HTTPS; true by default. Turn it off only in development. */
  secure?: boolean;
  /** Other origins whose pages may send requests, such as `https://app.example`. They need a token too. */
  origins?: readonly string[];
  /**
   * What is not protected: paths with everything below them, such as `/webhooks`, or a function. Only what does not
   * rely on cookies, such as requests with a bearer token.
   */
  except?: readonly string[] | ((ctx: Context) => boolean);
}

/** The checked options. */
export interface CsrfSettings {
  readonly signer: TokenSigner;
  readonly headerName: string;
  readonly fieldName: string;
  readonly cookieName: string;
  readonly secure: boolean;
  readonly origins: ReadonlySet<string>;
  readonly isExempt: (ctx: Context) => boolean;
  cookie(token: string): string;
}

const FEWEST_SECRET_BYTES = 32;

/** @throws ConfigError when an option is malformed. */
export function resolveCsrf(options: CsrfOptions): CsrfSettings {
  const { headerName = 'X-CSRF-Token', fieldName = '_csrf', secure = true, origins = [] } = options;
  const cookieName = options.cookieName ?? (secure ? '__Host-csrf' : 'csrf');
  const cookie = (token: string) =>
    new Cookie(cookieName, token).secure(secure).sameSite(SameSite.Lax).toString();
  try {
    new FwHeaders().set(headerName, '');
    cookie('');
  } catch (error) {
    throw wrong((error as Error).message);
  }
  if (fieldName === '') throw wrong("the fieldName is empty; give one such as '_csrf'");
  for (const origin of origins) checkOrigin(origin);
  return {
    signer: new TokenSigner(checkSecrets(options.secret)),
    headerName,
    fieldName,
    cookieName,
    secure,
    origins: new Set(origins),
    isExempt: exemption(options.except ?? []),
    cookie,
  };
}

/** The message tells the length of a secret, never the secret. */
function checkSecrets(secret: unknown): readonly string[] {
  const secrets: unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0) throw noSecret('the list of secrets is empty');
  for (const one of secrets) {
    if (typeof one !== 'string') throw noSecret(`the secret is ${one === null ? 'null' : typeof one}`);
    const bytes = Buffer.byteLength(one);
    if (bytes < FEWEST_SECRET_BYTES) {
      throw noSecret(bytes === 0 ? 'the secret is empty' : `the secret has only ${bytes} bytes`);
    }
  }
  return secrets as string[];
}

function noSecret(what: string): ConfigError {
  return wrong(
    `${what}; at least ${FEWEST_SECRET_BYTES} random bytes are needed, the same in every process. Make one with: node -p "crypto.randomBytes(32).toString('base64url')"`,
  );
}

/** Origins are compared as text, so an origin with a trailing slash would never match. */
function checkOrigin(origin: string): void {
  const parsed = URL.canParse(origin) ? new URL(origin).origin : undefined;
  if (parsed === origin && parsed !== 'null') return;
  const remedy = parsed === undefined || parsed === 'null' ? "it like 'https://app.example'" : `'${parsed}'`;
  throw wrong(`invalid origin ${JSON.stringify(origin)}; write ${remedy}`);
}

function exemption(except: readonly string[] | ((ctx: Context) => boolean)): (ctx: Context) => boolean {
  if (typeof except === 'function') return (ctx) => except(ctx) === true;
  for (const path of except) {
    if (/^(?:\/[^/?#*]+)+$/.test(path)) continue;
    throw wrong(
      `invalid path ${JSON.stringify(path)} in except; write it like '/webhooks', which covers all paths below it`,
    );
  }
  return ({ req: { path } }) => except.some((one) => path === one || path.startsWith(`${one}/`));
}

function wrong(what: string): ConfigError {
  return new ConfigError('FW_OPTION', `csrf: ${what}`);
}
