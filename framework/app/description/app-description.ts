// Types only: what an App tells about itself, to tools of development.
import type { Json } from '../../wire/wire-type.js';

/** Places are `file:line:column` in the application. */
export interface AppDescription {
  /** In the order of registration. */
  readonly routes: readonly DescribedRoute[];
  /** Of the Apps from the outside in. */
  readonly middleware: readonly DescribedMiddleware[];
  readonly settings: readonly DescribedSetting[];
  readonly procedures: readonly DescribedProcedure[];
}

export interface DescribedRoute {
  /** `*` for all methods. */
  readonly method: string;
  readonly path: string;
  /** The name of the handler; empty without one. */
  readonly handler: string;
  readonly extractors: readonly string[];
  /** Who may call it; empty if everybody. */
  readonly guards: readonly string[];
  /** True if a guard of its Apps names it as an exception. */
  readonly isExcepted?: true;
  readonly middleware: readonly DescribedStep[];
  readonly summary?: string;
  readonly isDeprecated: boolean;
  readonly isHidden: boolean;
  readonly place: string;
}

/** Middleware around a route. */
export interface DescribedStep {
  /** Empty if it has none. */
  readonly name: string;
  readonly place?: string;
}

export interface DescribedMiddleware extends DescribedStep {
  /** The pattern that its App is mounted under; `/` for the App that listens. */
  readonly below: string;
}

export interface DescribedSetting {
  /** The method that sets it, such as `maxBodySize`. */
  readonly name: string;
  readonly value: string;
  /** Undefined if it is the default. */
  readonly place?: string;
}

export interface DescribedProcedure {
  readonly name: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** In TypeScript, with the types that it names. */
  readonly input: string;
  readonly output: string;
  /** Where the types come from: schemas, type strings, or the contract of `fw generate`. */
  readonly types: 'schema' | 'text' | 'contract';
  /** An input of its type; undefined if it has none. */
  readonly example?: Json;
  readonly method: string;
  /** Where it is mounted; all procedures of JSON-RPC have the same one. */
  readonly path: string;
  /** `mcp` for a tool, which has the name that models call it by. */
  readonly protocol: 'json-rpc' | 'rest' | 'mcp';
  readonly guards: readonly string[];
  /** True if the guard of its registry, or of its Apps, names it as an exception. */
  readonly isExcepted?: true;
  readonly place: string;
}
