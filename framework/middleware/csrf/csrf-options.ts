// CSRF: the options, their defaults and their checks.

import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import { Cookie, checkCookie, SameSite } from '../../http/cookie.js';
import { checkOptions } from '../../options/check.js';
import {
  anything,
  callback,
  either,
  filled,
  flag,
  headerName,
  listOf,
  matching,
  origin,
  type Rules,
  renamedTo,
  text,
} from '../../options/rules.js';
import { kindOf } from '../../options/shown.js';
import { synchronous } from '../../promises.js';
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
  allowedOrigins?: readonly string[];
  /** @deprecated Use `allowedOrigins`. */
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

const RULES: Rules<CsrfOptions> = {
  secret: anything,
  headerName,
  fieldName: filled,
  cookieName: text,
  secure: flag,
  allowedOrigins: listOf(origin),
  origins: renamedTo('allowedOrigins'),
  except: either(
    listOf(matching(/^(?:\/[^/?#*]+)+$/, "a path such as '/webhooks', which covers all paths below it")),
    callback('a function (ctx) => boolean'),
  ),
};

/** @throws ConfigError if an option is unknown or malformed. */
export function resolveCsrf(options: CsrfOptions): CsrfSettings {
  const given = checkOptions('csrf', options, RULES);
  const { headerName = 'X-CSRF-Token', fieldName = '_csrf', secure = true, allowedOrigins = [] } = given;
  const cookieName = given.cookieName ?? (secure ? '__Host-csrf' : 'csrf');
  const cookie = (token: string) =>
    new Cookie(cookieName, token).secure(secure).sameSite(SameSite.Lax).toString();
  checkCookie('csrf', () => cookie(''));
  return {
    signer: new TokenSigner(checkSecrets(given.secret)),
    headerName,
    fieldName,
    cookieName,
    secure,
    origins: new Set(allowedOrigins),
    isExempt: exemption(given.except ?? []),
    cookie,
  };
}

/** The message tells the length of a secret, never the secret. */
function checkSecrets(secret: unknown): readonly string[] {
  const secrets: unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0) throw noSecret('the list of secrets is empty');
  for (const one of secrets) {
    if (typeof one !== 'string') throw noSecret(`the secret is ${kindOf(one)}`);
    const bytes = Buffer.byteLength(one);
    if (bytes < FEWEST_SECRET_BYTES) {
      throw noSecret(bytes === 0 ? 'the secret is empty' : `the secret has only ${bytes} bytes`);
    }
  }
  return secrets as string[];
}

function noSecret(what: string): ConfigError {
  return new ConfigError(
    'FW_SECRET',
    `csrf: ${what}; at least ${FEWEST_SECRET_BYTES} random bytes are needed, the same in every process. Make one with: node -p "crypto.randomBytes(32).toString('base64url')"`,
  );
}

function exemption(except: readonly string[] | ((ctx: Context) => boolean)): (ctx: Context) => boolean {
  if (typeof except === 'function') {
    return (ctx) => synchronous(except(ctx), 'csrf: except must be synchronous; this one is not') === true;
  }
  return ({ req: { path } }) => except.some((one) => path === one || path.startsWith(`${one}/`));
}
