// The page about an API: reads what it is about, once the App that listens knows all routes.

import { socketTypesOf, withInferredEvents } from '../../client/routes/socket-types-of.js';
import { ConfigError } from '../../config-error.js';
import { type DocsRoutes, docsRoutes, type OpenApiObject } from '../../docs-page/serve-docs.js';
import { DocumentSchemas } from '../../openapi/routes/document-schemas.js';
import { openApiFromRoutes } from '../../openapi/routes/openapi-from-routes.js';
import { operationIds } from '../../openapi/routes/operation-ids.js';
import { RouteContract } from '../../openapi/routes/route-contract.js';
import { type ShownSocket, shownSocket } from '../../openapi/routes/shown-route.js';
import { urlPattern } from '../../router/url-pattern.js';
import type { ApiDescription, ApiSocket } from '../../rpc/api-description.js';
import type { RpcRegistry } from '../../rpc/registry/registry.js';
import type { RegistryDocuments } from '../../rpc/registry/registry-documents.js';
import { originOf } from '../../rpc/registry/spec-origin.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import type { NamedTypes, WireType } from '../../wire/wire-type.js';
import type { App } from '../app.js';
import { requirementOf } from '../routes/access.js';
import type { Route } from '../routes/route-table.js';
import { accessOfRoutes, csrfOf, isListed, prefixOf, routesOf, SchemeNames } from './api-access.js';
import {
  describeRegistry,
  mountOf,
  otherPaths,
  registriesIn,
  registryDocument,
} from './describe-registry.js';
import type { DocsOptions, Served } from './docs-entry.js';
import { type DocsSource, NOT_SHOWN } from './docs-source.js';
import { mergedDocument } from './merged-document.js';

/** What the page is made of. */
interface Described {
  readonly document: OpenApiObject;
  readonly api: ApiDescription;
}

/** @throws ConfigError if the source is nothing that can be shown */
export function docsRoutesOf(source: DocsSource, options: DocsOptions, served: Served): DocsRoutes {
  const { document, api } = describe(source, options, served);
  return docsRoutes(document, api);
}

/** What the page about this App would show. @throws ConfigError if it cannot be described */
export function describeApp(app: App): ApiDescription {
  const served = { routes: app.routes(), contract: app.contract() };
  return fromApp(app, undefined, {}, served).api;
}

function describe(source: DocsSource, options: DocsOptions, served: Served): Described {
  if (isApp(source)) return fromApp(source, undefined, options, served);
  if (isRegistry(source)) return fromRegistry(source.documents, undefined, options, served);
  const document = JSON.parse('toJson' in source ? source.toJson() : JSON.stringify(source)) as OpenApiObject;
  if (typeof document?.openapi !== 'string' || typeof document.info?.title !== 'string') {
    throw new ConfigError('FW_DOCS_SOURCE', NOT_SHOWN);
  }
  const origin = originOf(source);
  if (origin?.from === 'app') return fromApp(origin.app as App, { document, ...origin }, options, served);
  if (origin?.from === 'registry') return fromRegistry(origin.registry, document, options, served);
  return { document, api: { ...nothing(), document, csrf: csrfOf(served.routes) } };
}

function nothing(): ApiDescription {
  return {
    document: {},
    registries: [],
    sockets: [],
    socketTypes: {},
    access: {},
    schemes: {},
    csrf: null,
    hasClient: false,
  };
}

