// The tools of `fw dev` for coding agents, as an agent meets them: the packed package, `fw dev`, `fw mcp`, and the official
// client, which is installed by: cd e2e/mcp && npm ci
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevSession, startDev } from './dev-session.js';
import { figuresText, solveTasks } from './mcp/proof.js';
import { checkout, scaffold } from './packed.js';

const judges = join(checkout, 'e2e/mcp/node_modules/@modelcontextprotocol/client/dist');
const hasJudges = existsSync(judges);
const MODERN = '2026-07-28';

// biome-ignore lint/suspicious/noExplicitAny: the package is not installed where types are checked.
type Client = any;

let app: string;
let session: DevSession | undefined;
let client: Client;

async function connected(version: string): Promise<Client> {
  const sdk = await import(join(judges, 'index.mjs'));
  const stdio = await import(join(judges, 'stdio.mjs'));
  const mode = version === MODERN ? 'auto' : 'legacy';
  const made = new sdk.Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode } });
  const entry = join(app, 'node_modules/fw/dist/cli/main.js');
  await made.connect(
    new stdio.StdioClientTransport({ command: process.execPath, args: [entry, 'mcp'], cwd: app }),
  );
  return made;
}

const textOf = ({ content }: { content: { text: string }[] }): string => content[0]?.text ?? '';

describe.skipIf(!hasJudges && process.env.CI === undefined)('fw mcp', () => {
  beforeAll(async () => {
    expect(hasJudges).toBe(true);
    app = await scaffold({ template: 'rpc', name: 'shop' });
    writeFileSync(join(app, '.env'), 'SHOP_KEY=hidden-key\n');
    appendFileSync(
      join(app, 'src/app.ts'),
      "\napp.get('/broken', () => {\n  if (process.env.SHOP_KEY === '') throw new TypeError('no key');\n  const none = undefined as unknown as string;\n  return none.toUpperCase();\n});\napp.get('/hangs', () => new Promise(() => {}));\n",
    );
    client = await connected(MODERN);
  });

  afterAll(async () => {
    await client?.close();
    await session?.end('SIGTERM');
  });

  it('answers before fw dev runs: the documentation, and what to do for the rest', async () => {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['app_overview', 'get_request', 'search_docs', 'run_doctor']),
    );
    const marked = tools
      .filter(({ annotations }: Client) => !annotations.readOnlyHint)
      .map(({ name }: Client) => name);
    expect(marked.sort()).toEqual(['call_procedure', 'run_generate', 'run_migrations', 'send_request']);
    expect(textOf(await client.callTool({ name: 'search_docs', arguments: { query: 'FW_ENV' } }))).toContain(
      'errors/FW_ENV',
    );
    const refused = await client.callTool({ name: 'app_overview', arguments: {} });
    expect(refused).toMatchObject({ isError: true });
    expect(textOf(refused)).toContain('npm run dev');
  });

  it('solves ten tasks of a coding agent with the tools alone', async () => {
    session = await startDev({ app });
    await client.callTool({ name: 'app_overview', arguments: {} });
    await fetch(`http://127.0.0.1:${session.port}/broken`);
    const figures = await solveTasks(client, app);
    console.log(figuresText(figures));
    // Answers are small by default.
    for (const { task, calls, tokens } of figures)
      expect([task, tokens / calls < 2000]).toEqual([task, true]);
  });

  it('answers clients of earlier revisions, and by its address', async () => {
    const old = await connected('2025-11-25');
    expect(textOf(await old.callTool({ name: 'app_overview', arguments: {} }))).toContain('state: ready');
    await old.close();
    const response = await fetch(`http://127.0.0.1:${session?.port}/_fw/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(((await response.json()) as Client).result.tools.length).toBeGreaterThan(10);
  });

  it.each([
    ['get_request', { id: 9999 }, /not kept/],
    ['get_request', {}, /id is missing; give a whole number/],
    ['get_request', { id: -1 }, /id is -1; give a whole number from 1/],
    ['get_request', { Id: 1 }, /no argument "Id"; did you mean 'id'/],
    ['list_requests', { filter: 'broken' }, /filter is "broken"; give one of all, failed, slow/],
    ['list_requests', { limit: 1e6 }, /limit is 1000000/],
    ['send_request', { method: 'GET', path: 'http://example.com/' }, /target is a path/],
    ['send_request', { method: 'GET /x', path: '/' }, /method is not one of HTTP/],
    ['send_request', { method: 'TRACE', path: '/' }, /not sent/],
    [
      'send_request',
      { method: 'GET', path: '/', headers: { a: 'b\r\nc: d' } },
      /header field "a" is not valid/,
    ],
    ['send_request', { method: 'GET', path: '/', headers: { a: 1 } }, /"a" is not a text/],
    ['call_procedure', { name: 'tasks' }, /no procedure "tasks"; there is /],
    ['read_doc', { page: '../../package' }, /no page/],
    ['read_doc', { page: 'sessions', section: 'none' }, /has no section "none"; it has /],
  ])('%s refuses %j and says why', async (name, input, why) => {
    const result = await client.callTool({ name, arguments: input });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(why);
  });

  it('answers nobody else', async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${session?.port}/_fw/mcp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    for (const headers of [
      { Origin: 'http://evil.example' },
      { Origin: 'null' },
      { 'X-Forwarded-For': '192.0.2.1' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      expect((await ask(headers as never)).status).toBe(403);
    }
    expect((await ask({ 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  it('is over when its input ends, and prints nothing but messages', async () => {
    const entry = join(app, 'node_modules/fw/dist/cli/main.js');
    const child = spawn(process.execPath, [entry, 'mcp'], { cwd: app, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\nnot a message\n');
    const [code] = await new Promise<[number | null]>((resolve) =>
      child.once('close', (status) => resolve([status])),
    );
    expect(code).toBe(0);
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(lines).toContainEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'Parse error' },
    });
  });

  it('finds a fw dev that was started again, on another port', async () => {
    await session?.end('SIGTERM');
    expect(textOf(await client.callTool({ name: 'app_overview', arguments: {} }))).toContain('npm run dev');
    session = await startDev({ app });
    expect(textOf(await client.callTool({ name: 'app_overview', arguments: {} }))).toContain(
      `:${session.port}`,
    );
  });
});
