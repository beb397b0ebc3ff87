// Types only: what an App tells about itself, to tools of development.

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
  readonly middleware: readonly string[];
  readonly summary?: string;
  readonly isDeprecated: boolean;
  readonly isHidden: boolean;
  readonly place: string;
}

export interface DescribedMiddleware {
  readonly name: string;
  /** The pattern that its App is mounted under; `/` for the App that listens. */
  readonly below: string;
  readonly place?: string;
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
  readonly guards: readonly string[];
  /** True if the guard of its registry, or of its Apps, names it as an exception. */
  readonly isExcepted?: true;
  readonly place: string;
}
