// The built-in middleware with their defaults, in the order that the documentation recommends.
import helmet from 'helmet';
import { ApiKey, StaticKeys } from '../../framework/auth/api-key/index.js';
import { Jwt } from '../../framework/auth/jwt/index.js';
import type { Middleware } from '../../framework/index.js';
import { compression } from '../../framework/middleware/compression/index.js';
import { csrf } from '../../framework/middleware/csrf/index.js';
import {
  cors,
  fromConnect,
  IpFilter,
  logger,
  poweredBy,
  rateLimiter,
  requestId,
  securityHeaders,
  serverHeaders,
} from '../../framework/middleware/index.js';
import { MemoryStore, session } from '../../framework/session/index.js';

const secret = 'only for this test: 32 bytes at least';

export type BuiltIn =
  | 'requestId'
  | 'logger'
  | 'serverHeaders'
  | 'poweredBy'
  | 'ipFilter'
  | 'cors'
  | 'securityHeaders'
  | 'helmet'
  | 'compression'
  | 'rateLimiter'
  | 'session'
  | 'csrf'
  | 'jwt'
  | 'apiKey';

/** Makes each with its defaults; where an option is required, with the least that it takes. */
export const builtIns: Readonly<Record<BuiltIn, () => Middleware>> = {
  requestId: () => requestId(),
  logger: () => logger(),
  serverHeaders: () => serverHeaders('edge', false),
  poweredBy: () => poweredBy(),
  ipFilter: () => IpFilter.deny([]).build(),
  cors: () => cors(),
  securityHeaders: () => securityHeaders(),
  helmet: () => fromConnect(helmet()),
  compression: () => compression(),
  rateLimiter: () => rateLimiter(),
  session: () => session(new MemoryStore()),
  csrf: () => csrf({ secret }),
  jwt: () => Jwt.hs256(secret).optional().build(),
  apiKey: () => new ApiKey(new StaticKeys()).optional().build(),
};

export const builtInNames: readonly BuiltIn[] = Object.keys(builtIns) as BuiltIn[];

/** Those that read or write the same things of a response, and can be in either order. */
const entangled: readonly BuiltIn[] = ['cors', 'securityHeaders', 'helmet', 'compression', 'session', 'csrf'];

/**
 * In the recommended order, so that of each three of them every choice is in some stack: also the two without the
 * third, which may hide what they do to each other. Bits stand for `builtInNames`, the first one for the first name.
 */
const choices: readonly number[] = [
  0x22e2, 0x1d1b, 0x033c, 0x3dc4, 0x18e9, 0x2617, 0x33df, 0x1e20, 0x2898, 0x0567, 0x0789, 0x3876, 0x3131,
  0x0ece, 0x2b41, 0x34ae, 0x14d0, 0x0bb7, 0x180c, 0x277a, 0x3615,
];

/** Those choices, every pair of the entangled ones in the other order, and all of them in both. */
export const stacks: readonly (readonly BuiltIn[])[] = [
  ...choices.map(chosen),
  ...pairsOf(entangled.toReversed()).filter((pair) => pair.join() !== 'csrf,session'),
  builtInNames,
  // csrf refuses to run before session.
  [...builtInNames.filter((name) => name !== 'session' && name !== 'csrf').toReversed(), 'session', 'csrf'],
];

function chosen(bits: number): BuiltIn[] {
  const last = builtInNames.length - 1;
  return builtInNames.filter((_name, at) => ((bits >> (last - at)) & 1) === 1);
}

/** Of each three of them, those choices that are in no stack. */
export function missingChoices(): string[] {
  const missing: string[] = [];
  for (const [first, second] of pairsOf(builtInNames)) {
    for (const third of builtInNames.slice(builtInNames.indexOf(second as BuiltIn) + 1)) {
      const three = [first, second, third];
      const seen = new Set(
        stacks.map((stack) => three.map((name) => stack.includes(name as BuiltIn)).join()),
      );
      if (seen.size < 8) missing.push(three.join());
    }
  }
  return missing;
}

function pairsOf(list: readonly BuiltIn[]): BuiltIn[][] {
  return list.flatMap((first, at) => list.slice(at + 1).map((second) => [first, second]));
}
