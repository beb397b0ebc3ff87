// OpenAPI: the body of a call with files.

import type { OpenApiContent } from './openapi-spec.js';
import type { OpenApiSchema } from './to-openapi.js';

/** @param json the schema of the JSON, in which null stands for each file */
export function formContent(json: OpenApiSchema): OpenApiContent {
  const schema: OpenApiSchema = {
    type: 'object',
    description: "A call with files; it needs the header field 'X-Fw-Upload: 1'.",
    properties: {
      json,
      files: {
        type: 'array',
        items: { type: 'string' },
        description: 'JSON Pointers (RFC 6901) to the places of the files, where `json` has null.',
      },
    },
    required: ['json', 'files'],
    additionalProperties: {
      type: 'string',
      format: 'binary',
      description: 'The files, named `0`, `1` and so on in the order of `files`.',
    },
  };
  return { 'multipart/form-data': { schema } };
}
