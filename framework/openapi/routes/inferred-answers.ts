// OpenAPI: the answers of routes that declare none, from the types that `fw generate` inferred.

import type { AnswerTypes } from '../../rpc/contract/route-types.js';
import type { OpenApiOperation, OpenApiResponse } from '../openapi-spec.js';
import type { OpenApiSchema } from '../to-openapi.js';
import type { DocumentSchemas } from './document-schemas.js';
import { phrase } from './responses.js';

type Responses = OpenApiOperation['responses'];

/** The responses with what is inferred in the place of the undeclared answer. */
export function withAnswers(responses: Responses, answers: AnswerTypes, schemas: DocumentSchemas): Responses {
  const { '2XX': undeclared, ...declared } = responses;
  if (undeclared === undefined) return responses;
  const inferred = Object.entries(answers).map(([status, bodies]): [string, OpenApiResponse] => [
    status,
    { description: declared[status]?.description ?? describe(status), ...contentOf(bodies, schemas) },
  ]);
  return {
    ...declared,
    ...Object.fromEntries(inferred),
    ...(declared.default && { default: declared.default }),
  };
}

function describe(status: string): string {
  return status === '2XX' ? 'An answer whose status is chosen by the handler.' : phrase(Number(status));
}

function contentOf(bodies: AnswerTypes[string], schemas: DocumentSchemas): Pick<OpenApiResponse, 'content'> {
  const content = Object.entries(bodies).map(([media, type]): [string, { schema: OpenApiSchema }] => [
    media,
    {
      schema:
        media === 'application/octet-stream' ? { type: 'string', format: 'binary' } : schemas.inferred(type),
    },
  ]);
  return content.length === 0 ? {} : { content: Object.fromEntries(content) };
}
