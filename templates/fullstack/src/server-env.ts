// The variables of whatever is deployed: where it listens, what it shares with other processes, what is seen of it.
import { isIP } from 'node:net';
import { z } from 'zod';

export const makeSecret = `make one: node -p "crypto.randomBytes(32).toString('base64url')"`;

export const whole = (least: number, most: number) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`);

export const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)),
      `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    );

export const words = (list: string): string[] => list.split(/[\s,]+/).filter((word) => word !== '');

/** An address, or a network such as 10.0.0.0/8. */
function isNetwork(word: string): boolean {
  const [address = '', bits = '0', ...rest] = word.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  return isIP(address) > 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const serverVariables = {
  DATABASE_URL: z
    .string()
    .regex(/^(?:file:|postgres:|postgresql:|:memory:$)/, 'must begin with file: or postgres:')
    .default('file:app.db'),
  REDIS_URL: url('redis', 'rediss').optional(),
  REDIS_PREFIX: z.string().default('app:'),
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(0, 65_535).default(3000),
  METRICS_PORT: whole(0, 65_535).optional(),
  WORKERS: whole(1, 128).default(1),
  DRAIN_SECONDS: whole(0, 300).default(0),
  LOG_LEVEL: z.enum(LEVELS, `must be ${LEVELS.slice(0, -1).join(', ')} or ${LEVELS.at(-1)}`).default('info'),
  SMTP_URL: url('smtp', 'smtps').optional(),
  MAIL_FROM: z.string().default('app@localhost'),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(words)
    .refine((list) => list.every(isNetwork), 'must be addresses or networks, such as 10.0.0.0/8'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('https', 'http').optional(),
  OTEL_SERVICE_NAME: z.string().default('app'),
};

/** Variables that need each other: the one to change, what is said, and what must hold of those that could be read. */
export type Rule<Given> = [
  name: keyof Given & string,
  message: string,
  holds: (given: Partial<Given>) => boolean,
];

type Server = z.output<z.ZodObject<typeof serverVariables>>;

export const serverRules: Rule<Server>[] = [
  [
    'MAIL_FROM',
    'is missing: the address that mails of SMTP_URL are from',
    ({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== 'app@localhost',
  ],
  [
    'WORKERS',
    'above 1 needs a DATABASE_URL of PostgreSQL: the embedded database belongs to one process',
    ({ WORKERS = 1, DATABASE_URL = '' }) => !(WORKERS > 1) || DATABASE_URL.startsWith('postgres'),
  ],
  [
    'WORKERS',
    'above 1 needs a REDIS_URL: limits and live updates are shared there',
    ({ WORKERS = 1, REDIS_URL }) => !(WORKERS > 1) || REDIS_URL !== undefined,
  ],
];

/** The variables with their rules, which are checked even if some variables are wrong: all faults are named at once. */
export function withRules<Shape extends z.ZodRawShape>(
  variables: z.ZodObject<Shape>,
  rules: readonly Rule<z.output<z.ZodObject<Shape>>>[],
): z.ZodObject<Shape> {
  return rules.reduce(
    (all, [name, error, holds]) =>
      all.refine((given) => holds(given as Partial<z.output<z.ZodObject<Shape>>>), {
        path: [name],
        error,
        when: () => true,
      }),
    variables,
  );
}
