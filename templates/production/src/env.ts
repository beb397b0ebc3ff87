// The configuration: environment variables, read and checked once, at the start.
import { env, envOrExit as settingsOrExit } from 'fw/env';
import { z } from 'zod';
import { makeSecret, serverRules, serverVariables, url, whole, withRules, words } from './server-env.ts';

const variables = z.object({
  ...serverVariables,
  // The first secret signs, and all are accepted: to replace one, put the new one in front of it for a while.
  JWT_SECRET: z
    .string(`is missing; ${makeSecret}`)
    .transform(words)
    .refine(
      (secrets) => secrets.length > 0 && secrets.every((secret) => Buffer.byteLength(secret) >= 32),
      `is shorter than 32 bytes; ${makeSecret}`,
    ),
  DOCS: z.stringbool({ error: 'must be true or false' }).default(process.env.NODE_ENV === 'development'),
  RATE_LIMIT: whole(1, 1_000_000).default(300),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform(words)
    .refine(
      (origins) => origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
      'must be origins such as https://app.example.com, without a path',
    ),
  RESET_PAGE: z
    .url({ protocol: /^https?$/, error: 'must be the address of a page, such as https://app.example/reset' })
    .transform((page) => new URL(page))
    .optional(),
  WEBHOOK_URL: url('https', 'http').optional(),
  WEBHOOK_SECRET: z
    .string()
    .refine((secret) => Buffer.byteLength(secret) >= 32, `is shorter than 32 bytes; ${makeSecret}`)
    .optional(),
});

export type Env = z.output<typeof variables>;

const Variables = withRules(variables, [
  ...serverRules,
  [
    'WEBHOOK_SECRET',
    `is missing; ${makeSecret}`,
    ({ WEBHOOK_URL, WEBHOOK_SECRET }) => WEBHOOK_URL === undefined || WEBHOOK_SECRET !== undefined,
  ],
]);

/** Their values are hidden in the log and by `fw dev`. */
const secrets = ['SMTP_URL', 'JWT_SECRET', 'WEBHOOK_SECRET'] as const;

/** The variables of the process and of `.env`; if they are not usable, logs why and exits. */
export function envOrExit(): Env {
  return settingsOrExit(Variables, { secrets });
}

/** @throws ConfigError that names every wrong variable with its remedy, and no value: values may be secrets */
export function readEnv(variables: NodeJS.ProcessEnv): Env {
  return env(Variables, { secrets, variables });
}
