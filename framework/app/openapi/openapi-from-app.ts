// OpenAPI: describes the routes of an App by their described paths and extractors.
import type { SecuritySchemes } from '../../extract/description.js';
import { type OpenApiOperation, OpenApiSpec } from '../../rpc/openapi/openapi-spec.js';
import type { App } from '../app.js';
import { DocumentSchemas } from './document-schemas.js';
import { operation } from './operation.js';
import { operationIds } from './operation-ids.js';
import { SecurityCollector } from './security.js';
import { isShown } from './shown-route.js';

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
}

/**
 * Makes an OpenAPI document of the routes that have a described path, or an extractor that describes itself, as
 * `Path`, `Query`, `Json` and `Valid` do. A route that does not declare what it answers is shown with its errors.
 *
 * @throws ConfigError when two routes have one `operationId`, a schema cannot be converted to JSON Schema, the schema
 * of a query is not an object, or two different types or security schemes have one name.
 */
export function openApiFromApp<Prefix extends string>(
  app: App<Prefix>,
  options: AppOpenApiOptions,
): OpenApiSpec {
  const { title, version, description, origin = 'http://127.0.0.1:3000', security = {} } = options;
  const spec = new OpenApiSpec(title, version, description).addServer(origin);
  const routes = app.routes().filter(isShown);
  const schemas = new DocumentSchemas();
  const schemes = new SecurityCollector();
  spec.addSecurity(schemes.add('every route', security));
  const ids = operationIds(routes);
  const templates = new Map<string, readonly string[]>();
  for (const route of routes) {
    const { method, pattern } = route;
    const template = pattern.source.replace(PARAM, '*');
    const known = templates.get(template) ?? pattern.names;
    templates.set(template, known);
    const described = operation(route, ids.get(route) ?? '', security, schemas, schemes);
    spec.addOperation(withNames(pattern.source, known), method, renamed(described, pattern.names, known));
  }
  for (const [name, schema] of schemas.components()) spec.addSchema(name, schema);
  for (const [name, scheme] of schemes.all()) spec.addSecurityScheme(name, scheme);
  return spec;
}

const PARAM = /(?<=\/)[:*]([^/]+)/g;

/** To OpenAPI, `/users/:id` and `/users/:user` are the same path; the names of the first route are used. */
function withNames(pattern: string, names: readonly string[]): string {
  let index = 0;
  return pattern.replace(PARAM, () => `:${names[index++]}`);
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
