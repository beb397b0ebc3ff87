// The public names of `fw/mcp`.

export type { McpToolOptions } from '../rpc/procedure/tool-options.js';
export type { McpOptions } from './mcp-options.js';
export { mcpHandler } from './mcp-route.js';
export type {
  McpContentBlock,
  McpInputRequest,
  McpProgress,
  McpPromptMessage,
  McpResourceContents,
  McpSchema,
} from './protocol/messages.js';
export { type McpAnswering, type McpStdioOptions, serveMcpStdio } from './stdio.js';
export { clientCapabilities, elicitation, reportProgress, requestInput } from './tools/rounds.js';
export { type ToolContent, toolContent } from './tools/tool-content.js';
