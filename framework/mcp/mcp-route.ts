// MCP: the route of `app.mountMcp`. Loaded only by Apps that have one.
import { ConfigError } from '../config-error.js';
import { decodeBody } from '../context/buffered-body.js';
import type { Context } from '../context/context.js';
import type { RouteHandler } from '../context/handlers.js';
import { ContentType, FwResponse } from '../http/response.js';
import { assertRegistry } from '../rpc/registry/assert-registry.js';
import type { RegistryTools, RpcRegistry } from '../rpc/registry/registry.js';
import { eventStream } from '../streaming/event-stream.js';
import { SseEvent } from '../streaming/sse-event.js';
import { type AllMcpOptions, type McpOptions, readMcpOptions } from './mcp-options.js';
import { answerHttp, type HttpAnswer } from './protocol/http.js';
import { McpServer, type Outgoing } from './protocol/server.js';
import type { McpSource } from './protocol/source.js';
import { RegistrySource } from './tools/registry-source.js';
import { toolName } from './tools/tool-name.js';

/** The idle time of a stream after which a comment is sent, in milliseconds. */
const HEARTBEAT_MS = 15_000;

function mcpRoute(source: McpSource<Context>, origins: readonly string[]): RouteHandler {
  const server = new McpServer(source);
  return async function mcp(ctx) {
    const request = {
      ctx,
      get signal() {
        return ctx.signal;
      },
      method: ctx.method,
      header: (name: string) => ctx.req.header(name),
      text: async () => decodeBody(await ctx.req.body.content()),
    };
    return toResponse(ctx, await answerHttp(server, request, origins));
  };
}

function toResponse(ctx: Context, { status, headers = {}, message, messages }: HttpAnswer): FwResponse {
  for (const [name, value] of Object.entries(headers)) ctx.header(name, value);
  // A procedure may queue header fields, but the status is that of the transport.
  ctx.status(status);
  if (messages !== undefined) return eventStream(eventsOf(messages), HEARTBEAT_MS);
  if (message === undefined) return new FwResponse('', status, undefined);
  return new FwResponse(JSON.stringify(message), status, ContentType.json);
}

/** Asks for a message when the connection has taken the one before. */
function eventsOf(messages: AsyncIterable<Outgoing>): AsyncIterable<SseEvent> {
  return {
    [Symbol.asyncIterator]() {
      const source = messages[Symbol.asyncIterator]();
      return {
        async next() {
          const { done, value } = await source.next();
          if (done === true) return { done: true, value: undefined };
          return { done: false, value: SseEvent.data(JSON.stringify(value)).event('message') };
        },
        return() {
          // A generator that waits for an event ends by the signal of its request.
          source.return?.().catch(() => {});
          return Promise.resolve({ done: true, value: undefined });
        },
      };
    },
  };
}

/** @throws ConfigError if there are no tools, or two procedures would be one tool */
export function mountedMcp(who: string, registry: RegistryTools, options: AllMcpOptions): RouteHandler {
  assertNames(who, registry);
  return mcpRoute(new RegistrySource(registry, options), options.origins);
}

/**
 * The handler of a route that answers the Model Context Protocol, for where `app.mountMcp` is not: on Workers, whose
 * bundles have nothing that they do not import.
 *
 * ```ts
 * app.post(route('/mcp', { maxBodySize: 1_048_576 }), mcpHandler(rpc, { name: 'tasks', version: '1.0.0' }));
 * ```
 *
 * @throws ConfigError as `app.mountMcp`. The size of a message is limited by its route alone.
 */
export function mcpHandler(
  registry: RpcRegistry,
  options: Omit<McpOptions, 'maxBodySize'> = {},
): RouteHandler {
  assertRegistry('mcpHandler()', registry);
  return mountedMcp('mcpHandler', registry.tools(), readMcpOptions('mcpHandler', options));
}

/** What models and clients know as a name (server/tools, "Tool Names"). */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

function assertNames(who: string, { tools }: RegistryTools): void {
  if (tools.length === 0) {
    throw new ConfigError(
      'FW_MCP_TOOLS',
      `${who}: no procedure of the registry is a tool; give those that a model may call the option mcp: true, or call .mcp() on the registry or group`,
    );
  }
  const known = new Map<string, string>();
  for (const { procedure } of tools) {
    const name = toolName(procedure.name);
    const other = known.get(name);
    if (other !== undefined) {
      throw new ConfigError(
        'FW_MCP_TOOLS',
        `${who}: '${other}' and '${procedure.name}' would both be the tool '${name}'; rename one of them`,
      );
    }
    if (!NAME.test(name)) {
      throw new ConfigError(
        'FW_MCP_TOOLS',
        `${who}: '${procedure.name}' cannot be a tool: its name must be at most 64 letters, digits, '_', '-' and '.'; rename it, or give it mcp: false`,
      );
    }
    known.set(name, procedure.name);
  }
}
