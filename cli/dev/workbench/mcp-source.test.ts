import { expect, it } from 'vitest';
import type { AppInfo, ProcedureInfo } from './app-info.js';
import type { DevFacts } from './mcp-facts.js';
import { DevSource } from './mcp-source.js';
import type { ErrorGroup, Hello, RequestDetail, RequestSummary, ShownError } from './protocol.js';
import { Refusal } from './refusals.js';

const place = { file: 'src/app.ts', line: 12, column: 3 };
const error: ShownError = {
  title: 'TypeError: no such thing',
  frames: [{ text: 'handler (src/app.ts:12:3)', place }, { text: 'node:internal/timers:1:1' }],
  details: '',
  code: { place, first: 11, lines: ['const a = 1;', 'throw new TypeError();', '}'], length: 5 },
  docs: 'errors/FW_ENV',
};
const procedure: ProcedureInfo = {
  name: 'tasks.add',
  kind: 'mutation',
  input: '{ title: string }',
  output: 'void',
  types: 'schema',
  example: { title: 'text' },
  method: 'POST',
  path: '/rpc',
  protocol: 'json-rpc',
  guards: ['signed in'],
  place,
};
const app: AppInfo = {
  isKnown: true,
  routes: [
    { method: 'GET', path: '/open', handler: 'open', extractors: [], guards: [], middleware: [], place },
    { method: 'GET', path: '/closed', handler: '', extractors: [], guards: ['scopes: a'], middleware: [] },
  ],
  middleware: [],
  settings: [{ name: 'maxBodySize', value: '10 bytes', place }],
  procedures: [
    procedure,
    {
      ...procedure,
      name: 'tasks.list',
      kind: 'query',
      guards: [],
      method: 'GET',
      path: '/api/tasks.list',
      protocol: 'rest',
    },
    { ...procedure, name: 'changes', kind: 'subscription' },
    { ...procedure, name: 'tasks_add', path: '/mcp', protocol: 'mcp' },
  ],
  environment: [
    { name: 'KEY', value: '••••••', from: '.env', readBy: 'app', place },
    { name: 'SHELL', value: '/bin/sh', from: 'shell' },
  ],
  config: [{ key: 'project.backend_port', value: '3000' }],
};
const requests: RequestSummary[] = [
  { id: 1, began: 0, method: 'GET', target: '/open', status: 200, durationMs: 1.25 },
  {
    id: 2,
    began: 0,
    method: 'POST',
    target: '/rpc',
    status: 200,
    durationMs: 250,
    label: 'tasks.add',
    calls: [{ procedure: 'tasks.add', outcome: '-32602', message: 'bad' }],
  },
  { id: 3, began: 0, method: 'GET', target: '/module.js', status: 500, isOfFrontend: true },
  {
    id: 4,
    began: 0,
    method: 'GET',
    target: '/boom',
    status: 500,
    durationMs: 3,
    hasCrashed: true,
    equalReads: 30,
  },
  { id: 5, began: 0, method: 'JOB', target: 'tidy', isJob: true, hasFailed: true },
];
const detail: RequestDetail = {
  ...(requests[3] as RequestSummary),
  origin: 'http://localhost',
  route: '/boom',
  requestHeaders: [['authorization', '••••••']],
  responseHeaders: [['x-a', 'b']],
  requestBody: { size: 3, type: 'image/png' },
  responseBody: { size: 5000, type: 'text/plain', text: 'x'.repeat(5000) },
  steps: [
    { kind: 'handler', name: 'boom', start: 0, end: 3, depth: 0, error: 'TypeError: no such thing' },
    ...Array.from({ length: 30 }, () => ({
      kind: 'database' as const,
      name: 'select 1',
      start: 1,
      end: 2,
      depth: 1,
      parent: 0,
      parameters: ['7'],
      place,
    })),
  ],
  log: [{ at: 1, level: 'warn', message: 'careful', fields: { id: '7' }, place }],
  error,
  advice: ['give it a thing'],
};
const group: ErrorGroup = {
  id: 1,
  title: error.title,
  place,
  count: 3,
  first: 0,
  last: 0,
  requests: [requests[3] as RequestSummary],
  error,
};
const hello: Hello = {
  version: '1.0.0',
  name: 'shop',
  url: 'http://127.0.0.1:3000',
  recordsSince: 0,
  state: { generation: 1, phase: 'ready', types: [{ text: 'TS2322: wrong' }] },
  tests: { runner: 'vitest', gives: 'app', file: 'src/app.ts', module: './app.ts' },
};

