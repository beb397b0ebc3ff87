// Sessions: the options, their defaults and their checks.

import { ConfigError } from '../config-error.js';
import { Cookie, checkCookie, SameSite } from '../http/cookie.js';
import { addRenamed, checkOptions, refuseMore } from '../options/check.js';
import { anything, flag, oneOf, type Rules, text, whole } from '../options/rules.js';
import { isPromise } from '../promises.js';
import { assertSchema } from '../schema/check.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';

/** Options of `session`. */
export interface SessionOptions<Schema extends StandardSchemaV1 = StandardSchemaV1> {
  /** Ends a session that was not used for this long, in milliseconds; 30 minutes by default. */
  idleMs?: number;
  /** Ends a session this long after it began or its user signed in, in milliseconds; 8 hours by default. */
  absoluteMs?: number;
  /** Whether browsers send the cookie over HTTPS only; true by default. Turn it off only in development. */
  secure?: boolean;
  /** When browsers send the cookie with requests from other sites; `Lax` by default. */
  sameSite?: SameSite;
  /** The name of the cookie; `__Host-sid` by default, `sid` with `secure: false`. */
  cookieName?: string;
  /** Keeps the cookie when the browser closes, until the absolute lifetime ends; off by default. */
  persistent?: boolean;
  /** The object of all values, each of which is optional: checks what is written and what is read. */
  schema?: Schema;
}

/** The options of `session` as a builder: `session(store, new SessionConfig().idleMs(900_000))`. */
export class SessionConfig<Schema extends StandardSchemaV1 = StandardSchemaV1> {
  static {
    addRenamed(SessionConfig, 'SessionConfig', { default: 'new SessionConfig()' });
  }

  #options: SessionOptions<Schema> = {};

  /** The defaults. @throws ConfigError if there is an argument */
  constructor(...none: readonly never[]) {
    refuseMore('new SessionConfig()', none, 'give options to session(store, options)');
  }

  /** Ends a session that was not used for this long, in milliseconds; 30 minutes by default. */
  idleMs(ms: number): SessionConfig<Schema> {
    return this.#with({ idleMs: ms });
  }

  /** Ends a session this long after it began or its user signed in, in milliseconds; 8 hours by default. */
  absoluteMs(ms: number): SessionConfig<Schema> {
    return this.#with({ absoluteMs: ms });
  }

  /** Whether browsers send the cookie over HTTPS only; true by default. Turn it off only in development. */
  secure(on: boolean): SessionConfig<Schema> {
    return this.#with({ secure: on });
  }

  /** When browsers send the cookie with requests from other sites; `Lax` by default. */
  sameSite(policy: SameSite): SessionConfig<Schema> {
    return this.#with({ sameSite: policy });
  }

  /** The name of the cookie; `__Host-sid` by default, `sid` with `secure(false)`. */
  cookieName(name: string): SessionConfig<Schema> {
    return this.#with({ cookieName: name });
  }

  /** Keeps the cookie when the browser closes, until the absolute lifetime ends; off by default. */
  persistent(on: boolean): SessionConfig<Schema> {
    return this.#with({ persistent: on });
  }

  /** The object of all values, each of which is optional: checks what is written and what is read. */
  schema<Other extends StandardSchemaV1>(schema: Other): SessionConfig<Other> {
    const { schema: _, ...others } = this.#options;
    const next = new SessionConfig<Other>();
    next.#options = { ...others, schema };
    return next;
  }

  /** The options as an object. `session` takes the builder too. */
  build(): SessionOptions<Schema> {
    return { ...this.#options };
  }

  #with(change: Partial<SessionOptions<Schema>>): SessionConfig<Schema> {
    const next = new SessionConfig<Schema>();
    next.#options = { ...this.#options, ...change };
    return next;
  }
}

/** The checked options. */
export interface SessionSettings {
  readonly idleMs: number;
  readonly absoluteMs: number;
  /** A use is recorded if the last recorded one is at least this old. */
  readonly touchMs: number;
  readonly cookieName: string;
  /** Whether the app is served over HTTPS. */
  readonly secure: boolean;
  readonly schema: StandardSchemaV1 | undefined;
  /** The cookie with the secret, which the browser keeps for so long if the cookie is persistent. */
  cookie(secret: string, lifetimeMs: number): string;
  /** The cookie that removes it. */
  readonly removal: string;
}

/** A use is recorded at most every 20th part of the idle time, and at most once per minute. */
const TOUCHES_PER_IDLE_TIME = 20;
const LONGEST_TOUCH_MS = 60_000;

const lifetime = whole(1, Number.MAX_SAFE_INTEGER, 'milliseconds');

const RULES: Rules<SessionOptions> = {
  idleMs: lifetime,
  absoluteMs: lifetime,
  secure: flag,
  sameSite: oneOf('Strict', 'Lax', 'None'),
  cookieName: text,
  persistent: flag,
  schema: anything,
};

/** @throws ConfigError if an option is unknown or malformed. */
export function resolveSession(config: SessionOptions | SessionConfig): SessionSettings {
  const given = config instanceof SessionConfig ? config.build() : config;
  const options = checkOptions<SessionOptions>('session', given, RULES);
  const { idleMs = 30 * 60_000, absoluteMs = 8 * 3_600_000, secure = true } = options;
  const { sameSite = SameSite.Lax, persistent = false, schema } = options;
  if (schema !== undefined) checkSchema(schema);
  const cookieName = options.cookieName ?? (secure ? '__Host-sid' : 'sid');
  const made = (value: string) =>
    new Cookie(cookieName, value).httpOnly(true).secure(secure).sameSite(sameSite);
  const removal = checkCookie('session', () => made('').maxAge(0).toString());
  return {
    idleMs,
    absoluteMs,
    touchMs: Math.min(idleMs / TOUCHES_PER_IDLE_TIME, LONGEST_TOUCH_MS),
    cookieName,
    secure,
    schema,
    cookie(secret, lifetimeMs) {
      const cookie = made(secret);
      return (persistent ? cookie.maxAge(Math.max(1, Math.ceil(lifetimeMs / 1000))) : cookie).toString();
    },
    removal,
  };
}

/** A new session has no values, and requests write single ones: an object without any must fit. */
function checkSchema(schema: StandardSchemaV1): void {
  assertSchema("session's option schema", schema);
  const result = schema['~standard'].validate({});
  if (isPromise(result)) {
    result.then(undefined, () => {});
    throw new ConfigError(
      'FW_SESSION_SCHEMA_ASYNC',
      'session: the schema is asynchronous; use one without such checks',
    );
  }
  if (result.issues === undefined) return;
  throw new ConfigError(
    'FW_SESSION_SCHEMA_EMPTY',
    `session: the schema refuses a new session, which has no values: ${result.issues[0]?.message}; make every key optional, with zod by .partial()`,
  );
}
