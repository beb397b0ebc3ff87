// OpenAPI: the refusals of what stands around a route or a procedure, such as 401 of a guard.
import type { ExtractorDescription } from '../extract/description.js';
import type { OpenApiOperation } from './openapi-spec.js';
import type { OpenApiSchema } from './to-openapi.js';

type Describing = Pick<ExtractorDescription, 'errors'>;

/** The standard body of an error. */
const refused: OpenApiSchema = {
  type: 'object',
  properties: { error: { type: 'string' }, message: { type: 'string' } },
  required: ['error', 'message'],
};

/** The responses with which the parts refuse a request, by status. */
export function refusals(parts: readonly Describing[]): OpenApiOperation['responses'] {
  const content = { 'application/json': { schema: refused } };
  return Object.fromEntries(
    [...describedErrors(parts)].map(([status, description]) => [status, { description, content }]),
  );
}

/** The descriptions of each status, each once. */
export function describedErrors(parts: readonly Describing[]): Iterable<readonly [string, string]> {
  const found = new Map<string, string[]>();
  for (const { errors = {} } of parts) {
    for (const [status, text] of Object.entries(errors)) {
      const texts = found.get(status) ?? [];
      if (!texts.includes(text)) texts.push(text);
      found.set(status, texts);
    }
  }
  return [...found].map(([status, texts]) => [status, texts.join(' ')] as const);
}
