// MCP of `fw dev`: the tools that read what the workbench shows.
import type { AppInfo, ProcedureInfo } from './app-info.js';
import type { DevFacts } from './mcp-facts.js';
import {
  at,
  cut,
  cycleLine,
  detailText,
  errorText,
  groupLine,
  hasFailed,
  list,
  requestLine,
  row,
  stateText,
  who,
} from './mcp-texts.js';
import { type DevTool, limit, SEARCH, ToolProblem } from './mcp-tool.js';

const OPEN = { type: 'boolean', description: 'true: only what anyone may call, without signing in' } as const;

/** @throws ToolProblem if nothing runs that could be asked: an empty list would say that the app has nothing */
export function demandRunning(facts: DevFacts): void {
  const { phase, failure } = facts.hello().state;
  if (phase === 'failed' && failure?.keepsServing !== true)
    throw new ToolProblem(
      `the app does not run: ${failure?.title ?? 'it has failed'}; app_overview shows the error, and fw dev starts the app again when a file is saved`,
    );
}

/** @throws ToolProblem if the app does not run, or is another server */
export async function describedApp(facts: DevFacts): Promise<AppInfo> {
  const app = await facts.app();
  if (app.isKnown) return app;
  demandRunning(facts);
  if (facts.hello().state.phase !== 'ready')
    throw new ToolProblem('the app has not started yet; call the tool again in a moment');
  throw new ToolProblem('the app is not an App of fw, so its routes and procedures are not known');
}

function fits(line: string, search: string): boolean {
  return search
    .toLowerCase()
    .split(' ')
    .filter(Boolean)
    .every((word) => line.toLowerCase().includes(word));
}

const overview: DevTool = {
  name: 'app_overview',
  description:
    'Start here: whether the app runs, build, type and boot errors, pending migrations, and how many routes, requests and errors there are.',
  parameters: {},
  async run(_, facts) {
    const { name, version, url, state, recordsSince } = facts.hello();
    const { isKnown, routes, procedures } = await facts.app();
    const all = facts.requests();
    const migrations = facts.migrations();
    const open = [...routes, ...procedures].filter(({ guards }) => guards.length === 0).length;
    return [
      row(name === '' ? 'app' : name, url, `fw ${version}`),
      stateText(state),
      ...(migrations === undefined
        ? []
        : [`migrations that have not run: ${[...migrations.pending, ...migrations.interrupted].join(', ')}`]),
      isKnown
        ? `${routes.length} routes and ${procedures.length} procedures, ${open} open to anyone`
        : 'routes and procedures are not known: no App of fw runs',
      `${all.length} requests recorded since ${new Date(recordsSince).toISOString().slice(11, 19)} UTC, ${all.filter(hasFailed).length} failed; ${facts.errors().length} different errors`,
    ].join('\n');
  },
};

const listRoutes: DevTool = {
  name: 'list_routes',
  description: 'Routes with who may call them, their handler and their line in the source.',
  parameters: { search: SEARCH, open: OPEN, limit: limit(200, 40) },
  async run(given, facts) {
    const { routes } = await describedApp(facts);
    const lines = routes
      .filter(({ guards }) => !given.flag('open') || guards.length === 0)
      .map(({ method, path, guards, handler, place }) =>
        row(`${method} ${path}`, who(guards), handler, at(place)),
      )
      .filter((line) => fits(line, given.text('search')));
    return lines.length === 0
      ? 'no results'
      : list(lines, given.whole('limit', 40), 'search, or raise limit');
  },
};

const listProcedures: DevTool = {
  name: 'list_procedures',
  description:
    'RPC procedures with who may call them and their line in the source; get_procedure has the types of one.',
  parameters: { search: SEARCH, open: OPEN, limit: limit(200, 40) },
  async run(given, facts) {
    const { procedures } = await describedApp(facts);
    const lines = procedures
      .filter(({ guards }) => !given.flag('open') || guards.length === 0)
      .map(({ kind, name, path, protocol, guards, place }) =>
        row(`${protocol === 'mcp' ? 'tool' : kind} ${name}`, who(guards), `${protocol} ${path}`, at(place)),
      )
      .filter((line) => fits(line, given.text('search')));
    return lines.length === 0
      ? 'no results'
      : list(lines, given.whole('limit', 40), 'search, or raise limit');
  },
};

const getProcedure: DevTool = {
  name: 'get_procedure',
  description:
    'One RPC procedure: the TypeScript types of its input and result, an example input, who may call it, its line.',
  parameters: { name: { type: 'string', description: 'such as tasks.list', isRequired: true } },
  async run(given, facts) {
    const one = procedureOf(await describedApp(facts), given.text('name'));
    return [
      row(
        `${one.kind} ${one.name}`,
        who(one.guards),
        `${one.protocol} ${one.method} ${one.path}`,
        at(one.place),
      ),
      `input: ${cut(one.input, 4000)}`,
      `result: ${cut(one.output, 4000)}`,
      ...(one.example === undefined ? [] : [`example input: ${cut(JSON.stringify(one.example), 1000)}`]),
    ].join('\n');
  },
};

