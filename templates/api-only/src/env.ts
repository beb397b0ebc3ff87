// The configuration: environment variables, read and checked once, at the start.
import { isIP } from 'node:net';
import { env, envOrExit as settingsOrExit } from 'fw/env';
import { z } from 'zod';

const makeSecret = `make one: node -p "crypto.randomBytes(32).toString('base64url')"`;

const Port = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0, 'must be at least 0')
  .max(65_535, 'must be at most 65535');

const Variables = z
  .object({
    JWT_SECRET: z
      .string(`is missing; ${makeSecret}`)
      .refine((secret) => Buffer.byteLength(secret) >= 32, `is shorter than 32 bytes; ${makeSecret}`),
    DATABASE_URL: z
      .string()
      .regex(/^(?:file:|postgres:|postgresql:|:memory:$)/, 'must begin with file: or postgres:')
      .default('file:app.db'),
    DOCS: z.stringbool({ error: 'must be true or false' }).default(process.env.NODE_ENV === 'development'),
    HOST: z.string().default('127.0.0.1'),
    PORT: Port.default(3000),
    RATE_LIMIT: z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .default(300),
    RESET_PAGE: z
      .url({
        protocol: /^https?$/,
        error: 'must be the address of a page, such as https://app.example/reset',
      })
      .transform((url) => new URL(url))
      .optional(),
    SMTP_URL: z
      .url({ protocol: /^smtps?$/, error: 'must be a URL that begins with smtp:// or smtps://' })
      .optional(),
    MAIL_FROM: z.string().default('app@localhost'),
    TRUSTED_PROXIES: z
      .string()
      .default('')
      .transform(words)
      .refine((list) => list.every(isNetwork), 'must be addresses or networks, such as 10.0.0.0/8'),
  })
  .refine(({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== 'app@localhost', {
    path: ['MAIL_FROM'],
    error: 'is missing: the address that mails of SMTP_URL are from',
    // With other faults too, so that all are named at once.
    when: () => true,
  });

export type Env = z.output<typeof Variables>;

/** Their values are hidden in the log and by `fw dev`. */
const secrets = ['SMTP_URL', 'JWT_SECRET'] as const;

/** The variables of the process and of `.env`; if they are not usable, logs why and exits. */
export function envOrExit(): Env {
  return settingsOrExit(Variables, { secrets });
}

/** @throws ConfigError that names every wrong variable with its remedy, and no value: values may be secrets */
export function readEnv(variables: NodeJS.ProcessEnv): Env {
  return env(Variables, { secrets, variables });
}

function words(list: string): string[] {
  return list.split(/[\s,]+/).filter((word) => word !== '');
}

/** An address, or a network such as 10.0.0.0/8. */
function isNetwork(word: string): boolean {
  const [address = '', bits = '0', ...rest] = word.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  return isIP(address) > 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}
