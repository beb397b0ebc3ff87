// Types only: derives the arguments of a WebSocket's `data` from the extractors of its route.
import type { Context } from '../context/context.js';
import type { HandlerResult } from '../context/handlers.js';
import type { ParamName } from '../router/pattern.js';
import type { Extractor } from './extractor.js';
import type { Fit, Last, RoutePath, Value } from './handler-types.js';
import type { WebSocketRoute } from './socket-route.js';

/** The arguments of a WebSocket's `data`: those of a route's handler. */
type SocketArgs<Values extends readonly unknown[], Path extends string, U> = [...Values, ...Last<Path, U>];

/** The arguments of `data` without extractors. */
type OwnSocketArgs<Path extends string, U> = [ctx: Context<ParamName<Path>>, ...Last<Path, U>];

/** Registers a WebSocket for a path, with up to eight extractors before it, whose values its `data` gets. */
export interface RegisterWebSocket<Prefix extends string, Self> {
  <P extends string, U = undefined>(
    path: RoutePath<P, HandlerResult, U>,
    socket: WebSocketRoute<OwnSocketArgs<`${Prefix}${P}`, U>>,
  ): Self;
  <P extends string, A extends Extractor, U = undefined>(
    path: RoutePath<P, HandlerResult, U>,
    a: Fit<A, P>,
    socket: WebSocketRoute<SocketArgs<[Value<A, `${Prefix}${P}`>], `${Prefix}${P}`, U>>,
  ): Self;
  <P extends string, A extends Extractor, B extends Extractor, U = undefined>(
    path: RoutePath<P, HandlerResult, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    socket: WebSocketRoute<
      SocketArgs<[Value<A, `${Prefix}${P}`>, Value<B, `${Prefix}${P}`>], `${Prefix}${P}`, U>
    >,
  ): Self;
  <P extends string, A extends Extractor, B extends Extractor, C extends Extractor, U = undefined>(
    path: RoutePath<P, HandlerResult, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    socket: WebSocketRoute<
      SocketArgs<
        [Value<A, `${Prefix}${P}`>, Value<B, `${Prefix}${P}`>, Value<C, `${Prefix}${P}`>],
        `${Prefix}${P}`,
        U
      >
    >,
  ): Self;
  <
    P extends string,
    A extends Extractor,
    B extends Extractor,
    C extends Extractor,
    D extends Extractor,
    U = undefined,
  >(
    path: RoutePath<P, HandlerResult, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    socket: WebSocketRoute<
      SocketArgs<
        [
          Value<A, `${Prefix}${P}`>,
          Value<B, `${Prefix}${P}`>,
          Value<C, `${Prefix}${P}`>,
          Value<D, `${Prefix}${P}`>,
        ],
        `${Prefix}${P}`,
        U
      >
    >,
  ): Self;
  <
    P extends string,
    A extends Extractor,
    B extends Extractor,
    C extends Extractor,
    D extends Extractor,
    E extends Extractor,
    U = undefined,
  >(
    path: RoutePath<P, HandlerResult, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    e: Fit<E, P>,
    socket: WebSocketRoute<
      SocketArgs<
        [
          Value<A, `${Prefix}${P}`>,
          Value<B, `${Prefix}${P}`>,
          Value<C, `${Prefix}${P}`>,
          Value<D, `${Prefix}${P}`>,
          Value<E, `${Prefix}${P}`>,
        ],
        `${Prefix}${P}`,
        U
      >
    >,
  ): Self;
  <
    P extends string,
    A extends Extractor,
    B extends Extractor,
    C extends Extractor,
    D extends Extractor,
    E extends Extractor,
    F extends Extractor,
    U = undefined,
  >(
    path: RoutePath<P, HandlerResult, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    e: Fit<E, P>,
    f: Fit<F, P>,
    socket: WebSocketRoute<
      SocketArgs<
        [
          Value<A, `${Prefix}${P}`>,
          Value<B, `${Prefix}${P}`>,
          Value<C, `${Prefix}${P}`>,
          Value<D, `${Prefix}${P}`>,
          Value<E, `${Prefix}${P}`>,
          Value<F, `${Prefix}${P}`>,
        ],
        `${Prefix}${P}`,
        U
      >
    >,
  ): Self;
  <
    P extends string,
    A extends Extractor,
    B extends Extractor,
    C extends Extractor,
    D extends Extractor,
    E extends Extractor,
    F extends Extractor,
    G extends Extractor,
    U = undefined,
  >(
    path: RoutePath<P, HandlerResult, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    e: Fit<E, P>,
    f: Fit<F, P>,
    g: Fit<G, P>,
    socket: WebSocketRoute<
      SocketArgs<
        [
          Value<A, `${Prefix}${P}`>,
          Value<B, `${Prefix}${P}`>,
          Value<C, `${Prefix}${P}`>,
          Value<D, `${Prefix}${P}`>,
          Value<E, `${Prefix}${P}`>,
          Value<F, `${Prefix}${P}`>,
          Value<G, `${Prefix}${P}`>,
        ],
        `${Prefix}${P}`,
        U
      >
    >,
  ): Self;
  <
    P extends string,
    A extends Extractor,
    B extends Extractor,
    C extends Extractor,
    D extends Extractor,
    E extends Extractor,
    F extends Extractor,
    G extends Extractor,
    H extends Extractor,
    U = undefined,
  >(
    path: RoutePath<P, HandlerResult, U>,
    a: Fit<A, P>,
    b: Fit<B, P>,
    c: Fit<C, P>,
    d: Fit<D, P>,
    e: Fit<E, P>,
    f: Fit<F, P>,
    g: Fit<G, P>,
    h: Fit<H, P>,
    socket: WebSocketRoute<
      SocketArgs<
        [
          Value<A, `${Prefix}${P}`>,
          Value<B, `${Prefix}${P}`>,
          Value<C, `${Prefix}${P}`>,
          Value<D, `${Prefix}${P}`>,
          Value<E, `${Prefix}${P}`>,
          Value<F, `${Prefix}${P}`>,
          Value<G, `${Prefix}${P}`>,
          Value<H, `${Prefix}${P}`>,
        ],
        `${Prefix}${P}`,
        U
      >
    >,
  ): Self;
}
