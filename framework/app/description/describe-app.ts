// Describes a sealed App: its routes, middleware, settings and procedures. Loaded only when a tool asks.
import type { Middleware } from '../../context/handlers.js';
import { placeOfStep } from '../../dispatch/recorded.js';
import type { AnyMiddleware } from '../../extract/context-middleware.js';
import { nameOf } from '../../extract/with-middleware.js';
import { toolName } from '../../mcp/tools/tool-name.js';
import { CONNECTION_TIMEOUTS } from '../../runtime/connection-timeouts.js';
import { requirementOf } from '../routes/access.js';
import type { Layers } from '../routes/layers.js';
import type { Route, RouteTable } from '../routes/route-table.js';
import type { Settings } from '../settings/settings.js';
import type {
  AppDescription,
  DescribedMiddleware,
  DescribedProcedure,
  DescribedRoute,
  DescribedSetting,
  DescribedStep,
} from './app-description.js';

export function describeApp(table: RouteTable, settings: Settings): AppDescription {
  const routes = table.list();
  return {
    routes: routes.map(describeRoute),
    middleware: describeMiddleware(table),
    settings: describeSettings(settings),
    procedures: routes.flatMap(describeProcedures),
  };
}

function describeRoute(route: Route): DescribedRoute {
  const { method, pattern, description, place } = route;
  const options = description?.options;
  return {
    method,
    path: pattern.source,
    handler: handlerName(route),
    extractors: description?.extractorNames ?? [],
    guards: guardTexts(requirementOf(route)),
    ...(isExcepted(route) && { isExcepted: true }),
    middleware: [...stepsOf(route.layers), ...(description?.middleware ?? [])].map(describeStep),
    ...(options?.summary !== undefined && { summary: options.summary }),
    isDeprecated: options?.deprecated === true,
    isHidden: options?.hidden === true,
    place: place(),
  };
}

/** The handler behind a guard has the name of the guard. */
function handlerName({ description, rpc, mcp, servesFiles, handler }: Route): string {
  if (description !== undefined) return description.socket === undefined ? description.handlerName : '';
  if (mcp !== undefined) return 'mountMcp';
  if (rpc !== undefined) return rpc.isShared ? 'mountRpc' : 'mountRest';
  if (servesFiles) return 'serveStatic';
  return handler.name === 'requireAuth' ? '' : handler.name;
}

function isExcepted(route: Route): boolean {
  return route.layers.some(({ layer, depth }) => layer.guard?.covers(route, depth) === false);
}

/** `signed in`, or the scopes. */
function guardTexts({ isRequired, requires }: ReturnType<typeof requirementOf>): string[] {
  if (!isRequired) return [];
  const texts = requires.flatMap(({ scopes = [], match }) =>
    scopes.length === 0 ? [] : [`scopes: ${scopes.join(match === 'any' ? ' or ' : ', ')}`],
  );
  return texts.length === 0 ? ['signed in'] : [...new Set(texts)];
}

/** Each App once, with the prefix that it is mounted under. */
function describeMiddleware(table: RouteTable): DescribedMiddleware[] {
  const seen = new Set<object>();
  const found: DescribedMiddleware[] = [];
  for (const { layers, source } of table.placedLayers()) {
    for (const { layer, depth } of layers) {
      if (seen.has(layer)) continue;
      seen.add(layer);
      const below =
        source
          .split('/')
          .slice(0, depth + 1)
          .join('/') || '/';
      found.push(...layer.steps.map((step) => ({ ...describeStep(step), below })));
    }
  }
  return found;
}

function describeStep(step: AnyMiddleware): DescribedStep {
  const place = placeOfStep(step);
  return { name: nameOf(step), ...(place !== undefined && { place: place() }) };
}

function describeProcedures(route: Route): DescribedProcedure[] {
  const { rpc, mcp, method, pattern } = route;
  const access = rpc ?? mcp;
  if (access === undefined) return [];
  const types = new Map(access.registry.texts().map((one) => [one.name, one]));
  return access.procedures.map(({ name, kind, describes, place }) => {
    const guards = guardTexts(requirementOf(route, describes));
    const isOpen = guards.length === 0 && (access.isGuarded || isExcepted(route));
    return {
      kind,
      input: 'unknown',
      output: 'unknown',
      types: 'contract' as const,
      ...types.get(name),
      name: mcp === undefined ? name : toolName(name),
      method,
      path: pattern.source,
      protocol:
        mcp !== undefined ? ('mcp' as const) : rpc?.isShared ? ('json-rpc' as const) : ('rest' as const),
      guards,
      ...(isOpen && { isExcepted: true as const }),
      place: place(),
    };
  });
}

function stepsOf(layers: Layers): readonly Middleware[] {
  return layers.flatMap(({ layer }) => layer.steps);
}

/** The settings of an App with the places that set them. */
function describeSettings(settings: Settings): DescribedSetting[] {
  const { drainDelayMs, gracePeriodMs, connection } = settings;
  const { maxBodySize, requestTimeoutMs } = settings.limits;
  const times = Object.entries({ ...CONNECTION_TIMEOUTS, ...connection });
  const values: Readonly<Record<string, string>> = {
    maxBodySize: limited(maxBodySize, 'bytes'),
    requestTimeout: limited(requestTimeoutMs, 'ms'),
    drainDelay: `${drainDelayMs} ms`,
    shutdownGracePeriod: `${gracePeriodMs} ms`,
    connectionTimeouts: times.map(([name, ms]) => `${name} ${ms}`).join(', '),
    trustProxy: settings.trusted === undefined ? 'false' : JSON.stringify(settings.trusted),
  };
  const shown = Object.entries(values).map(([name, value]) => describe(settings, name, value));
  // Those without a value of their own: a database, a contract.
  const others = [...settings.places.keys()].filter((name) => !Object.hasOwn(values, name));
  return [...shown, ...others.map((name) => describe(settings, name, 'set'))];
}

function limited(limit: number | undefined, unit: string): string {
  return limit === undefined || limit === Number.POSITIVE_INFINITY ? 'unlimited' : `${limit} ${unit}`;
}

function describe({ places }: Settings, name: string, value: string): DescribedSetting {
  const place = places.get(name);
  return { name, value, ...(place !== undefined && { place: place() }) };
}
