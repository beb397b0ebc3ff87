// Types only: derives the arguments of a handler from the extractors of its route.
import type { Context } from '../context/context.js';
import type { HandlerResult } from '../context/handlers.js';
import type { ParamName } from '../router/path-params.js';
import type { Extractor } from './extractor.js';

type Result = HandlerResult | Promise<HandlerResult>;

/** A route's handler; its context is typed with the parameters of the route's path. */
export type Handler<Path extends string = string> = (ctx: Context<ParamName<Path>>) => Result;

/** What the compiler shows if a `Path` names a parameter that the pattern does not have. */
type NoSuchParam<Name extends string> = { readonly 'the path has no parameter': Name };

/** An extractor that fits the path. */
type Fit<E, Path extends string> = E &
  (E extends { readonly '~param': infer Name extends string }
    ? string extends Name
      ? unknown
      : Name extends ParamName<Path>
        ? unknown
        : NoSuchParam<Name>
    : unknown);

/** What the handler gets from an extractor. */
type Value<E, Path extends string> = E extends typeof Context
  ? Context<ParamName<Path>>
  : E extends { extract(ctx: never): infer T }
    ? Awaited<T>
    : never;

/**
 * Registers a handler for a path, with up to eight extractors before it, whose values are its arguments in the same
 * order. There is one overload for each number of extractors, which gives the best messages and the fastest check.
 */
export interface Register<Prefix extends string, Self> {
  <P extends string>(path: P, handler: Handler<NoInfer<`${Prefix}${P}`>>): Self;
  <P extends string, A extends Extractor>(
    path: P,
    a: Fit<A, P>,
    handler: (a: Value<A, `${Prefix}${P}`>) => Result,
  ): Self;
  <P extends string, A extends Extractor, B extends Extractor>(
    path: P,
    a: Fit<A, P>,
    b: Fit<B, P>,
    handler: (a: Value<A, `${Prefix}${P}`>, b: Value<B, `${Prefix}${P}`>) => Result,
  ): Self;
  <P extends string, A extends Extractor, B extends Extractor, C extends Extractor>(
    path: P,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    handler: (
      a: Value<A, `${Prefix}${P}`>,
      b: Value<B, `${Prefix}${P}`>,
      c: Value<C, `${Prefix}${P}`>,
    ) => Result,
  ): Self;
  <P extends string, A extends Extractor, B extends Extractor, C extends Extractor, D extends Extractor>(
    path: P,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    handler: (
      a: Value<A, `${Prefix}${P}`>,
      b: Value<B, `${Prefix}${P}`>,
      c: Value<C, `${Prefix}${P}`>,
      d: Value<D, `${Prefix}${P}`>,
    ) => Result,
  ): Self;
  <
    P extends string,
    A extends Extractor,
    B extends Extractor,
    C extends Extractor,
    D extends Extractor,
    F extends Extractor,
  >(
    path: P,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    f: Fit<F, P>,
    handler: (
      a: Value<A, `${Prefix}${P}`>,
      b: Value<B, `${Prefix}${P}`>,
      c: Value<C, `${Prefix}${P}`>,
      d: Value<D, `${Prefix}${P}`>,
      f: Value<F, `${Prefix}${P}`>,
    ) => Result,
  ): Self;
  <
    P extends string,
    A extends Extractor,
    B extends Extractor,
    C extends Extractor,
    D extends Extractor,
    F extends Extractor,
    G extends Extractor,
  >(
    path: P,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    f: Fit<F, P>,
    g: Fit<G, P>,
    handler: (
      a: Value<A, `${Prefix}${P}`>,
      b: Value<B, `${Prefix}${P}`>,
      c: Value<C, `${Prefix}${P}`>,
      d: Value<D, `${Prefix}${P}`>,
      f: Value<F, `${Prefix}${P}`>,
      g: Value<G, `${Prefix}${P}`>,
    ) => Result,
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
  >(
    path: P,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    f: Fit<F, P>,
    g: Fit<G, P>,
    h: Fit<H, P>,
    handler: (
      a: Value<A, `${Prefix}${P}`>,
      b: Value<B, `${Prefix}${P}`>,
      c: Value<C, `${Prefix}${P}`>,
      d: Value<D, `${Prefix}${P}`>,
      f: Value<F, `${Prefix}${P}`>,
      g: Value<G, `${Prefix}${P}`>,
      h: Value<H, `${Prefix}${P}`>,
    ) => Result,
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
  >(
    path: P,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    f: Fit<F, P>,
    g: Fit<G, P>,
    h: Fit<H, P>,
    i: Fit<I, P>,
    handler: (
      a: Value<A, `${Prefix}${P}`>,
      b: Value<B, `${Prefix}${P}`>,
      c: Value<C, `${Prefix}${P}`>,
      d: Value<D, `${Prefix}${P}`>,
      f: Value<F, `${Prefix}${P}`>,
      g: Value<G, `${Prefix}${P}`>,
      h: Value<H, `${Prefix}${P}`>,
      i: Value<I, `${Prefix}${P}`>,
    ) => Result,
  ): Self;
}
