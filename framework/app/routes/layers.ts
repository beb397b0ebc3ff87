// Layers: what one App puts around its handlers, and how the layers of nested Apps become one scope.
import type { ErrorHandler, Middleware, RouteHandler } from '../../context/handlers.js';
import type { Limits, RequestSettings, Scope, SinglePage } from '../../context/scope.js';
import type { ExtractorDescription } from '../../extract/description.js';
import type { DefaultHeader } from '../../http/response.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import type { Guard } from './guard.js';

/** What one App puts around its handlers; filled until the App is sealed. */
export interface Layer {
  readonly steps: Middleware[];
  readonly defaultHeaders: DefaultHeader[];
  onError: ErrorHandler | undefined;
  /** The schema of the bodies that `onError` answers with, if it declares one. */
  errorBody: StandardSchemaV1 | undefined;
  notFound: RouteHandler | undefined;
  singlePage: Fallback | undefined;
  guard: Guard | undefined;
  noStore: boolean | undefined;
  /** Where the App does not set one, that of the App around it holds. */
  readonly limits: Readonly<Limits>;
}

export function emptyLayer(limits: Limits): Layer {
  return {
    steps: [],
    defaultHeaders: [],
    onError: undefined,
    errorBody: undefined,
    notFound: undefined,
    singlePage: undefined,
    guard: undefined,
    noStore: undefined,
    limits,
  };
}

export interface Fallback {
  readonly answer: SinglePage;
  /** The source position of the call that registered it. */
  readonly place: () => string;
}

/** A layer, and the number of path segments in the full prefix of its App. */
export interface PlacedLayer {
  readonly layer: Layer;
  readonly depth: number;
}

/** Layers from the outermost App to the innermost. */
export type Layers = readonly PlacedLayer[];

/** The layers of a mounted App, as the App around it sees them. */
export function deeper(layers: Layers, prefix: string): Layers {
  const segments = prefix.split('/').length - 1;
  return layers.map(({ layer, depth }) => ({ layer, depth: depth + segments }));
}

export function flatten(placed: Layers, settings: RequestSettings): Scope {
  const layers = placed.map(({ layer }) => layer);
  const defaults = new Map(layers.flatMap((layer) => layer.defaultHeaders).map((field) => [field[0], field]));
  // The innermost App with a fallback page or a `notFound` decides: a `notFound` inside an App with a page wins.
  const innermost = placed.findLast(({ layer }) => layer.singlePage ?? layer.notFound);
  const page = innermost?.layer.singlePage;
  return {
    steps: layers.flatMap((layer) => layer.steps),
    defaultHeaders: [...defaults.values()],
    onError: layers.findLast((layer) => layer.onError)?.onError,
    notFound: layers.findLast((layer) => layer.notFound)?.notFound,
    singlePage: innermost && page && { answer: asked(layers, page.answer), depth: innermost.depth },
    settings,
    limits: innermostLimits(layers.map(({ limits }) => limits)),
    noStore: layers.findLast((layer) => layer.noStore !== undefined)?.noStore ?? true,
  };
}

/** The innermost that are set; `Infinity` lifts that of an App around it. */
export function innermostLimits(all: readonly Partial<Limits>[]): Limits {
  const of = (name: keyof Limits): number | undefined => {
    const limit = all.findLast((limits) => limits[name] !== undefined)?.[name];
    return limit === Number.POSITIVE_INFINITY ? undefined : limit;
  };
  return { maxBodySize: of('maxBodySize'), requestTimeoutMs: of('requestTimeoutMs') };
}

/** The page behind its guards. Without any, its files are the same for everybody, and caches may keep them. */
function asked(layers: readonly Layer[], answer: SinglePage): SinglePage {
  const guards = layers.flatMap(({ guard }) => (guard?.coversSpa() === true ? [guard] : []));
  const scopes = guards.flatMap(({ requirement }) => requirement.scopes ?? []);
  const isOpen = guards.length === 0 && !layers.some(({ steps }) => steps.some(requiresAuthentication));
  return (ctx, path, notFound) => {
    if (guards.length > 0) ctx.requireAllScopes(scopes);
    if (!isOpen || ctx.identity?.isNeeded === true) return answer(ctx, path, notFound);
    ctx.isStorable = true;
    return answer(ctx, path, (depends) => {
      ctx.isStorable = undefined;
      return notFound(depends);
    });
  };
}

function requiresAuthentication(step: Middleware & { readonly describes?: ExtractorDescription }): boolean {
  return step.describes?.authenticates === 'required' || step.describes?.requires !== undefined;
}

/** What the `onError` that answers inside the layers declares; undefined if none is set. */
export function errorBodyOf(placed: Layers): { readonly returns: StandardSchemaV1 | undefined } | undefined {
  const found = placed.findLast(({ layer }) => layer.onError !== undefined);
  return found && { returns: found.layer.errorBody };
}
