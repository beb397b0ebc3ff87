// OpenAPI: one route as an operation.

import { type RouteRequirement, requirementOf } from '../../app/routes/access.js';
import type { ExtractorDescription, SecuritySchemes } from '../../extract/description.js';
import type { RouteTypes } from '../../rpc/contract/route-types.js';
import { openApiError } from '../openapi-error.js';
import type { OpenApiOperation, OpenApiParameter } from '../openapi-spec.js';
import { alternativesOf, type SecurityCollector, securityOf } from '../security.js';
import type { DocumentSchemas } from './document-schemas.js';
import { summaryOf } from './operation-ids.js';
import { responses } from './responses.js';
import { routeNotes } from './route-notes.js';
import { routeName, type ShownRoute } from './shown-route.js';

export function operation(
  route: ShownRoute,
  operationId: string,
  common: SecuritySchemes,
  schemas: DocumentSchemas,
  schemes: SecurityCollector,
  inferred?: RouteTypes,
): OpenApiOperation {
  const name = routeName(route);
  const { options, extractors } = route.description;
  const { tags } = options;
  const parameters = parametersOf(route, schemas);
  const requestBody = requestBodyOf(name, extractors, schemas);
  const required = requirementOf(route);
  const security = securityOf(name, groupsOf(route, required), common, schemes);
  return {
    operationId,
    summary: summaryOf(operationId),
    ...routeNotes(options, inferred),
    ...(tags !== undefined && { tags: [...tags] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responses(route, required.errors, schemas),
    ...(security !== undefined && { security }),
  };
}

/** All that extractors check, with one of those by which the middleware around the route authenticates. */
function groupsOf(route: ShownRoute, { isRequired, alternatives }: RouteRequirement): SecuritySchemes[][] {
  const { extractors, options } = route.description;
  const checked = [...extractors.filter(({ authenticates }) => authenticates === undefined), options];
  const groups = checked.map(({ security }) => [...alternativesOf(security)]);
  // Who is not authenticated may call it too.
  const open = isRequired || alternatives.length === 0 ? [] : [{}];
  return [...groups, [...alternatives, ...open]];
}

function parametersOf(route: ShownRoute, schemas: DocumentSchemas): OpenApiParameter[] {
  const name = routeName(route);
  const found = new Map<string, OpenApiParameter>();
  for (const param of route.pattern.names) {
    found.set(`path ${param}`, { name: param, in: 'path', required: true, schema: { type: 'string' } });
  }
  for (const { path, query, headers } of route.description.extractors) {
    for (const [from, fields] of [
      ['path', path],
      ['query', query],
      ['header', headers],
    ] as const) {
      if (fields === undefined) continue;
      for (const field of schemas.fields(`the ${from} of ${name}`, fields, 'input')) {
        const key = `${from} ${from === 'header' ? field.name.toLowerCase() : field.name}`;
        // A field that no parameter of the pattern has is not read from the path.
        if (from === 'path' && !found.has(key)) continue;
        const { isRequired, ...rest } = field;
        found.set(key, { ...rest, in: from, required: from === 'path' || isRequired });
      }
    }
  }
  return [...found.values()];
}

function requestBodyOf(
  name: string,
  extractors: readonly ExtractorDescription[],
  schemas: DocumentSchemas,
): OpenApiOperation['requestBody'] {
  const bodies = extractors.flatMap(({ body, bodyType = 'application/json' }) =>
    body === undefined
      ? []
      : [{ type: bodyType, schema: schemas.schema(`the body of ${name}`, body, 'input') }],
  );
  if (bodies.length === 0) return undefined;
  const types = new Set(bodies.map(({ type }) => type));
  if (types.size > 1) {
    throw openApiError(
      'FW_OPENAPI_BODIES',
      `the extractors of ${name} read bodies of ${[...types].join(' and ')}; a request has one`,
    );
  }
  const [type = ''] = types;
  const [first] = bodies;
  const schema = bodies.length > 1 ? { allOf: bodies.map((one) => one.schema) } : (first?.schema ?? {});
  return { required: true, content: { [type]: { schema } } };
}