function fromApp(
  app: App,
  made: { readonly document: OpenApiObject; readonly contract: unknown } | undefined,
  options: DocsOptions,
  served: Served,
): Described {
  const own = app.routes();
  const routes = routesOf(own, served.routes);
  const contract = made?.contract ?? served.contract;
  const document = made?.document ?? documentOf(routes, options, contract);
  const schemes = new SchemeNames();
  // A document that was made before the App was mounted has the paths inside of it.
  const prefix = made === undefined ? '' : prefixOf(own, routes);
  // First, so that the schemes of routes have the names that they have in the document.
  const access = accessOfRoutes(routes, prefix, schemes);
  const mounted = registriesIn(routes).map((registry) => ({ registry, mount: mountOf(registry, routes) }));
  const registries = mounted.map(({ registry, mount }) => describeRegistry(registry, mount, schemes));
  const { sockets, socketTypes } = describeSockets(routes, contract, schemes);
  // That of a made document stays as it was made; the page itself shows procedures apart from it.
  const others =
    made === undefined
      ? mounted.map(({ registry, mount }) => registryDocument(registry, mount, options))
      : [];
  return {
    document: mergedDocument(document, others),
    api: {
      document: withPrefix(document, prefix),
      registries,
      sockets,
      socketTypes,
      access,
      schemes: schemes.all(),
      csrf: csrfOf(routes),
      hasClient: true,
    },
  };
}

function documentOf(routes: readonly Route[], options: DocsOptions, contract: unknown): OpenApiObject {
  const { title = 'API', version = '1.0.0', description, security } = options;
  const spec = openApiFromRoutes(
    routes,
    {
      title,
      version,
      contract,
      ...(description !== undefined && { description }),
      ...(security !== undefined && { security }),
    },
    isListed,
  );
  return spec.toJSON() as unknown as OpenApiObject;
}

function fromRegistry(
  registry: RegistryDocuments,
  made: OpenApiObject | undefined,
  options: DocsOptions,
  { routes }: Served,
): Described {
  const schemes = new SchemeNames();
  const mount = mountOf(registry, routes);
  const document = made ?? registryDocument(registry, mount, options);
  const paths = made === undefined ? {} : otherPaths(registry, made);
  return {
    document,
    api: {
      ...nothing(),
      document: { ...document, paths },
      registries: [describeRegistry(registry, mount, schemes)],
      schemes: schemes.all(),
      csrf: csrfOf(routes),
    },
  };
}

function withPrefix(document: OpenApiObject, prefix: string): OpenApiObject {
  if (prefix === '') return document;
  return { ...document, servers: [{ url: urlPattern(prefix) }] };
}

function isApp(source: object): source is App {
  return (
    typeof (source as Partial<App>).routes === 'function' &&
    typeof (source as Partial<App>).accessList === 'function'
  );
}

function isRegistry(source: object): source is { readonly documents: RegistryDocuments } {
  const { generateOpenapi, documents } = source as Partial<RpcRegistry>;
  return typeof generateOpenapi === 'function' && typeof documents?.types === 'function';
}

/** The WebSockets of an App, also those whose messages are not events. */
function describeSockets(
  routes: readonly Route[],
  known: unknown,
  schemes: SchemeNames,
): { readonly sockets: readonly ApiSocket[]; readonly socketTypes: NamedTypes } {
  const contract = new RouteContract(known);
  const schemas = new ShownSchemas(contract.named);
  const shown = routes.flatMap(listedSocket);
  const ids = operationIds(shown);
  // Schemas have their names before inferred types do.
  const declared = shown.map((route) => ({
    route,
    inferred: contract.ofSocket(route),
    types: socketTypesOf(route, schemas, contract.ofSocket(route)),
  }));
  const sockets = declared.map(({ route, inferred, types }): ApiSocket => {
    const { tags } = route.description.options;
    return {
      types: { ...withInferredEvents(types, inferred, schemas), ...(tags !== undefined && { tags }) },
      clientName: shownSocket(route) === undefined ? null : (ids.get(route) ?? null),
      protocols: route.socket.protocols,
      access: schemes.access(requirementOf(route)),
    };
  });
  return { sockets, socketTypes: schemas.types() };
}

function listedSocket(route: Route): ShownSocket[] {
  const { description } = route;
  const socket = description?.socket;
  if (description === undefined || socket === undefined || description.options.hidden === true) return [];
  return [{ ...route, description, socket }];
}

/** A schema that no client could use is shown with the reason, because the page shows more than clients have. */
class ShownSchemas extends DocumentSchemas {
  override type(what: string, schema: StandardSchemaV1, side: 'input' | 'output'): WireType {
    try {
      return super.type(what, schema, side);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { kind: 'unknown', description: error.message };
    }
  }
}
