// MCP of `fw dev`: the tools that do something: send a request, call a procedure, run a command.
import type { DevFacts } from './mcp-facts.js';
import { demandRunning, describedApp, procedureOf } from './mcp-read-tools.js';
import { cut, detailText } from './mcp-texts.js';
import { type DevTool, type Given, ToolProblem } from './mcp-tool.js';
import type { HeaderField } from './protocol.js';

const JSON_FIELD: HeaderField = ['Content-Type', 'application/json'];
const HEADERS = {
  type: 'object',
  description:
    'header fields by name, such as {"authorization": "Bearer …"}; a masked value of a recorded request may be given as it is',
} as const;

async function sent(facts: DevFacts, order: object): Promise<string> {
  const { id } = await facts.send(order);
  return detailText(facts.request(id), false);
}

function fieldsOf(given: Given): HeaderField[] {
  const value = given.value('headers') ?? {};
  return Object.entries(value).map(([name, one]): HeaderField => {
    if (typeof one === 'string') return [name, one];
    throw new ToolProblem(
      `the header field ${JSON.stringify(name.slice(0, 80))} is not a text; give {"name": "value"}`,
    );
  });
}

const sendRequest: DevTool = {
  name: 'send_request',
  description:
    'Sends a request to the app and shows what happened, as get_request does. It runs the app, with all that this changes.',
  changes: 'something',
  parameters: {
    method: { type: 'string', description: 'such as GET', isRequired: true },
    path: { type: 'string', description: 'path and query, such as /tasks?done=true', isRequired: true },
    headers: HEADERS,
    body: { type: 'string', description: 'the body; JSON unless headers have another Content-Type' },
  },
  async run(given, facts) {
    const body = given.text('body');
    const own = fieldsOf(given);
    const isTyped = own.some(([name]) => name.toLowerCase() === 'content-type');
    const headers = body === '' || isTyped ? own : [JSON_FIELD, ...own];
    return await sent(facts, { method: given.text('method'), target: given.text('path'), headers, body });
  },
};

const callProcedure: DevTool = {
  name: 'call_procedure',
  description:
    'Calls an RPC procedure over HTTP, with its guards, and shows what happened. It runs the app, with all that this changes.',
  changes: 'something',
  parameters: {
    name: { type: 'string', description: 'such as tasks.list', isRequired: true },
    input: { type: 'object', description: 'the input; get_procedure has its type' },
    headers: HEADERS,
  },
  async run(given, facts) {
    const { name, kind, method, path, protocol } = procedureOf(await describedApp(facts), given.text('name'));
    if (kind === 'subscription')
      throw new ToolProblem(`${name} is a subscription, which has no end; call a query or a mutation`);
    const input = given.value('input');
    const own = fieldsOf(given);
    if (protocol === 'rest' && method === 'GET') {
      return await sent(facts, { method, target: `${path}${queryOf(input)}`, headers: own, body: '' });
    }
    const call = { jsonrpc: '2.0', id: 1, method: name, ...(input !== undefined && { params: input }) };
    const body = JSON.stringify(protocol === 'rest' ? (input ?? {}) : call);
    return await sent(facts, { method: 'POST', target: path, headers: [JSON_FIELD, ...own], body });
  },
};

/** Fields of an input as parameters; one with a list is repeated. */
function queryOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const pairs = Object.entries(input).flatMap(([name, value]) =>
    [value]
      .flat()
      .map((one): [string, string] => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** A command of `fw` in the project. */
function command(
  name: string,
  description: string,
  args: readonly string[],
  changes: DevTool['changes'],
): DevTool {
  return {
    name,
    description,
    ...(changes !== undefined && { changes }),
    parameters: {},
    async run(_, facts, signal) {
      const { exitCode, output } = await facts.command(args, signal);
      return `fw ${args.join(' ')}: ${exitCode === 0 ? 'done' : `exit code ${exitCode}`}\n${cut(output.trim(), 6000)}`;
    },
  };
}

const runMigrations: DevTool = {
  name: 'run_migrations',
  description: 'Runs the migrations of the database that have not run; app_overview names them.',
  changes: 'what cannot be undone',
  parameters: {},
  async run(_, facts) {
    if (facts.migrations() === undefined) {
      demandRunning(facts);
      return 'no migrations are to be run';
    }
    const { ran } = await facts.migrate();
    return `ran: ${ran.join(', ')}`;
  },
};

export const actionTools: readonly DevTool[] = [
  sendRequest,
  callProcedure,
  command(
    'run_generate',
    'Runs fw generate: writes the typed client and the contract of the app.',
    ['generate'],
    'something',
  ),
  command(
    'check_client',
    'Whether the generated client is up to date, and what would change: fw generate --diff, which writes nothing.',
    ['generate', '--diff'],
    undefined,
  ),
  command(
    'run_doctor',
    'Runs fw doctor: checks the project and the machine, with fixes.',
    ['doctor'],
    undefined,
  ),
  runMigrations,
];