const orders: unknown[] = [];
const facts: DevFacts = {
  hello: () => hello,
  app: async () => app,
  requests: () => requests,
  request(id) {
    if (id !== 4) throw new Refusal(404, 'NotFound', `request ${id} is not kept any more`);
    return detail;
  },
  errors: () => [group],
  cycles: () => [
    {
      id: 1,
      time: 0,
      kind: 'build-failed',
      what: 'src/app.ts changed',
      problems: [{ text: 'Unexpected ";"' }],
    },
  ],
  search: async () => [{ id: 2, places: [], more: 0 }],
  async send(order) {
    orders.push(order);
    return { id: 4 };
  },
  migrations: () => ({ pending: ['001_init'], interrupted: [], edited: [], missing: [] }),
  migrate: async () => ({ ran: ['001_init'] }),
  command: async (args) => ({ exitCode: 1, output: `ran ${args.join(' ')}` }),
};
const caller = { ctx: undefined, signal: new AbortController().signal } as never;

async function use(name: string, input: object = {}, own: DevFacts | 'none' = facts): Promise<string> {
  const { content, isError } = await new DevSource('1.0.0', own === 'none' ? undefined : own).call(
    name,
    input,
    caller,
  );
  const [first] = content;
  return `${isError === true ? 'error: ' : ''}${first?.type === 'text' ? first.text : ''}`;
}

it('gives an overview', async () => {
  expect(await use('app_overview')).toBe(
    [
      'shop  http://127.0.0.1:3000  fw 1.0.0',
      'state: ready',
      'type errors: 1',
      'TS2322: wrong',
      'migrations that have not run: 001_init',
      '2 routes and 4 procedures, 2 open to anyone',
      '5 requests recorded since 00:00:00 UTC, 4 failed; 1 different errors',
    ].join('\n'),
  );
});

it('says that the app does not run, instead of that it has nothing', async () => {
  const unknown: AppInfo = { ...app, isKnown: false, routes: [], procedures: [] };
  const of = (state: Hello['state']): DevFacts => ({
    ...facts,
    hello: () => ({ ...hello, state }),
    app: async () => unknown,
    migrations: () => undefined,
  });
  const failure = { title: 'src/main.ts failed to start', problems: [], keepsServing: false };
  const failed = of({ generation: 1, phase: 'failed', failure });
  const asked: [name: string, input: object][] = [
    ['list_routes', {}],
    ['list_procedures', {}],
    ['get_procedure', { name: 'tasks.add' }],
    ['call_procedure', { name: 'tasks.add' }],
  ];
  for (const [name, input] of [...asked, ['run_migrations', {}] as const])
    expect(await use(name, input, failed)).toMatch(
      /^error: the app does not run: src\/main.ts failed to start; app_overview shows/,
    );
  for (const [name, input] of asked) {
    expect(await use(name, input, of({ generation: 0, phase: 'starting' }))).toMatch(
      /^error: .* not started yet/,
    );
    expect(await use(name, input, of(hello.state))).toMatch(/^error: the app is not an App of fw/);
  }
  expect(await use('app_overview', {}, failed)).toContain('routes and procedures are not known');
  expect(await use('run_migrations', {}, of(hello.state))).toBe('no migrations are to be run');
});

