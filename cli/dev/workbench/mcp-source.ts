// MCP of `fw dev`: its tools, for a server of the protocol.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerHttp } from '../../../framework/mcp/protocol/http.js';
import type { McpTool } from '../../../framework/mcp/protocol/messages.js';
import { CODE, McpError, type McpToolResult } from '../../../framework/mcp/protocol/messages.js';
import { McpServer } from '../../../framework/mcp/protocol/server.js';
import type { McpCaller, McpSource } from '../../../framework/mcp/protocol/source.js';
import { actionTools } from './mcp-action-tools.js';
import { docsTools } from './mcp-docs-tools.js';
import type { DevFacts } from './mcp-facts.js';
import { readTools } from './mcp-read-tools.js';
import { cut } from './mcp-texts.js';
import { type DevTool, Given, listed, ToolProblem } from './mcp-tool.js';
import { Refusal, readText } from './refusals.js';
import { written } from './workbench-server.js';

const TOOLS: readonly DevTool[] = [...readTools, ...docsTools, ...actionTools];

const INSTRUCTIONS = [
  'Tools of fw dev, the development server of this project. Begin with app_overview.',
  'To find a fault: list_requests with filter failed, then get_request, which has the line in the source.',
  'Look into the documentation by search_docs before you write code with fw.',
  'After a change, fw dev restarts the app by itself: app_overview says whether it built, and call_procedure or send_request tries it.',
].join('\n');

/** What no `fw dev` means for a tool. */
const NOT_RUNNING =
  'fw dev is not running in this project; start it in the background (npm run dev), then call the tool again. search_docs and read_doc work without it.';

/** The longest answer, in characters. */
const LONGEST = 24_000;

export class DevSource implements McpSource<undefined> {
  readonly info: McpSource<undefined>['info'];
  readonly instructions: string = INSTRUCTIONS;
  readonly pageSize: number = 50;
  readonly listTtl: number = 60_000;
  readonly #facts: DevFacts | undefined;

  /** @param facts undefined while no `fw dev` runs */
  constructor(version: string, facts: DevFacts | undefined) {
    this.info = { name: 'fw', version, title: 'fw dev' };
    this.#facts = facts;
  }

  async tools(): Promise<readonly McpTool[]> {
    return TOOLS.map(listed);
  }

  /** Not from types of the app. */
  async complete(): Promise<undefined> {}

  async call(name: string, input: unknown, { signal }: McpCaller<undefined>): Promise<McpToolResult> {
    const tool = TOOLS.find((one) => one.name === name);
    if (tool === undefined)
      throw new McpError(CODE.invalidParams, `Unknown tool: ${JSON.stringify(name.slice(0, 100))}`);
    try {
      const given = new Given(tool, input);
      if (this.#facts === undefined && tool.worksAlone !== true) throw new ToolProblem(NOT_RUNNING);
      // A tool that works alone asks for no facts.
      const text = await tool.run(given, this.#facts as DevFacts, signal);
      return { content: [{ type: 'text', text: cut(text, LONGEST) }] };
    } catch (error) {
      if (!(error instanceof ToolProblem) && !(error instanceof Refusal)) throw error;
      return { content: [{ type: 'text', text: error.message }], isError: true };
    }
  }
}

/** Answers requests to /_fw/mcp. */
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
