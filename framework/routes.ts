// Registration: an App's routes and mounted Apps, kept until the first request asks for the finished table.

import type { Middleware } from './chain.js';
import type { Context } from './context.js';
import type { Stamp } from './response.js';
import { parsePattern } from './router/pattern.js';
import type { Match } from './router/radix.js';
import { type RouteEntry, Router } from './router/router.js';
import { Settings } from './settings.js';
import { type SinglePage, servesFiles } from './static/registration.js';
import type { HandlerResult } from './to-response.js';

export type ErrorHandler = (error: unknown, ctx: Context) => HandlerResult | Promise<HandlerResult>;
export type RouteHandler = (ctx: Context) => HandlerResult | Promise<HandlerResult>;

/** What one App puts around its handlers; filled until the App is sealed. */
export interface Layer {
  readonly steps: Middleware[];
  readonly stamps: Stamp[];
  onError: ErrorHandler | undefined;
  notFound: RouteHandler | undefined;
  singlePage: Fallback | undefined;
}

interface Fallback {
  readonly answer: SinglePage;
  /** Of the call that made it. */
  readonly place: () => string;
}

/** The layers around a handler made one: that of the App it was registered on inside those of its mounts. */
export interface Scope {
  readonly steps: readonly Middleware[];
  readonly stamps: readonly Stamp[];
  readonly onError: ErrorHandler | undefined;
  readonly notFound: RouteHandler | undefined;
  /** What comes before `notFound`, and how many segments of a path lie before the App that it belongs to. */
  readonly singlePage: { readonly answer: SinglePage; readonly depth: number } | undefined;
  /** Of the App that listens. */
  readonly settings: Settings;
}

/** A layer, and how many segments its App's prefix has in all. */
interface PlacedLayer {
  readonly layer: Layer;
  readonly depth: number;
}

/** Layers from the outermost App to the innermost. */
type Layers = readonly PlacedLayer[];

export interface Route extends RouteEntry {
  readonly handler: RouteHandler;
  readonly layers: Layers;
  /** Set when the App is sealed. */
  scope: Scope;
}

interface Mount extends RouteEntry {
  readonly layers: Layers;
  scope: Scope;
}

const unsealed: Scope = {
  steps: [],
  stamps: [],
  onError: undefined,
  notFound: undefined,
  singlePage: undefined,
  settings: new Settings(),
};

/** Remembers where the application called, cheaply: the text is made only if a message asks for it. */
export function callSite(above: (...args: never[]) => unknown): () => string {
  const holder: { stack?: string } = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 1;
  Error.captureStackTrace?.(holder, above);
  Error.stackTraceLimit = limit;
  return () => {
    const frame = holder.stack?.split('\n')[1]?.replace(/^ *at (?:async )?/, '') ?? '';
    // `name (place)` or the place alone, which may hold spaces and parentheses itself.
    const place = frame.endsWith(')') ? frame.slice(frame.indexOf(' (') + 2, -1) : frame;
    return /:\d+:\d+$/.test(place) ? place : 'unknown place';
  };
}

/** The routes of one App: its own and, under their prefixes, those of the Apps mounted on it. */
export class RouteTable {
  readonly #router = new Router<Route>();
  readonly #routes: Route[] = [];
  readonly #mountRouter = new Router<Mount>();
  readonly #mounts: Mount[] = [];
  readonly #layers: readonly [PlacedLayer];

  constructor(layer: Layer) {
    this.#layers = [{ layer, depth: 0 }];
  }

  /** @throws Error when the pattern is malformed or already taken; the message names both places. */
  add(method: string, source: string, handler: RouteHandler, place: () => string): void {
    this.#addRoute(method, source, handler, this.#layers, place);
  }

  /** @throws Error when the App has a fallback already; the message names both places. */
  fallBack(fallback: Fallback): void {
    const [{ layer }] = this.#layers;
    if (layer.singlePage !== undefined) {
      throw new Error(
        `route conflict: serveSpa (${fallback.place()}) answers the same requests as serveSpa (${layer.singlePage.place()}); remove one of them`,
      );
    }
    layer.singlePage = fallback;
  }

