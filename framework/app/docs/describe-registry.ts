// The page about an API: the procedures of a registry, and where they are mounted.
import { ConfigError } from '../../config-error.js';
import type { OpenApiObject } from '../../docs-page/serve-docs.js';
import type { MountedAccess } from '../../openapi/registry-openapi.js';
import { alternativesOf } from '../../openapi/security.js';
import { urlTemplate } from '../../router/url-pattern.js';
import type { ApiRegistry } from '../../rpc/api-description.js';
import type { RegistryDocuments } from '../../rpc/registry/registry-documents.js';
import { RpcMode } from '../../rpc/registry/rpc-mode.js';
import type { WireTypes } from '../../wire/wire-type.js';
import { type RouteRequirement, requirementOf, requirementOfAll } from '../routes/access.js';
import type { Route } from '../routes/route-table.js';
import type { SchemeNames } from './api-access.js';
import type { DocsOptions } from './docs-entry.js';

/** Where a registry is mounted. */
export interface Mount {
  readonly path: string;
  readonly routes: readonly Route[];
}

/** The registries that routes answer for, each once. */
export function registriesIn(routes: readonly Route[]): readonly RegistryDocuments[] {
  return [...new Set(routes.flatMap(({ rpc }) => (rpc === undefined ? [] : [rpc.registry])))];
}

/** Undefined if it is mounted nowhere. */
export function mountOf(registry: RegistryDocuments, routes: readonly Route[]): Mount | undefined {
  const mounted = routes.filter(({ rpc }) => rpc?.registry === registry);
  const [first] = mounted;
  if (first?.rpc === undefined) return undefined;
  const { source } = first.pattern;
  if (first.rpc.isShared) return { path: source, routes: [first] };
  const [procedure] = first.rpc.procedures;
  return { path: source.slice(0, -`/${procedure?.name ?? ''}`.length), routes: mounted };
}

export function describeRegistry(
  registry: RegistryDocuments,
  mount: Mount | undefined,
  schemes: SchemeNames,
): ApiRegistry {
  const { procedures } = registry.access();
  const access = procedures.map(
    ({ name, describes }) => [name, schemes.access(requirementIn(name, describes, mount))] as const,
  );
  return {
    mode: registry.mode,
    path: mount?.path ?? null,
    types: typesOf(registry),
    access: Object.fromEntries(access),
  };
}

/** Procedures whose types have a fault can be called all the same; the page says what is wrong. */
function typesOf(registry: RegistryDocuments): WireTypes {
  try {
    return registry.types();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const unknown = { kind: 'unknown', description: error.message } as const;
    const procedures = registry.access().procedures.map(({ name, kind }) => {
      return [name, { kind, input: unknown, output: unknown }] as const;
    });
    return { procedures: Object.fromEntries(procedures), named: {} };
  }
}

function requirementIn(
  name: string,
  describes: Parameters<typeof requirementOfAll>[0],
  mount: Mount | undefined,
): RouteRequirement {
  const route = mount?.routes.find(({ rpc }) => rpc?.procedures.some((one) => one.name === name));
  return route === undefined ? requirementOfAll(describes) : requirementOf(route, describes);
}

/** The document of a registry, with the whole paths under which it is mounted, and what is asked there. */
export function registryDocument(
  registry: RegistryDocuments,
  mount: Mount | undefined,
  { title = 'API', version = '1.0.0', description, security }: DocsOptions,
): OpenApiObject {
  const path = mount && urlTemplate(mount.path);
  const mounted = mount && mountedAccess(registry, mount);
  const origin = 'http://127.0.0.1:3000';
  const given = { title, version, basePath: '', origin, security: alternativesOf(security) };
  const spec = registry.openapi({ ...given, mounted });
  const { info, paths, ...rest } = spec.toJSON();
  const isRest = registry.mode === RpcMode.Rest;
  const placed = Object.entries(paths).map(([name, item]) => {
    return [isRest ? (path ?? '') + name : (path ?? '/rpc'), item] as const;
  });
  return {
    ...rest,
    info: { ...info, ...(description !== undefined && { description }) },
    paths: Object.fromEntries(placed),
  };
}

function mountedAccess(registry: RegistryDocuments, mount: Mount): MountedAccess {
  const { procedures } = registry.access();
  const [first] = mount.routes;
  return {
    procedures: new Map(
      procedures.map(({ name, describes }) => [name, requirementIn(name, describes, mount)]),
    ),
    route: first === undefined ? requirementOfAll([]) : requirementOf(first, []),
  };
}

/** Those paths of a document that was made of a registry that are not of the registry. */
export function otherPaths(
  registry: RegistryDocuments,
  made: OpenApiObject,
): Readonly<Record<string, unknown>> {
  const { paths } = registry.generateOpenapi('API', '1.0.0', '').toJSON();
  return without((made.paths ?? {}) as Readonly<Record<string, object>>, paths);
}

function without(
  all: Readonly<Record<string, object>>,
  own: Readonly<Record<string, object>>,
): Readonly<Record<string, unknown>> {
  const left = Object.entries(all).map(([path, item]) => {
    const known = Object.hasOwn(own, path) ? (own[path] ?? {}) : {};
    const entries = Object.entries(item).filter(([method]) => !Object.hasOwn(known, method));
    return [path, Object.fromEntries(entries)] as const;
  });
  return Object.fromEntries(left.filter(([, item]) => Object.keys(item).length > 0));
}
