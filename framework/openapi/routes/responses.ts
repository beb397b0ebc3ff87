// OpenAPI: what a route answers: the answers that it declares, its errors, and the form of all other errors.

import { errorBodyOf } from '../../app/routes/layers.js';
import type { ExtractorDescription } from '../../extract/description.js';
import type { ResponseDescription } from '../../extract/route.js';
import type { OpenApiOperation, OpenApiResponse } from '../openapi-spec.js';
import { describedErrors } from '../refusals.js';
import type { OpenApiSchema } from '../to-openapi.js';
import type { DocumentSchemas } from './document-schemas.js';
import { routeName, type ShownRoute } from './shown-route.js';

type Responses = OpenApiOperation['responses'];

/** Errors without a status of their own, such as 500, 408 by `requestTimeout` and 413 by `maxBodySize`. */
const OTHER_ERRORS = 'Any other error.';

/** @param around the errors of what runs around the route */
export function responses(
  route: ShownRoute,
  around: readonly Pick<ExtractorDescription, 'errors'>[],
  schemas: DocumentSchemas,
): Responses {
  const { answers, extractors, options } = route.description;
  const found: Record<string, OpenApiResponse> = {};
  for (const [status, answer] of answers ?? []) {
    found[status] = answered(route, status, answer, schemas);
  }
  if (answers === undefined) found['2XX'] = { description: 'The route does not declare its answer.' };
  const content = { 'application/json': { schema: errorSchema(route, schemas) } };
  for (const [status, description] of describedErrors([...around, ...extractors, options])) {
    // A body that the route declares for the status is the more precise one.
    found[status] ??= { description, content };
  }
  found.default = { description: OTHER_ERRORS, content };
  return found;
}

function answered(
  route: ShownRoute,
  status: number,
  answer: ResponseDescription,
  schemas: DocumentSchemas,
): OpenApiResponse {
  const { body, contentType, headers, description = phrase(status) } = answer;
  const what = `the ${status} of ${routeName(route)}`;
  const fields =
    headers === undefined ? [] : schemas.fields(`the header fields of ${what}`, headers, 'output');
  return {
    description,
    ...(fields.length > 0 && {
      headers: Object.fromEntries(
        fields.map(({ name, isRequired, ...field }) => [name, { ...field, required: isRequired }]),
      ),
    }),
    ...(body !== undefined && {
      content: { 'application/json': { schema: schemas.schema(what, body, 'output') } },
    }),
    ...(contentType !== undefined && {
      content: { [mediaType(contentType)]: { schema: textOrBytes(contentType) } },
    }),
  };
}

/** Without parameters, as the keys of `content` are written. */
function mediaType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trimEnd();
}

function textOrBytes(contentType: string): OpenApiSchema {
  return contentType.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}

const wireError: OpenApiSchema = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'The kind of the error, such as NotFound.' },
    message: { type: 'string' },
    issues: {
      type: 'array',
      description: 'The fields that validation rejected.',
      items: {
        type: 'object',
        properties: {
          path: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
          message: { type: 'string' },
        },
        required: ['path', 'message'],
      },
    },
  },
  required: ['error', 'message'],
};

/** The body of errors: that of the innermost `onError` around the route, or the standard one. */
function errorSchema(route: ShownRoute, schemas: DocumentSchemas): OpenApiSchema {
  const own = errorBodyOf(route.layers);
  if (own === undefined) return schemas.component('ErrorResponse', wireError);
  return own.returns === undefined ? {} : schemas.schema('the errors of onError', own.returns, 'output');
}

/** The reason phrases of RFC 9110, section 15, that a document needs most. */
const phrases: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  206: 'Partial Content',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
};

export function phrase(status: number): string {
  return phrases[status] ?? `Status ${status}`;
}
