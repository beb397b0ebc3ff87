// Every case has the same response over the fetch path, fw's own server, and inside a foreign node:http server.
import { describe, expect, it } from 'vitest';
import type { Answer, Case } from './case.js';
import { bodies } from './cases/bodies.js';
import { builtIn } from './cases/built-in.js';
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
import { transports } from './transports.js';

const areas: Record<string, Case[]> = {
  routing,
  paths,
  results,
  middleware,
  mounting,
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
};

/** Mutation testing (.ci/mutation.ts) names the areas and the transport that test the mutated sources. */
const { FW_CONFORMANCE_AREAS: onlyAreas, FW_CONFORMANCE_TRANSPORT: onlyTransport } = process.env;
const chosenAreas = onlyAreas === undefined ? Object.keys(areas) : (JSON.parse(onlyAreas) as string[]);
const chosenTransports = Object.entries(transports).filter(
  ([name]) => onlyTransport === undefined || name === onlyTransport,
);

for (const area of chosenAreas) {
  const cases = areas[area];
  if (cases === undefined) throw new Error(`FW_CONFORMANCE_AREAS names '${area}', which is no area`);
  describe.each(chosenTransports)(`${area} over %s`, (transport, send) => {
    for (const one of cases) {
      it.skipIf(transport === 'fetch' && one.socketsOnly !== undefined)(one.name, async () => {
        check(one, await send(one.app(), one.request));
        await one.afterwards?.();
      });
    }
  });
}

function check(one: Case, answer: Answer): void {
  expect(answer.status, answer.body).toBe(one.status);
  if (typeof one.body === 'string') expect(answer.body).toBe(one.body);
  else if (one.body !== undefined) expect(JSON.parse(answer.body)).toEqual(one.body);
  for (const [name, value] of Object.entries(one.headers ?? {}))
    expect(answer.headers[name], name).toBe(value);
  if (one.cookies) expect(answer.cookies).toEqual(one.cookies);
}
