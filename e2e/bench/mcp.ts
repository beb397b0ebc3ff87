// Calls of a tool beside the official server and FastMCP: `npm run mcp [-- --rounds 5 --requests 5000]`. Needs h2load
// (Debian: nghttp2-client). The server runs on core 0, the load on core 1; the figures are calls a second, and the
// processor time of the server for one call, which other load on the machine changes little.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleServers } from './contenders.js';
import { interleave, median, printTable } from './measure.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, requests: { type: 'string', default: '5000' } },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
await bundleServers(out, undefined, ['mcp-fw', 'mcp-sdk', 'mcp-fastmcp']);

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

/** A call in one of the revisions. */
interface Form {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const common = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const params = { name: 'add', arguments: { a: 1, b: 2 } };
const forms: Readonly<Record<string, Form>> = {
  [MODERN]: {
    headers: { ...common, 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'add' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': MODERN,
          'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  },
  [LEGACY]: {
    headers: { ...common, 'MCP-Protocol-Version': LEGACY },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  },
};

interface Figures {
  readonly perSecond: number;
  /** Microseconds of processor time. */
  readonly cost: number;
}

const contenders = [
  `mcp-fw ${MODERN}`,
  `mcp-sdk ${MODERN}`,
  `mcp-fw ${LEGACY}`,
  `mcp-sdk ${LEGACY}`,
  `mcp-fastmcp ${LEGACY}`,
];
const results = await interleave(contenders, Number(values.rounds), measure, 0);
printTable(
  ['', 'calls/s', 'µs of processor', '÷ fw'],
  contenders.map((contender) => {
    const of = results.get(contender) as Figures[];
    const own = results.get(`mcp-fw ${contender.split(' ')[1]}`) as Figures[];
    const ratio = median(of.map(({ cost }, round) => cost / (own[round] as Figures).cost));
    return [
      contender.replace('mcp-', ''),
      Math.round(median(of.map(({ perSecond }) => perSecond))).toLocaleString('en'),
      median(of.map(({ cost }) => cost)).toFixed(1),
      ratio.toFixed(2),
    ];
  }),
);

async function measure(contender: string): Promise<Figures> {
  const [name = '', version = ''] = contender.split(' ');
  const form = forms[version] as Form;
  const port = 21_000 + Math.floor(Math.random() * 8_000);
  const env = { ...process.env, PORT: String(port) };
  const server = spawn('taskset', ['-c', '0', process.execPath, join(out, `${name}.mjs`)], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(server, 'exit');
  try {
    await Promise.race([listening(port), ended]);
    await verify(port, form);
    load(port, form, 1000);
    const before = ticksOf(server.pid);
    const perSecond = load(port, form, Number(values.requests));
    // A tick is a hundredth of a second.
    return { perSecond, cost: ((ticksOf(server.pid) - before) * 10_000) / Number(values.requests) };
  } finally {
    server.kill('SIGKILL');
    await ended;
  }
}

/** Some say so before they do. */
async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen === true) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`nothing listens at port ${port}`);
}

/** A contender that does not do the work is not measured. */
async function verify(port: number, { body, headers }: Form): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    body,
    headers: { ...headers, Connection: 'close' },
  });
  const text = await response.text();
  if (response.status !== 200 || !text.includes('{\\"sum\\":3}')) {
    throw new Error(`port ${port} answered ${response.status} ${text.slice(0, 300)}`);
  }
}

/** Calls a second. */
function load(port: number, { body, headers }: Form, requests: number): number {
  const file = join(out, 'body.json');
  writeFileSync(file, body);
  const heads = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const flags = [
    '--h1',
    '-t1',
    '-c32',
    `-n${requests}`,
    `-d${file}`,
    ...heads,
    `http://127.0.0.1:${port}/mcp`,
  ];
  const output = execFileSync('taskset', ['-c', '1', 'h2load', ...flags], { encoding: 'utf8' });
  const [, succeeded, perSecond] = [
    '',
    /(\d+) 2xx/.exec(output)?.[1],
    /finished in [\d.]+m?s, ([\d.]+) req\/s/.exec(output)?.[1],
  ];
  if (Number(succeeded) !== requests) throw new Error(`not all calls succeeded:\n${output}`);
  return Number(perSecond);
}

/** Of processor time, of user and system. */
function ticksOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
