// Types only: what extractors and routes say about themselves, for OpenAPI documents and clients.
import type { StandardSchemaV1 } from '../schema/standard-schema.js';

/** The schema of an object with a field for each name, or one schema for each name. */
export type FieldSchemas = StandardSchemaV1 | Readonly<Record<string, StandardSchemaV1>>;

/** When an error is the answer, by its status: `{ 404: 'There is no such user.' }`. */
export type DescribedErrors = Readonly<Record<number, string>>;

/** A way to authenticate: a Security Scheme Object of OpenAPI 3.0 (section 4.7.27). */
export type SecurityScheme =
  | {
      readonly type: 'http';
      /** Of the IANA registry of authentication schemes (RFC 9110, section 16.4.1), such as `bearer`. */
      readonly scheme: string;
      readonly bearerFormat?: string;
      readonly description?: string;
    }
  | {
      readonly type: 'apiKey';
      readonly in: 'header' | 'query' | 'cookie';
      /** The name of the header field, the query parameter or the cookie. */
      readonly name: string;
      readonly description?: string;
    }
  | { readonly type: 'openIdConnect'; readonly openIdConnectUrl: string; readonly description?: string };

/** Schemes by the names that the document gives them. The client must satisfy all of them. */
export type SecuritySchemes = Readonly<Record<string, SecurityScheme>>;

/**
 * What an extractor reads from the request, and how it refuses.
 *
 * ```ts
 * const CurrentUser: Extractor<User> = {
 *   extract: (ctx) => userOf(ctx.req.header('authorization')),
 *   describes: {
 *     security: { bearer: { type: 'http', scheme: 'bearer' } },
 *     errors: { 401: 'The token is missing or has expired.' },
 *   },
 * };
 * ```
 */
export interface ExtractorDescription {
  /** Path parameters. */
  readonly path?: FieldSchemas;
  /** Query parameters. */
  readonly query?: FieldSchemas;
  /** Header fields of the request, by their names. */
  readonly headers?: FieldSchemas;
  /** The body. */
  readonly body?: StandardSchemaV1;
  /** The media type of the body; `application/json` by default. */
  readonly bodyType?: string;
  readonly errors?: DescribedErrors;
  /** The schemes that it checks; of several, the client satisfies one. */
  readonly security?: SecuritySchemes | readonly SecuritySchemes[];
  /**
   * That it fills `ctx.principal()`, from `security`: the routes around which it runs may require that. `optional`
   * lets requests pass without it.
   */
  readonly authenticates?: 'required' | 'optional';
  /** That it lets requests pass which another method before it has authenticated. @internal */
  readonly acceptsEarlier?: boolean;
  /** That it requires a principal, with these scopes: all of them, or any. */
  readonly requires?: Requirement;
}

/** Who may call: somebody who is authenticated, with the scopes. */
export interface Requirement {
  readonly scopes?: readonly string[];
  /** `all` by default. */
  readonly match?: 'all' | 'any';
}
