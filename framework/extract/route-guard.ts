// Registration: puts the guard of an App behind the methods of authentication that a route has of its own.
import type { Context } from '../context/context.js';
import type { Middleware } from '../context/handlers.js';
import { sharePlace } from '../dispatch/recorded.js';
import { type AnyMiddleware, ContextMiddleware } from './context-middleware.js';
import type { ExtractorDescription } from './description.js';
import type { Extractor } from './extractor.js';

/** Throws what refuses the request. */
export type RouteGuard = (ctx: Context) => void;

/** Something that may describe itself: an extractor or middleware. */
interface Describing {
  readonly describes?: ExtractorDescription | readonly ExtractorDescription[] | undefined;
}

/** What an extractor or middleware says about itself. */
export function descriptionsOf(one: object): readonly ExtractorDescription[] {
  return [(one as Describing).describes ?? []].flat();
}

/** Whether the descriptions of something say that it fills `ctx.principal()`. */
export function authenticates(one: object): boolean {
  return descriptionsOf(one).some(({ authenticates: method }) => method !== undefined);
}

/** The same extractors, the last of those that authenticate with the guard behind it; undefined if none does. */
export function guardedExtractors(
  extractors: readonly Extractor[],
  guard: RouteGuard,
): readonly Extractor[] | undefined {
  return withLast(extractors, (one) => ({
    ...(one.name !== undefined && { name: one.name }),
    ...(one.describes !== undefined && { describes: one.describes }),
    async extract(ctx) {
      const value = await one.extract(ctx);
      guard(ctx);
      return value;
    },
  }));
}

/** The same for middleware of the route, in the order in which it runs. */
export function guardedMiddleware(
  steps: readonly AnyMiddleware[],
  guard: RouteGuard,
): readonly AnyMiddleware[] | undefined {
  return withLast<AnyMiddleware>(steps, (one) => {
    if (!(one instanceof ContextMiddleware)) return guardBehind(one, guard);
    const { use, describes, run } = one;
    const guardedRun: ContextMiddleware['run'] = (call, next) =>
      run(call, (added) => {
        guard(call.ctx);
        return next(added);
      });
    Object.defineProperty(guardedRun, 'name', { value: run.name });
    const guarded = new ContextMiddleware({ use, ...(describes !== undefined && { describes }) }, guardedRun);
    sharePlace(guarded, one);
    return guarded;
  });
}

function guardBehind(middleware: Middleware, guard: RouteGuard): Middleware {
  const guarded: Middleware = (ctx, next) =>
    middleware(ctx, async () => {
      guard(ctx);
      return next();
    });
  sharePlace(guarded, middleware);
  return Object.defineProperty(guarded, 'name', { value: middleware.name });
}

function withLast<One extends object>(
  list: readonly One[],
  replace: (last: One) => One,
): readonly One[] | undefined {
  const last = list.findLastIndex(authenticates);
  return last === -1 ? undefined : list.map((one, index) => (index === last ? replace(one) : one));
}
