// Layers: what one App puts around its handlers, and how the layers of nested Apps become one scope.
import type { ErrorHandler, Middleware, RouteHandler } from '../context/handlers.js';
import type { RequestSettings, Scope, SinglePage } from '../context/scope.js';
import type { DefaultHeader } from '../http/response.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
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
}

export function emptyLayer(): Layer {
  return {
    steps: [],
    defaultHeaders: [],
    onError: undefined,
    errorBody: undefined,
    notFound: undefined,
    singlePage: undefined,
    guard: undefined,
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
    singlePage: innermost && page && { answer: guardedPage(layers, page.answer), depth: innermost.depth },
    settings,
  };
}

function guardedPage(layers: readonly Layer[], answer: SinglePage): SinglePage {
  const guards = layers.flatMap(({ guard }) => (guard?.coversSpa() === true ? [guard] : []));
  if (guards.length === 0) return answer;
  const scopes = guards.flatMap(({ requirement }) => requirement.scopes ?? []);
  return (ctx, path, notFound) => {
    ctx.requireAllScopes(scopes);
    return answer(ctx, path, notFound);
  };
}

/** What the `onError` that answers inside the layers declares; undefined if none is set. */
export function errorBodyOf(placed: Layers): { readonly returns: StandardSchemaV1 | undefined } | undefined {
  const found = placed.findLast(({ layer }) => layer.onError !== undefined);
  return found && { returns: found.layer.errorBody };
}