/** @throws ToolProblem if there is none */
export function procedureOf({ procedures }: AppInfo, name: string): ProcedureInfo {
  const found = procedures.find((one) => one.name === name && one.protocol !== 'mcp');
  if (found !== undefined) return found;
  const last = name.split('.').at(-1) ?? name;
  const similar = procedures
    .map((one) => one.name)
    .filter((one) => fits(one, last))
    .slice(0, 5);
  const hint = similar.length === 0 ? 'list_procedures lists them' : `there is ${similar.join(', ')}`;
  throw new ToolProblem(`there is no procedure ${JSON.stringify(name.slice(0, 100))}; ${hint}`);
}

const listRequests: DevTool = {
  name: 'list_requests',
  description:
    'Recorded requests, the newest first: number, method, path, status, time, failed RPC calls. Use filter failed to find what fails; text searches in bodies, headers, logs and SQL too.',
  parameters: {
    filter: { type: 'string', enum: ['all', 'failed', 'slow'], description: 'slow is over 100 ms' },
    search: SEARCH,
    text: { type: 'string', description: 'a text anywhere in the requests' },
    before: {
      type: 'integer',
      minimum: 1,
      maximum: 1e9,
      description: 'the number of a request: only older ones',
    },
    limit: limit(100, 15),
  },
  async run(given, facts, signal) {
    const text = given.text('text');
    const found = text === '' ? undefined : new Set((await facts.search(text, signal)).map(({ id }) => id));
    const filter = given.text('filter');
    const before = given.whole('before', Number.MAX_SAFE_INTEGER);
    const lines = facts
      .requests()
      .filter((one) => one.isOfFrontend !== true && one.id < before)
      .filter((one) => found === undefined || found.has(one.id))
      .filter((one) =>
        filter === 'failed' ? hasFailed(one) : filter !== 'slow' || (one.durationMs ?? 0) > 100,
      )
      .map(requestLine)
      .filter((line) => fits(line, given.text('search')))
      .reverse();
    if (lines.length > 0) return list(lines, given.whole('limit', 15), 'give before, search, or raise limit');
    return 'no results; requests are recorded from the first call of a tool on, and while the workbench is open. send_request sends one.';
  },
};

const getRequest: DevTool = {
  name: 'get_request',
  description:
    'One recorded request: the error with its line and the code around it, log lines, SQL statements, steps with timings. full adds header fields and whole bodies.',
  parameters: {
    id: {
      type: 'integer',
      minimum: 1,
      maximum: 1e9,
      description: 'the number in list_requests',
      isRequired: true,
    },
    full: { type: 'boolean', description: 'true: with header fields and bodies' },
  },
  run: (given, facts) => detailText(facts.request(given.whole('id', 0)), given.flag('full')),
};

const listErrors: DevTool = {
  name: 'list_errors',
  description:
    'Different errors of the app, the newest first, with their line and the newest request that had them.',
  parameters: { limit: limit(50, 10) },
  run(given, facts) {
    const groups = facts.errors();
    if (groups.length === 0) return 'no errors since fw dev began to record';
    const [newest] = groups;
    const lines = list(groups.map(groupLine), given.whole('limit', 10), 'raise limit');
    return newest === undefined ? lines : `${lines}\n\nthe newest:\n${errorText(newest.error)}`;
  },
};

const listRestarts: DevTool = {
  name: 'list_restarts',
  description:
    'What fw dev has done since its start, the newest last: restarts with times, build, boot and type errors, clients that were written.',
  parameters: { limit: limit(100, 10) },
  run(given, facts) {
    const lines = facts.cycles().map(cycleLine).slice(-given.whole('limit', 10));
    return lines.length === 0 ? 'nothing yet' : lines.join('\n');
  },
};

const showSettings: DevTool = {
  name: 'show_settings',
  description:
    'Environment variables of the app (secrets masked) and who reads them, fw.toml, and settings of the App, with their lines.',
  parameters: { search: SEARCH },
  async run(given, facts) {
    const { environment, config, settings } = await facts.app();
    const own = environment.filter(({ from, readBy }) => from !== 'shell' || readBy === 'app');
    const parts: (readonly [string, readonly string[]])[] = [
      [
        'environment',
        own.map(({ name, value, from, readBy, place }) =>
          row(`${name}=${value ?? '(not set)'}`, from, readBy && `read by ${readBy}`, at(place)),
        ),
      ],
      ['fw.toml', config.map(({ key, value, place }) => row(`${key} = ${value}`, at(place) || 'default'))],
      ['App', settings.map(({ name, value, place }) => row(`${name}: ${value}`, at(place) || 'default'))],
    ];
    const shown = parts.map(
      ([title, lines]) => [title, lines.filter((line) => fits(line, given.text('search')))] as const,
    );
    const texts = shown
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => `${title}:\n${list(lines, 60, 'search')}`);
    return texts.length === 0 ? 'no results' : texts.join('\n\n');
  },
};

export const readTools: readonly DevTool[] = [
  overview,
  listRoutes,
  listProcedures,
  getProcedure,
  listRequests,
  getRequest,
  listErrors,
  listRestarts,
  showSettings,
];
