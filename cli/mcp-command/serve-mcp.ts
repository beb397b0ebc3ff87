// `fw mcp`: leads a client of a model to the running `fw dev` of the project, wherever that is by now.
import { answerHttp } from '../../framework/mcp/protocol/http.js';
import { McpServer } from '../../framework/mcp/protocol/server.js';
import { serveMcpStdio } from '../../framework/mcp/stdio.js';
import { loadProject } from '../config/load.js';
import { DevSource } from '../dev/workbench/mcp-source.js';
import { tokenOf } from '../dev/workbench/token-file.js';
import { packageVersion } from '../process/package-root.js';
import { runningAddresses } from '../process/running-dev.js';

/** How long `fw dev` may take to accept a connection and to answer, in milliseconds: a command that a tool runs may be long. */
const ANSWER_LIMIT = 150_000;

/** Serves until the input ends. */
export async function serveMcp(): Promise<void> {
  const root = projectRoot();
  const alone = new McpServer(new DevSource(packageVersion(), undefined));
  await serveMcpStdio({ fetch: (request) => answer(request, root, alone) }, '/_fw/mcp');
}

function projectRoot(): string {
  try {
    return loadProject(process.cwd()).root;
  } catch {
    return process.cwd();
  }
}

/** By `fw dev` if one runs, and otherwise here, where what needs it says so. */
async function answer(request: Request, root: string, alone: McpServer<undefined>): Promise<Response> {
  const text = await request.text();
  for (const address of runningAddresses(root)) {
    const response = await ask(address, root, request, text);
    if (response !== undefined) return response;
  }
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const { status, message } = await answerHttp(
    alone,
    { ctx: undefined, signal: request.signal, method: 'POST', header, text: async () => text },
    [],
  );
  return new Response(message === undefined ? null : JSON.stringify(message), { status });
}

/** Undefined if nothing answers there any more. */
async function ask(
  address: string,
  root: string,
  request: Request,
  body: string,
): Promise<Response | undefined> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(ANSWER_LIMIT)]);
  try {
    const headers = Object.fromEntries(request.headers);
    return await fetch(`${address}/_fw/mcp?token=${tokenOf(root)}`, {
      method: 'POST',
      headers,
      body,
      signal,
    });
  } catch (error) {
    if (request.signal.aborted || signal.aborted) throw error;
    // It has just ended, or begins.
    return undefined;
  }
}
