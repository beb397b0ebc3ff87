// Types only: derives the arguments of a handler from the extractors of its route.
import type { Context } from '../context/context.js';
import type { HandlerResult } from '../context/handlers.js';
import type { ParamName } from '../router/pattern.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import type { RequestCall } from './context-middleware.js';
import type { Extractor } from './extractor.js';
import type { DescribedPath, JsonOf } from './route.js';

/**
 * A route's handler; its context is typed with the parameters of the route's path, what it returns by the answers
 * that a described path declares.
 */
export type Handler<Path extends string = string, Result = HandlerResult> = (
  ctx: Context<ParamName<Path>>,
) => Result | Promise<Result>;

/** A path, plain or described. */
export type RoutePath<P extends string, R, U> = P | DescribedPath<P, R, U>;

/** The handler of a route without extractors; with middleware, it gets what that adds as the second argument. */
type OwnHandler<Path extends string, R, U> = [U] extends [undefined]
  ? Handler<Path, R>
  : (ctx: Context<ParamName<Path>>, call: RequestCall<Context<ParamName<Path>>> & U) => R | Promise<R>;

/** The argument after the context or the values of extractors: what middleware adds, with the context. */
export type Last<Path extends string, U> = [U] extends [undefined]
  ? []
  : [call: RequestCall<Context<ParamName<Path>>> & U];

/** What an `onError` with a schema for its bodies may return. */
export type ErrorAnswer<Body extends StandardSchemaV1> =
  | StandardSchemaV1.InferInput<Body>
  | JsonOf<Body, number>;

/** What the compiler shows if a `Path` names a parameter that the pattern does not have. */
type NoSuchParam<Name extends string> = { readonly 'the path has no parameter': Name };

/** An extractor that fits the path. */
export type Fit<E, Path extends string> = E &
  (E extends { readonly '~param': infer Name extends string }
    ? string extends Name
      ? unknown
      : Name extends ParamName<Path>
        ? unknown
        : NoSuchParam<Name>
    : unknown);

/** What the handler gets from an extractor. */
export type Value<E, Path extends string> = E extends typeof Context
  ? Context<ParamName<Path>>
  : E extends { extract(ctx: never): infer T }
    ? Awaited<T>
    : never;

/**
 * Registers a handler for a path, with up to eight extractors before it, whose values are its arguments in the same
 * order. There is one overload for each number of extractors, which gives the best messages and the fastest check.
 */
