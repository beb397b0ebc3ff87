// MCP of `fw dev`: answers requests to /_fw/mcp.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerHttp } from '../../../framework/mcp/protocol/http.js';
import { McpServer } from '../../../framework/mcp/protocol/server.js';
import type { DevFacts } from './mcp-facts.js';
import { DevSource } from './mcp-source.js';
import { readText } from './refusals.js';
import { written } from './workbench-server.js';

export class DevMcp {
  readonly #server: McpServer<undefined>;

  constructor(version: string, facts: DevFacts) {
    this.#server = new McpServer(new DevSource(version, facts));
  }

  /** Who may ask was decided before. None of its answers is a stream: no tool tells how far it is. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<symbol> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const header = (name: string): string | undefined => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    };
    const { status, message } = await answerHttp(
      this.#server,
      { ctx: undefined, signal: gone.signal, method: 'POST', header, text: () => readText(request) },
      [header('origin') ?? ''],
    );
    response.statusCode = status;
    if (message === undefined) response.end();
    else response.setHeader('content-type', 'application/json; charset=utf-8').end(JSON.stringify(message));
    return written;
  }
}