it.each([
  ['list_routes', {}, 'GET /open  anyone  open  src/app.ts:12\nGET /closed  scopes: a'],
  ['list_routes', { open: true }, 'GET /open  anyone  open  src/app.ts:12'],
  ['list_routes', { search: 'GET closed' }, 'GET /closed  scopes: a'],
  ['list_routes', { search: 'nothing' }, 'no results'],
  ['list_routes', { limit: 1 }, 'GET /open  anyone  open  src/app.ts:12\n… 1 more; search, or raise limit'],
  ['list_procedures', { open: true }, 'query tasks.list  anyone  rest /api/tasks.list  src/app.ts:12'],
  ['list_procedures', { search: 'tool' }, 'tool tasks_add  signed in  mcp /mcp  src/app.ts:12'],
  [
    'get_procedure',
    { name: 'tasks.add' },
    'mutation tasks.add  signed in  json-rpc POST /rpc  src/app.ts:12\ninput: { title: string }\nresult: void\nexample input: {"title":"text"}',
  ],
  ['get_procedure', { name: 'add' }, 'error: there is no procedure "add"; there is tasks.add, tasks_add'],
  [
    'list_requests',
    { filter: 'failed' },
    '#5  JOB tidy  job  failed\n#4  GET /boom  500  3.0 ms  ended the process  N+1: 30 equal statements\n#2  POST /rpc  tasks.add  200  250.0 ms  failed: tasks.add  -32602  bad',
  ],
  [
    'list_requests',
    { filter: 'slow' },
    '#2  POST /rpc  tasks.add  200  250.0 ms  failed: tasks.add  -32602  bad',
  ],
  ['list_requests', { before: 2 }, '#1  GET /open  200  1.3 ms'],
  [
    'list_requests',
    { text: 'title' },
    '#2  POST /rpc  tasks.add  200  250.0 ms  failed: tasks.add  -32602  bad',
  ],
  ['list_restarts', {}, '00:00:00  build-failed  src/app.ts changed\n    Unexpected ";"'],
  [
    'show_settings',
    {},
    'environment:\nKEY=••••••  .env  read by app  src/app.ts:12\n\nfw.toml:\nproject.backend_port = 3000  default\n\nApp:\nmaxBodySize: 10 bytes  src/app.ts:12',
  ],
  ['run_migrations', {}, 'ran: 001_init'],
  ['run_doctor', {}, 'fw doctor: exit code 1\nran doctor'],
  ['check_client', {}, 'fw generate --diff: exit code 1\nran generate --diff'],
])('%s with %j', async (name, input, text) => {
  expect(await use(name, input)).toBe(text);
});

it('shows a request with the error, the code around it and what to do, and no more than asked for', async () => {
  const text = await use('get_request', { id: 4 });
  expect(text).toContain(
    'error:\nTypeError: no such thing\n  at src/app.ts:12  handler (src/app.ts:12:3)\nsrc/app.ts:12\n    11 | const a = 1;\n>   12 | throw new TypeError();',
  );
  expect(text).toContain('fix: give it a thing\ndocumentation: read_doc errors/FW_ENV');
  expect(text).toContain('log:\nwarn  careful  id=7  src/app.ts:12');
  expect(text).toContain('… 5 more; give full: true');
  expect(text).not.toContain('authorization');
  expect(text.length).toBeLessThan(4000);
  const whole = await use('get_request', { id: 4, full: true });
  expect(whole).toContain('request headers:\nauthorization: ••••••');
  expect(whole).toContain('request body:\n3 bytes of image/png');
  expect(whole).toContain('select 1  7  src/app.ts:12');
});

