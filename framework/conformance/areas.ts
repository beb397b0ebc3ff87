// Conformance: all cases, by area.
import type { Case } from './case.js';
import { absentParams } from './cases/absent-params.js';
import { bodies } from './cases/bodies.js';
import { builtIn } from './cases/built-in.js';
import { charsets } from './cases/charsets.js';
import { clientAddresses } from './cases/client-address.js';
import { compressed } from './cases/compression.js';
import { cookies } from './cases/cookies.js';
import { errors } from './cases/errors.js';
import { extractors } from './cases/extractors.js';
import { identity } from './cases/identity.js';
import { connectMiddleware, mountedHandlers } from './cases/interop.js';
import { limits } from './cases/limits.js';
import { middleware } from './cases/middleware.js';
import { mounting } from './cases/mounting.js';
import { multipart } from './cases/multipart.js';
import { refusedMultipart } from './cases/multipart-refused.js';
import { paths } from './cases/paths.js';
import { requestIds } from './cases/request-id.js';
import { results } from './cases/results.js';
import { routing } from './cases/routing.js';
import { jsonRpc, rest } from './cases/rpc.js';
import { singlePages } from './cases/single-pages.js';
import { staticFiles } from './cases/static.js';
import { precompressed, staticConditions } from './cases/static-conditions.js';
import { staticEscapes } from './cases/static-escapes.js';
import { staticRanges } from './cases/static-ranges.js';
import { streaming } from './cases/streaming.js';
import { subscriptions } from './cases/subscriptions.js';
import { timeouts } from './cases/timeouts.js';

export const areas: Readonly<Record<string, readonly Case[]>> = {
  routing,
  paths,
  results,
  middleware,
  mounting,
  charsets,
  'mounted fetch handlers': mountedHandlers,
  'Connect middleware': connectMiddleware,
  errors,
  cookies,
  bodies,
  multipart: [...multipart, ...refusedMultipart],
  extractors,
  streaming,
  'built-in middleware': builtIn,
  compression: compressed,
  'request ids': requestIds,
  identity,
  limits,
  'static files': [...staticFiles, ...staticRanges, ...staticConditions, ...precompressed, ...staticEscapes],
  'single pages': singlePages,
  'client addresses': clientAddresses,
  timeouts,
  subscriptions,
  'JSON-RPC': jsonRpc,
  'procedures as REST': rest,
  'calls without params': absentParams,
};
