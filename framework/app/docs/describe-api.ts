// The page about an API: reads what it is about, once the App that listens knows all routes.
import { ConfigError } from '../../config-error.js';
import { type DocsRoutes, docsRoutes, type OpenApiObject } from '../../docs-page/serve-docs.js';
import { openApiFromRoutes } from '../../openapi/routes/openapi-from-routes.js';
import { urlPattern } from '../../router/url-pattern.js';
import type { ApiDescription } from '../../rpc/api-description.js';
import type { RpcRegistry } from '../../rpc/registry/registry.js';
import type { RegistryDocuments } from '../../rpc/registry/registry-documents.js';
import { originOf } from '../../rpc/registry/spec-origin.js';
import type { App } from '../app.js';
import type { Route } from '../routes/route-table.js';
import { accessOfRoutes, csrfOf, SchemeNames } from './api-access.js';
import {
  describeRegistry,
  mountOf,
  otherPaths,
  registriesIn,
  registryDocument,
} from './describe-registry.js';
import { describeSockets } from './describe-sockets.js';
import type { DocsOptions, Served } from './docs-entry.js';
import { type DocsSource, NOT_SHOWN } from './docs-source.js';
import { mergedDocument } from './merged-document.js';
import { isListed, prefixOf, routesOf } from './routes-of.js';

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
  const mounted = registriesIn(routes).map((registry) => ({ registry, mount: mountOf(registry, routes) }));
  const registries = mounted.map(({ registry, mount }) => describeRegistry(registry, mount, schemes));
  const { sockets, socketTypes } = describeSockets(routes, contract, schemes);
  // A document that was made before the App was mounted has the paths inside of it.
  const prefix = made === undefined ? '' : prefixOf(own, routes);
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
      access: accessOfRoutes(routes, prefix, schemes),
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
