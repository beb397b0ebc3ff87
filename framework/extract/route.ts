// route(): a path with what its route answers and what documents say about it.

import type { HandlerResult } from '../context/handlers.js';
import { bodyLimit } from '../http/body-limit.js';
import type { FwResponse, JsonResponse } from '../http/response.js';
import { checkOptions, checkValue } from '../options/check.js';
import { requestTime } from '../options/check-time.js';
import { anything, filled, flag, listOf, object, type Rules, text } from '../options/rules.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { type AddedBy, type AnyMiddleware, assertUse } from './context-middleware.js';
import type { DescribedErrors, FieldSchemas, SecuritySchemes } from './description.js';

/** What a route answers with one status. */
export interface ResponseDescription {
  /** Parses the JSON body that is sent: fields that it does not declare do not leave. */
  readonly body?: StandardSchemaV1;
  /** The media type of a body that is not JSON, such as `text/csv`; such a body is sent as it is. */
  readonly contentType?: string;
  /** Header fields of the response, for the document. */
  readonly headers?: FieldSchemas;
  /** When this is the answer; for the document. */
  readonly description?: string;
}

/** The answers of a route: the schema of its 200, or what it answers with each status; `null` for no body. */
export type Responses =
  | StandardSchemaV1
  | { readonly [status: number]: StandardSchemaV1 | ResponseDescription | null };

/** What `route` takes beside the path. */
export interface RouteOptions<
  Returns extends Responses | undefined = Responses | undefined,
  Use extends readonly AnyMiddleware[] = readonly AnyMiddleware[],
> {
  /**
   * Middleware around the route, which runs before the extractors. The handler gets what that of `createMiddleware`
   * adds as the last argument, with the context: `(ctx, { user }) => …`, or `(id, { ctx, user }) => …` with an extractor.
   */
  readonly use?: Use | undefined;
  /**
   * What the route answers. The compiler holds the handler to it, and bodies are parsed by their schemas before they
   * are sent. A plain value is answered with 200, or with the only status from 201 to 299 that is declared.
   */
  readonly returns?: Returns;
  /** Errors that the handler throws, by status: `{ 404: 'There is no such user.' }`. */
  readonly errors?: DescribedErrors;
  /** A few words about the operation; from its `operationId` by default. */
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  /**
   * A name that no other route has. By default it is the name of the handler, if it is a named function, or is made
   * of method and path, such as `getUsersById`.
   */
  readonly operationId?: string;
  readonly deprecated?: boolean;
  /** Schemes that the route requires, in addition to those of its extractors. */
  readonly security?: SecuritySchemes;
  /** True to leave the route out of documents. */
  readonly hidden?: boolean;
  /**
   * Whether responses to authenticated requests that set no `Cache-Control` get `private, no-store`; what `app.noStore`
   * says by default. False for what is the same for everybody.
   */
  readonly noStore?: boolean;
  /** The largest body of a request to the route, in bytes; that of the App by default. `Infinity` is unlimited. */
  readonly maxBodySize?: number;
  /**
   * How long a request to the route may take until its response begins, in milliseconds; that of the App by default.
   * `Infinity` is unlimited.
   */
  readonly requestTimeout?: number;
}

/**
 * A path with a description, made by `route`. `Result` is what its handler may return, `Added` is what its middleware
 * adds; undefined without middleware.
 */
export interface DescribedPath<Path extends string = string, Result = HandlerResult, Added = unknown> {
  readonly path: Path;
  readonly options: RouteOptions;
  /** Exists in the types only. */
  readonly '~result'?: Result;
  /** Exists in the types only. */
  readonly '~added'?: Added;
}

/**
 * Of a route without `use`, or with a function whose parameters have no types, which the compiler reads before the
 * middleware beside it: nothing is added then. A list still, which types those parameters.
 */
interface NoMiddleware extends ReadonlyArray<AnyMiddleware> {
  readonly '~none'?: true;
}

/** What a route is registered with: a pattern, or one with a description. */
export type AnyPath = string | DescribedPath;

type Input<Schema extends StandardSchemaV1> = StandardSchemaV1.InferInput<Schema>;

/**
 * The same type with everything readonly, because `ctx.json` infers its body as a constant: so `{ state: 'open' }`
 * has the type of the literal.
 */