it('sends requests and calls as clients do', async () => {
  orders.length = 0;
  await use('send_request', { method: 'POST', path: '/a', body: '{}' });
  await use('send_request', {
    method: 'POST',
    path: '/a',
    body: 'a=b',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  await use('call_procedure', { name: 'tasks.add', input: { title: 'x' }, headers: { cookie: 'a=b' } });
  await use('call_procedure', { name: 'tasks.list', input: { tags: ['a', 'b'], n: 1 } });
  const json = ['Content-Type', 'application/json'];
  expect(orders).toEqual([
    { method: 'POST', target: '/a', headers: [json], body: '{}' },
    {
      method: 'POST',
      target: '/a',
      headers: [['content-type', 'application/x-www-form-urlencoded']],
      body: 'a=b',
    },
    {
      method: 'POST',
      target: '/rpc',
      headers: [json, ['cookie', 'a=b']],
      body: '{"jsonrpc":"2.0","id":1,"method":"tasks.add","params":{"title":"x"}}',
    },
    { method: 'GET', target: '/api/tasks.list?tags=a&tags=b&n=1', headers: [], body: '' },
  ]);
  expect(await use('call_procedure', { name: 'changes' })).toMatch(/^error: changes is a subscription/);
});

it.each([
  ['get_request', { id: 7 }, 'error: request 7 is not kept any more'],
  [
    'get_request',
    {},
    'error: get_request: id is missing; give a whole number from 1 to 1000000000: the number in list_requests',
  ],
  [
    'get_request',
    { id: '4' },
    'error: get_request: id is "4"; give a whole number from 1 to 1000000000: the number in list_requests',
  ],
  [
    'get_request',
    { id: 4, fulll: true },
    'error: get_request has no argument "fulll"; did you mean \'full\'?',
  ],
  ['app_overview', { x: 1 }, 'error: app_overview has no argument "x"; it takes nothing'],
  [
    'list_routes',
    { open: 'yes' },
    'error: list_routes: open is "yes"; give true or false: true: only what anyone may call, without signing in',
  ],
  [
    'list_requests',
    { filter: [] },
    'error: list_requests: filter is a list; give one of all, failed, slow: slow is over 100 ms',
  ],
  [
    'send_request',
    { method: 'GET', path: '/', headers: { a: 7 } },
    'error: the header field "a" is not a text; give {"name": "value"}',
  ],
  ['read_doc', { page: 'nothing' }, 'error: there is no page "nothing"; search_docs finds pages'],
])('%s refuses %j and says why', async (name, input, text) => {
  expect(await use(name, input)).toBe(text);
});

it('has the documentation in pieces, also without fw dev', async () => {
  const results = await use('search_docs', { query: 'sessions', limit: 3 }, 'none');
  expect(results).toMatch(/^sessions/m);
  const first = await use('read_doc', { page: 'sql' }, 'none');
  const [, next] = /\((?:\d+) more characters: offset (\d+); sections: /.exec(first) ?? [];
  expect(Number(next)).toBe(5000);
  const second = await use('read_doc', { page: 'sql', offset: 5000 }, 'none');
  expect(second.slice(0, 100)).not.toBe(first.slice(0, 100));
  expect(await use('read_doc', { page: 'sql', offset: 1e7 }, 'none')).toBe('the page has ended before');
  expect(await use('read_doc', { page: 'sessions', section: 'none' }, 'none')).toMatch(
    /^error: sessions has no section "none"; it has /,
  );
  expect(await use('app_overview', {}, 'none')).toMatch(/^error: fw dev is not running/);
});

it('marks what changes something', async () => {
  const entries = await new DevSource('1.0.0', undefined).tools();
  const changing = entries.filter(({ annotations }) => annotations?.readOnlyHint === false);
  expect(changing.map(({ name, annotations }) => [name, annotations?.destructiveHint])).toEqual([
    ['send_request', false],
    ['call_procedure', false],
    ['run_generate', false],
    ['run_migrations', true],
  ]);
  for (const { description = '', inputSchema } of entries) {
    expect(description.length).toBeGreaterThan(20);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  }
});

it('passes on errors that are its own fault, and refuses unknown tools', async () => {
  const broken = {
    ...facts,
    hello: () => {
      throw new Error('a mistake');
    },
  };
  await expect(use('app_overview', {}, broken)).rejects.toThrow('a mistake');
  await expect(use('nothing')).rejects.toMatchObject({ code: -32602 });
});
