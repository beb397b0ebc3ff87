// What may be set of a generated client.
import { flag, oneOf, type Rules, text } from '../options/rules.js';

/** Whether a client has its run time in its file, or imports it from `fw/client`. */
export type ClientForm = 'standalone' | 'import';

export interface GenerateClientOptions {
  /** The default URL of the client's constructor; `/rpc` if not given, in REST mode `/api`. */
  baseUrl?: string;
  /** `import` for a client in a project that has `fw` installed: it has types and tables alone. `standalone` by default. */
  client?: ClientForm;
}

export interface GenerateClientFileOptions extends GenerateClientOptions {
  /** Also writes a `.d.ts` next to the client, for a client that is compiled to JavaScript. */
  declarations?: boolean;
  /** Also writes the options of TanStack Query for each method, next to the client: `client-queries.ts`. */
  queryOptions?: boolean;
}

/** @internal */
export const CLIENT_RULES: Rules<GenerateClientOptions> = {
  baseUrl: text,
  client: oneOf('standalone', 'import'),
};

/** @internal */
export const CLIENT_FILE_RULES: Rules<GenerateClientFileOptions> = {
  ...CLIENT_RULES,
  declarations: flag,
  queryOptions: flag,
};