  /** Takes over the routes of a sealed App: `/` of it is the prefix itself. */
  mount(prefix: string, inner: RouteTable, place: () => string): void {
    if (prefix === '' || prefix === '/') {
      throw new Error(
        `an App is mounted under a prefix, not at '${prefix}'; give one such as '/api', or register its routes on this App`,
      );
    }
    if (prefix.endsWith('/')) {
      throw new Error(`malformed mount prefix '${prefix}': write it without the slash at its end`);
    }
    const wrapped = new Map<Layers, Layers>();
    const wrap = (layers: Layers): Layers => {
      const known = wrapped.get(layers) ?? [...this.#layers, ...deeper(layers, prefix)];
      wrapped.set(layers, known);
      return known;
    };
    for (const { method, pattern, handler, layers, place } of inner.#routes) {
      this.#addRoute(method, joinPaths(prefix, pattern.source), handler, wrap(layers), place);
    }
    // A name that no prefix is likely to have taken.
    for (const source of [prefix, `${prefix}/`, `${prefix}/*$rest_of_mount`]) {
      this.#addMount(source, wrap(inner.#layers), place);
    }
    for (const { pattern, layers, place } of inner.#mounts) {
      this.#addMount(prefix + pattern.source, wrap(layers), place);
    }
  }

  /** Resolves the scope of every route, once all of them and all middleware are known. */
  seal(settings: Settings): Scope {
    const scopes = new Map<Layers, Scope>();
    const resolve = (layers: Layers): Scope => {
      const scope = scopes.get(layers) ?? flatten(layers, settings);
      scopes.set(layers, scope);
      return scope;
    };
    for (const entry of [...this.#routes, ...this.#mounts]) entry.scope = resolve(entry.layers);
    return resolve(this.#layers);
  }

  /** All routes, in the order of registration. */
  list(): readonly Route[] {
    return this.#routes;
  }

  find(method: string, path: string): Match<Route> | undefined {
    return this.#router.find(method, path);
  }

  /** The scope of the innermost mounted App that the path lies in. */
  findScope(path: string): Scope | undefined {
    return this.#mounts.length === 0 ? undefined : this.#mountRouter.find('MOUNT', path)?.value.scope;
  }

  /** Whether a path that no route matches is a directory of static files, whose misses stay misses. */
  isStaticDirectory(path: string): boolean {
    if (!path.endsWith('/')) return false;
    const below = this.#router.find('GET', `${path}file`);
    return below !== undefined && servesFiles(below.value.handler);
  }

  allowed(path: string): string[] {
    return this.#router.allowed(path);
  }

  methods(): string[] {
    return this.#router.methods();
  }

  #addRoute(
    method: string,
    source: string,
    handler: RouteHandler,
    layers: Layers,
    place: () => string,
  ): void {
    const route: Route = { method, pattern: parsePattern(source), handler, layers, place, scope: unsealed };
    this.#router.add(route);
    this.#routes.push(route);
  }

  #addMount(source: string, layers: Layers, place: () => string): void {
    const mount: Mount = { method: 'MOUNT', pattern: parsePattern(source), layers, place, scope: unsealed };
    this.#mountRouter.add(mount);
    this.#mounts.push(mount);
  }
}

function joinPaths(prefix: string, path: string): string {
  return path === '/' ? prefix : prefix + path;
}

function deeper(layers: Layers, prefix: string): Layers {
  const segments = prefix.split('/').length - 1;
  return layers.map(({ layer, depth }) => ({ layer, depth: depth + segments }));
}

function flatten(placed: Layers, settings: Settings): Scope {
  const layers = placed.map(({ layer }) => layer);
  const stamps = new Map(layers.flatMap((layer) => layer.stamps).map((stamp) => [stamp[0], stamp]));
  // An App that answers its misses itself does so inside one that has a page for them.
  const innermost = placed.findLast(({ layer }) => layer.singlePage ?? layer.notFound);
  const page = innermost?.layer.singlePage;
  return {
    steps: layers.flatMap((layer) => layer.steps),
    stamps: [...stamps.values()],
    onError: layers.findLast((layer) => layer.onError)?.onError,
    notFound: layers.findLast((layer) => layer.notFound)?.notFound,
    singlePage: innermost && page && { answer: page.answer, depth: innermost.depth },
    settings,
  };
}
