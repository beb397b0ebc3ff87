// OpenAPI: describes routes by their described paths and extractors.

import type { Route } from '../../app/routes/route-table.js';
import type { SecuritySchemes } from '../../extract/description.js';
import { checkOptions } from '../../options/check.js';
import { anything, filled, object, type Rules, required, text } from '../../options/rules.js';
import { urlTemplate } from '../../router/url-pattern.js';
import type { AnswerTypes } from '../../rpc/contract/route-types.js';
import { type OpenApiOperation, type OpenApiResponse, OpenApiSpec } from '../openapi-spec.js';
import { SecurityCollector } from '../security.js';
import type { OpenApiSchema } from '../to-openapi.js';
import { DocumentSchemas } from './document-schemas.js';
import { operation } from './operation.js';
import { operationIds } from './operation-ids.js';
import { phrase } from './responses.js';
import { RouteContract } from './route-contract.js';
import { hasComment, type ShownRoute } from './shown-route.js';

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
