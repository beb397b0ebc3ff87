// The configuration: environment variables, read and checked once, at the start.
import { existsSync } from 'node:fs';
import { log } from 'fw/tracing';
import { z } from 'zod';

const makeSecret = `make one: node -p "crypto.randomBytes(32).toString('base64url')"`;

const whole = (least: number, most: number) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`);

/** The first secret signs, and all are accepted: to replace one, put the new one in front of it for a while. */
const Secrets = z
  .string(`is missing; ${makeSecret}`)
  .transform(words)
  .refine(
    (secrets) => secrets.length > 0 && secrets.every((secret) => Buffer.byteLength(secret) >= 32),
    `is shorter than 32 bytes; ${makeSecret}`,
  );

const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)),
      `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    );

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const Variables = z.object({
  JWT_SECRET: Secrets,
  CSRF_SECRET: Secrets,
  DATABASE_URL: z
    .string()
    .regex(/^(?:file:|postgres:|postgresql:|:memory:$)/, 'must begin with file: or postgres:')
    .default('file:app.db'),
  REDIS_URL: url('redis', 'rediss').optional(),
  REDIS_PREFIX: z.string().default('app:'),
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(0, 65_535).default(3000),
  PUBLIC_URL: url('https', 'http')
    .default('http://127.0.0.1:3000')
    .transform((text) => new URL(text)),
  METRICS_PORT: whole(0, 65_535).optional(),
  WORKERS: whole(1, 128).default(1),
  DRAIN_SECONDS: whole(0, 300).default(0),
  LOG_LEVEL: z.enum(LEVELS, `must be ${LEVELS.slice(0, -1).join(', ')} or ${LEVELS.at(-1)}`).default('info'),
  RATE_LIMIT: whole(1, 1_000_000).default(300),
  TRUSTED_PROXIES: z.string().default('').transform(words),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform(words)
    .refine(
      (origins) => origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
      'must be origins such as https://app.example.com, without a path',
    ),
  ADMINS: z
    .string()
    .default('')
    .transform(words)
    .refine(
      (ids) => z.array(z.uuid()).safeParse(ids).success,
      'must be ids of accounts, as GET /me has them',
    ),
  WEBHOOK_URL: url('https', 'http').optional(),
  WEBHOOK_SECRET: z
    .string()
    .refine((secret) => Buffer.byteLength(secret) >= 32, `is shorter than 32 bytes; ${makeSecret}`)
    .optional(),
  OIDC_ISSUER: url('https', 'http').optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('https', 'http').optional(),
  OTEL_SERVICE_NAME: z.string().default('app'),
});

export type Env = z.output<typeof Variables>;

/** Reads `.env` as `fw dev` does, and says so: variables that are set already keep their values. */
function loadEnvFile(): void {
  if (!existsSync('.env')) return;
  process.loadEnvFile('.env');
  if (process.env.NODE_ENV !== 'development') log.info('read .env');
}

/** The variables of the process; if they are not usable, logs why and exits. */
export function envOrExit(): Env {
  loadEnvFile();
  try {
    return readEnv(process.env);
  } catch (error) {
    // A line for each variable, and one for what to do.
    const lines = String(error instanceof Error ? error.message : error).split('\n');
    for (const line of lines) log.fatal(line.trim());
    process.exit(1);
  }
}

/**
 * Checks all variables at once.
 * @throws Error that names every wrong variable with its remedy, and no value: values may be secrets
 */
export function readEnv(variables: NodeJS.ProcessEnv): Env {
  // `PORT=` is the same as no PORT.
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const result = Variables.safeParse(given);
  const issues = result.error?.issues ?? [];
  const faults = [
    ...issues.map(({ path, message }) => `  ${path.join('.')} ${message}`),
    ...contradictions(given).map((fault) => `  ${fault}`),
  ];
  if (result.success && faults.length === 0) return result.data;
  throw new Error(`error: the app cannot start with this environment:
${faults.join('\n')}
help: set this in .env (.env.example has all variables), or in the environment of the process`);
}

/** What single variables cannot tell: variables that need each other. */
function contradictions(given: Readonly<Record<string, string | undefined>>): string[] {
  const { WORKERS, NODE_ENV, PUBLIC_URL = '', DATABASE_URL = '', REDIS_URL } = given;
  const several = WORKERS !== undefined && WORKERS !== '1';
  const local = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/.test(PUBLIC_URL);
  const faults: [boolean, string][] = [
    [
      several && !DATABASE_URL.startsWith('postgres'),
      'WORKERS above 1 needs a DATABASE_URL of PostgreSQL: the embedded database belongs to one process',
    ],
    [
      several && REDIS_URL === undefined,
      'WORKERS above 1 needs a REDIS_URL: sessions and limits are shared there',
    ],
    [
      NODE_ENV === 'production' && PUBLIC_URL.startsWith('http:') && !local,
      'PUBLIC_URL must begin with https:// in production: cookies of sessions are sent over HTTPS only',
    ],
    [
      given.WEBHOOK_URL !== undefined && given.WEBHOOK_SECRET === undefined,
      `WEBHOOK_SECRET is missing; ${makeSecret}`,
    ],
    [
      given.OIDC_ISSUER !== undefined && given.OIDC_CLIENT_ID === undefined,
      'OIDC_CLIENT_ID is missing; the provider has given it to this app',
    ],
  ];
  return faults.filter(([isFault]) => isFault).map(([, fault]) => fault);
}

function words(list: string): string[] {
  return list.split(/[\s,]+/).filter((word) => word !== '');
}
