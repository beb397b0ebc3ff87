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

/** Every pair in the recommended order, the entangled ones in the other too, and all of them. */
export const stacks: readonly (readonly BuiltIn[])[] = [
  ...pairsOf(builtInNames),
  ...pairsOf(entangled.toReversed()).filter((pair) => pair.join() !== 'csrf,session'),
  builtInNames,
  // csrf refuses to run before session.
  [...builtInNames.filter((name) => name !== 'session' && name !== 'csrf').toReversed(), 'session', 'csrf'],
];

function pairsOf(list: readonly BuiltIn[]): BuiltIn[][] {
  return list.flatMap((first, at) => list.slice(at + 1).map((second) => [first, second]));
}