export interface Register<Prefix extends string, Self> {
  <P extends string, R = HandlerResult, U = undefined>(
    path: RoutePath<P, R, U>,
    handler: NoInfer<OwnHandler<`${Prefix}${P}`, R, U>>,
  ): Self;
  <P extends string, A extends Extractor, R = HandlerResult, U = undefined>(
    path: RoutePath<P, R, U>,
    a: Fit<A, P>,
    handler: NoInfer<(a: Value<A, `${Prefix}${P}`>, ...last: Last<`${Prefix}${P}`, U>) => R | Promise<R>>,
  ): Self;
  <P extends string, A extends Extractor, B extends Extractor, R = HandlerResult, U = undefined>(
    path: RoutePath<P, R, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    handler: NoInfer<
      (
        a: Value<A, `${Prefix}${P}`>,
        b: Value<B, `${Prefix}${P}`>,
        ...last: Last<`${Prefix}${P}`, U>
      ) => R | Promise<R>
    >,
  ): Self;
  <
    P extends string,
    A extends Extractor,
    B extends Extractor,
    C extends Extractor,
    R = HandlerResult,
    U = undefined,
  >(
    path: RoutePath<P, R, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    handler: NoInfer<
      (
        a: Value<A, `${Prefix}${P}`>,
        b: Value<B, `${Prefix}${P}`>,
        c: Value<C, `${Prefix}${P}`>,
        ...last: Last<`${Prefix}${P}`, U>
      ) => R | Promise<R>
    >,
  ): Self;
  <
    P extends string,
    A extends Extractor,
    B extends Extractor,
    C extends Extractor,
    D extends Extractor,
    R = HandlerResult,
    U = undefined,
  >(
    path: RoutePath<P, R, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    handler: NoInfer<
      (
        a: Value<A, `${Prefix}${P}`>,
        b: Value<B, `${Prefix}${P}`>,
        c: Value<C, `${Prefix}${P}`>,
        d: Value<D, `${Prefix}${P}`>,
        ...last: Last<`${Prefix}${P}`, U>
      ) => R | Promise<R>
    >,
  ): Self;
  <
    P extends string,
    A extends Extractor,
    B extends Extractor,
    C extends Extractor,
    D extends Extractor,
    F extends Extractor,
    R = HandlerResult,
    U = undefined,
  >(
    path: RoutePath<P, R, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    f: Fit<F, P>,
    handler: NoInfer<
      (
        a: Value<A, `${Prefix}${P}`>,
        b: Value<B, `${Prefix}${P}`>,
        c: Value<C, `${Prefix}${P}`>,
        d: Value<D, `${Prefix}${P}`>,
        f: Value<F, `${Prefix}${P}`>,
        ...last: Last<`${Prefix}${P}`, U>
      ) => R | Promise<R>
    >,
  ): Self;
  <
    P extends string,
    A extends Extractor,
    B extends Extractor,
    C extends Extractor,
    D extends Extractor,
    F extends Extractor,
    G extends Extractor,
    R = HandlerResult,
    U = undefined,
  >(
    path: RoutePath<P, R, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    f: Fit<F, P>,
    g: Fit<G, P>,
    handler: NoInfer<
      (
        a: Value<A, `${Prefix}${P}`>,
        b: Value<B, `${Prefix}${P}`>,
        c: Value<C, `${Prefix}${P}`>,
        d: Value<D, `${Prefix}${P}`>,
        f: Value<F, `${Prefix}${P}`>,
        g: Value<G, `${Prefix}${P}`>,
        ...last: Last<`${Prefix}${P}`, U>
      ) => R | Promise<R>
    >,
  ): Self;
  <
    P extends string,
    A extends Extractor,
    B extends Extractor,
    C extends Extractor,
    D extends Extractor,
    F extends Extractor,
    G extends Extractor,
    H extends Extractor,
    R = HandlerResult,
    U = undefined,
  >(
    path: RoutePath<P, R, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    f: Fit<F, P>,
    g: Fit<G, P>,
    h: Fit<H, P>,
    handler: NoInfer<
      (
        a: Value<A, `${Prefix}${P}`>,
        b: Value<B, `${Prefix}${P}`>,
        c: Value<C, `${Prefix}${P}`>,
        d: Value<D, `${Prefix}${P}`>,
        f: Value<F, `${Prefix}${P}`>,
        g: Value<G, `${Prefix}${P}`>,
        h: Value<H, `${Prefix}${P}`>,
        ...last: Last<`${Prefix}${P}`, U>
      ) => R | Promise<R>
    >,
  ): Self;
  <
    P extends string,
    A extends Extractor,
    B extends Extractor,
    C extends Extractor,
    D extends Extractor,
    F extends Extractor,
    G extends Extractor,
    H extends Extractor,
    I extends Extractor,
    R = HandlerResult,
    U = undefined,
  >(
    path: RoutePath<P, R, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    f: Fit<F, P>,
    g: Fit<G, P>,
    h: Fit<H, P>,
    i: Fit<I, P>,
    handler: NoInfer<
      (
        a: Value<A, `${Prefix}${P}`>,
        b: Value<B, `${Prefix}${P}`>,
        c: Value<C, `${Prefix}${P}`>,
        d: Value<D, `${Prefix}${P}`>,
        f: Value<F, `${Prefix}${P}`>,
        g: Value<G, `${Prefix}${P}`>,
        h: Value<H, `${Prefix}${P}`>,
        i: Value<I, `${Prefix}${P}`>,
        ...last: Last<`${Prefix}${P}`, U>
      ) => R | Promise<R>
    >,
  ): Self;
}
