// OpenAPI: the document of an App.

import type { App } from '../../app/app.js';
import { checkValue } from '../../options/check.js';
import { objectWith } from '../../options/rules.js';
import { rememberOrigin } from '../../rpc/registry/spec-origin.js';
import type { OpenApiSpec } from '../openapi-spec.js';
import { type AppOpenApiOptions, openApiFromRoutes } from '../routes/openapi-from-routes.js';
import { isShown } from '../routes/shown-route.js';

export type { AppOpenApiOptions } from '../routes/openapi-from-routes.js';

const APP = objectWith(['routes'], 'an App');

/**
 * Makes an OpenAPI document of the routes that have a described path, or an extractor that describes itself, as
 * `Path`, `Query`, `Json` and `Valid` do. What a route answers, if it does not declare it, comes from the contract of
 * `fw generate`; without one, the route is shown with its errors.
 *
 * @throws ConfigError if it is not a contract, two routes have one `operationId`, a schema cannot be converted to JSON Schema, the schema
 * of a query is not an object, or two different types or security schemes have one name.
 */
export function openApiFromApp<Prefix extends string>(
  app: App<Prefix>,
  options: AppOpenApiOptions,
): OpenApiSpec {
  checkValue('openApiFromApp', 'the argument', app, APP);
  const spec = openApiFromRoutes(app.routes(), options, isShown);
  return rememberOrigin(spec, { from: 'app', app, contract: options.contract });
}
