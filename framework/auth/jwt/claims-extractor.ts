// JWT: the extractor of the claims, parsed by a schema.

import type { Extractor } from '../../extract/extractor.js';
import { assertSchema } from '../../schema/check.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { REFUSED } from '../auth-method.js';

/**
 * Makes an extractor of the claims of the token, for routes behind `Jwt`: 401 without a valid token, or if the claims
 * do not fit the schema.
 *
 * ```ts
 * app.get('/me', Claims(z.object({ sub: z.string(), tenant: z.string() })), ({ tenant }) => tenant);
 * ```
 *
 * @throws ConfigError if it is not a schema
 */
export function Claims<T>(schema: StandardSchemaV1<unknown, T>): Extractor<T> {
  assertSchema('Claims()', schema);
  return {
    name: 'Claims',
    extract: (ctx) => ctx.jwt(schema),
    describes: { requires: {}, errors: { 401: REFUSED } },
  };
}
