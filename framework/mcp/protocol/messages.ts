// MCP: what travels: versions, keys of metadata, codes of errors, and the parts of lists and results.
// https://modelcontextprotocol.io/specification/2026-07-28

/** The revision without sessions: every request says who asks and what the client can do. */
export const MODERN = '2026-07-28';
/** Revisions with a handshake, the newest first. Their requests are answered without a session too. */
export const LEGACY: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** Keys of `_meta` (basic, "Reserved keys"). */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  server: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** Codes of errors: of JSON-RPC 2.0 (section 5.1), and of MCP. */
export const CODE = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** An HTTP request that is refused before its message is read. */
  refused: -32000,
  /** Of revisions before 2026-07-28. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

export type McpId = string | number;

/** An error that answers a request. */
export class McpError extends Error {
  readonly code: number;
  readonly data: unknown;
  /** The status over HTTP. */
  readonly status: number;

  constructor(
    code: number,
    message: string,
    { data, status = 200 }: { data?: unknown; status?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.data = data;
    this.status = status;
  }
}

/** A part of a result (server/tools, "Tool Result"). */
export type McpContentBlock =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is in base64. */
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly description?: string;
      readonly mimeType?: string;
    }
  | { readonly type: 'resource'; readonly resource: McpResourceContents };

/** The content of a resource: a text, or bytes in base64. */
export type McpResourceContents =
  | { readonly uri: string; readonly mimeType?: string; readonly text: string }
  | { readonly uri: string; readonly mimeType?: string; readonly blob: string };

/** A JSON Schema of draft 2020-12, which is the one that counts without `$schema`. */
export type McpSchema = { readonly [keyword: string]: unknown };

/** A tool as it is listed. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: McpSchema;
  readonly outputSchema?: McpSchema;
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
}

/** A resource, or with `uriTemplate` a template of them, as it is listed. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export type McpResourceTemplate = Omit<McpResource, 'uri'> & { readonly uriTemplate: string };

/** What a tool has answered. */
export interface McpToolResult {
  readonly content: readonly McpContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: true;
}

/** How far a call is. `progress` grows with each report. */
export interface McpProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A prompt as it is listed: a text for the person who uses the client, with arguments that are texts. */
export interface McpPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: true;
  }[];
}

/** One message of a prompt. */
export interface McpPromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: McpContentBlock;
}

/** What the client is asked for (2026-07-28, "Multi Round-Trip Requests"). */
export type McpInputRequest =
  /** A question for the person who uses the client (client/elicitation). */
  | {
      readonly method: 'elicitation/create';
      readonly params:
        | { readonly mode: 'form'; readonly message: string; readonly requestedSchema: McpSchema }
        | { readonly mode: 'url'; readonly message: string; readonly url: string };
    }
  /** A text of the client's model (client/sampling). */
  | { readonly method: 'sampling/createMessage'; readonly params: Readonly<Record<string, unknown>> }
  /** The folders that the client works with (client/roots). */
  | { readonly method: 'roots/list'; readonly params?: Readonly<Record<string, unknown>> };

/** Says that a call needs answers before it can go on; the client repeats it with them and the state. */
export class McpInputRequired {
  readonly inputRequests: Readonly<Record<string, McpInputRequest>>;
  readonly requestState: string;

  constructor(inputRequests: Readonly<Record<string, McpInputRequest>>, requestState: string) {
    this.inputRequests = inputRequests;
    this.requestState = requestState;
  }
}

/** Whether a value is an object, and no array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
