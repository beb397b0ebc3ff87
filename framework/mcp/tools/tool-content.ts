// MCP: the result of a procedure as that of a tool: for programs as a value, for models as text.
import { FwError, isThrown } from '../../http/errors.js';
import { resultText } from '../../rpc/procedure/result-text.js';
import type { JsonRpcErrorObject } from '../../rpc/protocol/messages.js';
import { isRecord, type McpContentBlock, type McpToolResult } from '../protocol/messages.js';

/**
 * What a procedure returns for a model to see or hear. Over RPC, it is the list of its blocks.
 *
 * @see {@link toolContent}
 */
export class ToolContent {
  readonly blocks: readonly McpContentBlock[];

  /** @internal */
  constructor(blocks: readonly McpContentBlock[]) {
    this.blocks = blocks;
  }

  toJSON(): readonly McpContentBlock[] {
    return this.blocks;
  }
}

/**
 * A result that is not a value, but something to read, see or hear.
 *
 * ```ts
 * rpc.query('chart', { mcp: true }, async () =>
 *   toolContent([{ type: 'image', data: (await draw()).toString('base64'), mimeType: 'image/png' }]),
 * );
 * ```
 */
export function toolContent(blocks: readonly McpContentBlock[]): ToolContent {
  if (!Array.isArray(blocks) || !blocks.every((one) => isRecord(one) && typeof one.type === 'string')) {
    throw new Error("toolContent() takes a list of blocks, such as [{ type: 'text', text: 'done' }]");
  }
  return new ToolContent(blocks);
}

/** What decides the form of a result. */
export interface ResultForm {
  readonly name: string;
  readonly era: 'modern' | 'legacy';
  /** In bytes of UTF-8. */
  readonly maxSize: number;
}

/** @throws Error if the result has no JSON form */
export function succeeded(result: unknown, { name, era, maxSize }: ResultForm): McpToolResult {
  const text = typeof result === 'string' ? result : resultText(name, result);
  const size = sizeOf(text);
  if (size > maxSize) return tooLarge(size, maxSize);
  if (result instanceof ToolContent) return { content: result.blocks };
  const content = [{ type: 'text', text } as const];
  // Before 2026-07-28, only an object may be structured content.
  const isValue = era === 'modern' || (typeof result !== 'string' && text.startsWith('{'));
  return isValue ? { content, structuredContent: result === undefined ? null : result } : { content };
}

/** For the model: what is wrong, by which name, and what it can do about it. */
export function failed({ code, name, message, data }: JsonRpcErrorObject): McpToolResult {
  const what = name === undefined ? message : `${name}: ${message}`;
  const more = data === undefined ? '' : `\n${JSON.stringify({ code, data })}`;
  return { content: [{ type: 'text', text: `${what}${more}` }], isError: true };
}

function tooLarge(size: number, most: number): McpToolResult {
  const text = `The result has ${size} bytes, more than the ${most} that this tool may return. Ask for less, such as a page or one entry.`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** The bytes of a text in UTF-8, without making them. */
function sizeOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // A surrogate is half of a character of four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** A refusal of who asks, which is the answer to the HTTP request, so that a client can sign in. */
export function isRefusal(error: unknown): error is FwError {
  return isThrown(error, FwError) && (error.status === 401 || error.status === 403);
}
