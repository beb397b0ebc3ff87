// MCP, types only: what a server offers: tools and resources, for one caller.
import type {
  McpInputRequired,
  McpProgress,
  McpPrompt,
  McpPromptMessage,
  McpResource,
  McpResourceContents,
  McpResourceTemplate,
  McpTool,
  McpToolResult,
} from './messages.js';

/** One request, as tools and resources see it. */
export interface McpCaller<Ctx> {
  readonly ctx: Ctx;
  /** Aborts when the client does not wait for the response any more. */
  readonly signal: AbortSignal;
  /** Revisions before 2026-07-28 cannot be asked for input, and have other types of results. */
  readonly era: 'modern' | 'legacy';
  /** What the client can do. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The answers to what the round before has asked for; they come from the client. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
  /** What the server has sent with its questions, or something that the client has made up. */
  readonly requestState: unknown;
  /** Undefined if the client does not want to hear how far the call is. */
  readonly report: ((progress: McpProgress) => void) | undefined;
}

/** What a call has led to: the result, or what it needs before. */
export type McpOutcome = McpToolResult | McpInputRequired;

/** Everything may throw an `McpError`, which is the answer, or something else, which the HTTP server answers. */
export interface McpSource<Ctx> {
  readonly info: { readonly name: string; readonly version: string; readonly title?: string };
  readonly instructions?: string | undefined;
  /** How many entries a page of a list has. */
  readonly pageSize: number;
  /** How long clients may keep a list, in milliseconds. */
  readonly listTtl: number;
  tools(caller: McpCaller<Ctx>): Promise<readonly McpTool[]>;
  call(name: string, input: unknown, caller: McpCaller<Ctx>): Promise<McpOutcome>;
  /** Undefined if there are none. */
  readonly resources?: McpResources<Ctx> | undefined;
  /** Undefined if there are none. */
  readonly prompts?: McpPrompts<Ctx> | undefined;
  /** The values that an argument may have, those that begin with what was typed; undefined if nothing has the name. */
  complete(
    reference: McpReference,
    argument: string,
    typed: string,
    caller: McpCaller<Ctx>,
  ): Promise<readonly string[] | undefined>;
}

/** What has arguments to complete. */
export type McpReference = { readonly prompt: string } | { readonly template: string };

export interface McpPrompts<Ctx> {
  list(caller: McpCaller<Ctx>): Promise<readonly McpPrompt[]>;
  /** Undefined if there is none with the name. */
  get(
    name: string,
    input: Readonly<Record<string, unknown>>,
    caller: McpCaller<Ctx>,
  ): Promise<readonly McpPromptMessage[] | McpInputRequired | undefined>;
}

export interface McpResources<Ctx> {
  list(caller: McpCaller<Ctx>): Promise<readonly McpResource[]>;
  templates(caller: McpCaller<Ctx>): Promise<readonly McpResourceTemplate[]>;
  /** Undefined if there is none with the URI. */
  read(
    uri: string,
    caller: McpCaller<Ctx>,
  ): Promise<readonly McpResourceContents[] | McpInputRequired | undefined>;
  /** The URIs that can be watched, of those. */
  watchable(uris: readonly string[]): readonly string[];
  /**
   * The URI of each change from now on, until the caller's signal aborts. Rejects if the caller may not watch one, or too
   * many clients do.
   */
  watch(uris: readonly string[], caller: McpCaller<Ctx>): Promise<McpChanges>;
}

export interface McpChanges extends AsyncIterable<string> {
  /** Stops watching, also if nothing was read yet. */
  end(): void;
}