type Constant<T> = unknown extends T
  ? T
  : T extends Date | Uint8Array | ((...args: never) => unknown)
    ? T
    : T extends readonly (infer Item)[]
      ? number extends T['length']
        ? readonly Constant<Item>[]
        : { readonly [Key in keyof T]: Constant<T[Key]> }
      : { readonly [Key in keyof T]: Constant<T[Key]> };

/** The response of `ctx.json` with a body that the schema takes. */
export type JsonOf<Schema extends StandardSchemaV1, Status extends number> = JsonResponse<
  Constant<Input<Schema>>,
  Status
>;

/** What the handler may return for an answer, as a plain value. */
type Plain<A> = A extends StandardSchemaV1
  ? Input<A>
  : A extends { readonly body: infer Body extends StandardSchemaV1 }
    ? Input<Body>
    : A extends { readonly contentType: string }
      ? string | Uint8Array
      : NoBody;

/** What the handler may return for an answer, as a response. Without an alias: messages show the body, not the schema. */
type Response<A, Status extends number> = A extends StandardSchemaV1
  ? JsonResponse<Constant<Input<A>>, Status>
  : A extends { readonly body: infer Body extends StandardSchemaV1 }
    ? JsonResponse<Constant<Input<Body>>, Status>
    : A extends { readonly contentType: string }
      ? FwResponse
      : NoBody;

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement is typed void.
type NoBody = undefined | void;

type Statuses<Returns> = Extract<keyof Returns, number>;

/** `Name` if it is one type, never if it is a union. */
type Only<Name, All = Name> = Name extends unknown ? ([All] extends [Name] ? Name : never) : never;

/** The status of plain values. */
type PlainStatus<All extends number> = 200 extends All ? 200 : Only<Extract<All, Success>>;

type Success = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226;

/** What the handler of a route with these answers may return. */
export type ResultOf<Returns> = [Returns] extends [undefined]
  ? HandlerResult
  : Returns extends StandardSchemaV1
    ? Input<Returns> | JsonResponse<Constant<Input<Returns>>, 200>
    :
        | { [Status in Statuses<Returns>]: Response<Returns[Status], Status> }[Statuses<Returns>]
        | Plain<Returns[PlainStatus<Statuses<Returns>>]>;

/**
 * Describes a route: what it answers, how it fails, and what documents say about it. Takes the place of the path:
 *
 * ```ts
 * const User = z.object({ id: z.string(), name: z.string() });
 * app.get(describeRoute('/users/:id', { returns: User, errors: { 404: 'There is no such user.' } }), (ctx) =>
 *   find(ctx.req.param('id')),
 * );
 * ```
 *
 * @throws ConfigError if an option is unknown, or is not of its kind.
 */
export function describeRoute<
  Path extends string,
  const Returns extends Responses | undefined = undefined,
  const Use extends readonly AnyMiddleware[] = NoMiddleware,
>(
  path: Path,
  options: RouteOptions<Returns, Use>,
): DescribedPath<Path, ResultOf<Returns>, '~none' extends keyof Use ? undefined : AddedBy<Use>> {
  return describe('describeRoute', path, options as RouteOptions) as never;
}

/** @deprecated Use `describeRoute`. */
export const route: typeof describeRoute = (path, options) =>
  describe('route', path, options as RouteOptions) as never;

function describe(who: string, path: string, options: RouteOptions): PathWithOptions {
  checkValue(who, 'the path', path, text);
  const given = checkOptions<RouteOptions>(`${who}('${path}')`, options, RULES);
  if (given.use !== undefined) assertUse(`the option 'use' of ${who}('${path}')`, given.use);
  return new PathWithOptions(path, given);
}

class PathWithOptions {
  readonly path: string;
  readonly options: RouteOptions;
  constructor(path: string, options: RouteOptions) {
    this.path = path;
    this.options = options;
  }
}

/** The path and the options of what a route was registered with. */
export function readPath(path: AnyPath): { path: string; options: RouteOptions } {
  return path instanceof PathWithOptions ? path : { path: path as string, options: {} };
}

const RULES: Rules<RouteOptions> = {
  returns: object('a schema, or an object of answers such as { 200: User }'),
  errors: object('an object such as { 404: "There is no such user." }'),
  summary: text,
  description: text,
  tags: listOf(filled),
  operationId: filled,
  deprecated: flag,
  security: object('an object of security schemes'),
  hidden: flag,
  noStore: flag,
  maxBodySize: bodyLimit,
  requestTimeout: requestTime,
  use: anything,
};
