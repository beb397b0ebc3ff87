// The configuration: environment variables, read and checked once, at the start.
import { env, envOrExit as settingsOrExit } from 'fw/env';
import { z } from 'zod';
import { makeSecret, serverRules, serverVariables, whole, withRules } from './server-env.ts';

const variables = z.object({
  ...serverVariables,
  NODE_ENV: z.string().optional(),
  CSRF_SECRET: z
    .string(`is missing; ${makeSecret}`)
    .refine((secret) => Buffer.byteLength(secret) >= 32, `is shorter than 32 bytes; ${makeSecret}`),
  PUBLIC_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be the address that browsers use, such as https://app.example',
    })
    .transform((url) => new URL(url)),
  RATE_LIMIT: whole(1, 1_000_000).default(1000),
  OIDC_ISSUER: z.url({ protocol: /^https?$/, error: 'must be the URL of a provider' }).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().default('your organisation'),
});

export type Env = z.output<typeof variables>;

const Variables = withRules(variables, [
  ...serverRules,
  [
    'PUBLIC_URL',
    'must begin with https:// in production: cookies of sessions are sent over HTTPS only',
    ({ NODE_ENV, PUBLIC_URL }) =>
      NODE_ENV !== 'production' || PUBLIC_URL?.protocol !== 'http:' || isLocal(PUBLIC_URL),
  ],
  [
    'PUBLIC_URL',
    'must have no path: the page is served at the root of its host',
    ({ PUBLIC_URL }) => !(PUBLIC_URL instanceof URL) || PUBLIC_URL.pathname === '/',
  ],
  [
    'OIDC_CLIENT_ID',
    'is missing; the provider has given it to this app',
    ({ OIDC_ISSUER, OIDC_CLIENT_ID }) => OIDC_ISSUER === undefined || OIDC_CLIENT_ID !== undefined,
  ],
]);

/** Their values are hidden in the log and by `fw dev`. */
const secrets = ['SMTP_URL', 'CSRF_SECRET', 'OIDC_CLIENT_SECRET'] as const;

/** The variables of the process and of `.env`; if they are not usable, logs why and exits. */
export function envOrExit(): Env {
  return settingsOrExit(Variables, { secrets });
}

/** @throws ConfigError that names every wrong variable with its remedy, and no value: values may be secrets */
export function readEnv(variables: NodeJS.ProcessEnv): Env {
  return env(Variables, { secrets, variables });
}

function isLocal({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
