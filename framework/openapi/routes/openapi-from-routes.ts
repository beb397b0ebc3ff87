// OpenAPI: describes routes by their described paths and extractors.

import { type RouteRequirement, requirementOf } from '../../app/routes/access.js';
import type { Route } from '../../app/routes/route-table.js';
import type { ExtractorDescription, SecuritySchemes } from '../../extract/description.js';
import { toolName } from '../../mcp/tools/tool-name.js';
import { checkOptions } from '../../options/check.js';
import { anything, filled, object, type Rules, required, text } from '../../options/rules.js';
import { urlTemplate } from '../../router/url-pattern.js';
import type { AnswerTypes, RouteTypes } from '../../rpc/contract/route-types.js';
import { openApiError } from '../openapi-error.js';
import {
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
  OpenApiSpec,
} from '../openapi-spec.js';
import { alternativesOf, SecurityCollector, securityOf } from '../security.js';
import type { OpenApiSchema } from '../to-openapi.js';
import { DocumentSchemas } from './document-schemas.js';
import { operationIds, summaryOf } from './operation-ids.js';
import { phrase, responses } from './responses.js';
import { RouteContract } from './route-contract.js';
import { routeNotes } from './route-notes.js';
import { hasComment, routeName, type ShownRoute } from './shown-route.js';

/** Options of `openApiFromApp`. */
export interface AppOpenApiOptions {
  /** Title of the API, for `info.title`. */
  readonly title: string;
  /** Version of the API, for `info.version`. */
  readonly version: string;
  /** What the API is for, for `info.description`. */
  readonly description?: string;
  /** Scheme and authority of the server; `http://127.0.0.1:3000` by default. */
  readonly origin?: string;
  /** Schemes that every route requires, because middleware checks them. */
  readonly security?: SecuritySchemes;
  /**
   * The contract file of `fw generate`: the answers of routes that declare none, and the comments of routes. Undefined
   * for a file that does not exist yet.
   */
  readonly contract?: unknown;
}

const RULES: Rules<AppOpenApiOptions> = {
  title: required(filled),
  version: required(filled),
  description: text,
  origin: filled,
  security: object('an object of security schemes'),
  contract: anything,
};

/** @throws ConfigError like `openApiFromApp` */
export function openApiFromRoutes(
  all: readonly Route[],
  options: AppOpenApiOptions,
  isIncluded: (route: Route, hasComment: boolean) => route is ShownRoute,
): OpenApiSpec {
  const given = checkOptions('openApiFromApp', options, RULES);
  const { title, version, description, origin = 'http://127.0.0.1:3000', security = {} } = given;
  const spec = new OpenApiSpec(title, version, description).addServer(origin);
  const contract = new RouteContract(given.contract);
  const inferred = new Map(all.map((route) => [route, contract.of(route)]));
  const routes = all.filter((route) => isIncluded(route, hasComment(inferred.get(route))));
  const schemas = new DocumentSchemas(contract.named);
  const schemes = new SecurityCollector();
  spec.addSecurity(schemes.add('every route', security));
  const ids = operationIds(routes);
  const templates = new Map<string, readonly string[]>();
  const operations = routes.map((route) =>
    operation(route, ids.get(route) ?? '', security, schemas, schemes, inferred.get(route)),
  );
  for (const [index, route] of routes.entries()) {
    const { method, pattern } = route;
    // To OpenAPI, `/users/:id` and `/users/:user` are the same path; the names of the first route are used.
    const template = urlTemplate(pattern.source, () => '');
    const known = templates.get(template) ?? pattern.names;
    templates.set(template, known);
    const declared = operations[index] as OpenApiOperation;
    const { answers } = inferred.get(route) ?? {};
    const described =
      answers === undefined
        ? declared
        : { ...declared, responses: withAnswers(declared.responses, answers, schemas) };
    const path = urlTemplate(pattern.source, (name, at) => known[at] ?? name);
    spec.addOperation(path, method, renamed(described, pattern.names, known));
  }
  const known = new Set(ids.values());
  for (const route of all) {
    const described = mcpOperation(route, known);
    if (described === undefined) continue;
    known.add(described.operationId ?? '');
    spec.addOperation(urlTemplate(route.pattern.source), 'POST', described);
  }
  for (const [name, schema] of schemas.components()) spec.addSchema(name, schema);
  for (const [name, scheme] of schemes.all()) spec.addSecurityScheme(name, scheme);
  return spec;
}

function renamed(
  operation: OpenApiOperation,
  names: readonly string[],
  known: readonly string[],
): OpenApiOperation {
  const parameters = operation.parameters?.map((one) =>
    one.in === 'path' ? { ...one, name: known[names.indexOf(one.name)] ?? one.name } : one,
  );
  return { ...operation, ...(parameters && { parameters }) };
}

type Responses = OpenApiOperation['responses'];

/** The responses with what is inferred in the place of the undeclared answer. */
function withAnswers(responses: Responses, answers: AnswerTypes, schemas: DocumentSchemas): Responses {
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

/** One route as an operation. */
function operation(
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

/**
 * For a route that answers the Model Context Protocol, whose document is the list of its tools. Undefined if it answers
 * something else.
 *
 * @param ids that operations have already
 */
function mcpOperation({ mcp }: Route, ids: ReadonlySet<string>): OpenApiOperation | undefined {
  if (mcp === undefined) return undefined;
  const tools = mcp.procedures.map(({ name }) => `\`${toolName(name)}\``).sort();
  const message = { schema: { type: 'object' } } as const;
  let operationId = 'mcp';
  for (let count = 2; ids.has(operationId); count++) operationId = `mcp${count}`;
  return {
    operationId,
    summary: 'Model Context Protocol',
    description: `For clients of models. Its method \`tools/list\` describes the tools: ${tools.join(', ')}.`,
    requestBody: { required: true, content: { 'application/json': message } },
    responses: {
      200: {
        description: 'The answer, or a stream that ends with it.',
        content: { 'application/json': message },
      },
      202: { description: 'A notification was taken.' },
    },
  };
}
