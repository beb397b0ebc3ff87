// The configuration: environment variables, read and checked once, at the start.
import { existsSync } from 'node:fs';
import { log } from 'fw/tracing';
import { z } from 'zod';

const makeSecret = `make one: node -p "crypto.randomBytes(32).toString('base64url')"`;

const Port = z.coerce.number('must be a number').int('must be a whole number').min(0).max(65_535);

const Variables = z.object({
  CSRF_SECRET: z
    .string(`is missing; ${makeSecret}`)
    .refine((secret) => Buffer.byteLength(secret) >= 32, `is shorter than 32 bytes; ${makeSecret}`),
  PUBLIC_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be the address that browsers use, such as https://app.example',
    })
    .transform((url) => new URL(url)),
  DATABASE_URL: z
    .string()
    .regex(/^(?:file:|postgres:|postgresql:|:memory:$)/, 'must begin with file: or postgres:')
    .default('file:app.db'),
  HOST: z.string().default('127.0.0.1'),
  PORT: Port.default(3000),
  RATE_LIMIT: z.coerce.number('must be a number').int().min(1, 'must be at least 1').default(1000),
  TRUSTED_PROXIES: z.string().default('').transform(words),
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
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `  ${path.join('.')} ${message}`);
  throw new Error(`error: the app cannot start with this environment:
${faults.join('\n')}
help: set this in .env (.env.example has all variables), or in the environment of the process`);
}

function words(list: string): string[] {
  return list.split(/[\s,]+/).filter((word) => word !== '');
}
