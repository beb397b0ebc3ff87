// The workloads, handwritten on node:http: the base that every ratio is taken against. Files are Buffers in memory.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { add, fileOf, order, reply, userPage, userRows } from './workloads.js';

const users = new Map(Array.from({ length: 100 }, (_, i) => [`/r${i}/users/`, i]));

const files = new Map(['1k.txt', '100k.txt'].map((name) => [`/files/${name}`, Buffer.from(fileOf(name))]));

function answer(res: ServerResponse, type: string, body: string | Buffer): void {
  res.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}

const json = 'application/json';
const text = 'text/plain; charset=utf-8';

function readUser(res: ServerResponse, url: string): boolean {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const slash = path.lastIndexOf('/');
  if (!users.has(path.slice(0, slash + 1))) return false;
  const id = decodeURIComponent(path.slice(slash + 1));
  const verbose = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)).get('verbose');
  answer(res, json, JSON.stringify({ id, verbose }));
  return true;
}

function readOrder(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const parsed = order.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    answer(res, json, JSON.stringify({ ok: true, total: parsed.items.length }));
  });
}

interface Call {
  id: unknown;
  method: unknown;
  params: { a: unknown; b: unknown };
}

/** What a careful hand writes: the envelope and the input are checked, errors have their codes. */
function answerCall(call: Call): object {
  const { id, method, params } = call;
  if (method !== 'add') return { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id };
  if (typeof params?.a !== 'number' || typeof params.b !== 'number') {
    return { jsonrpc: '2.0', error: { code: -32602, message: 'Invalid params' }, id };
  }
  return { jsonrpc: '2.0', result: add({ a: params.a, b: params.b }), id };
}

function readCalls(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Call | Call[];
    answer(res, json, JSON.stringify(Array.isArray(body) ? body.map(answerCall) : answerCall(body)));
  });
}

type Step = (next: () => Promise<string>) => Promise<string>;
const steps: Step[] = Array.from({ length: 10 }, () => async (next: () => Promise<string>) => await next());
const chain = steps.reduceRight<() => Promise<string>>(
  (next, step) => () => step(next),
  async () => 'Hello, World!',
);

const server = createServer((req, res) => {
  const url = req.url as string;
  if (req.method === 'POST') {
    if (url === '/orders') return readOrder(req, res);
    if (url === '/rpc') return readCalls(req, res);
  } else if (url === '/hello') {
    return answer(res, text, 'Hello, World!');
  } else if (url === '/json') {
    return answer(res, json, JSON.stringify(reply()));
  } else if (url === '/users') {
    return answer(res, json, JSON.stringify(userPage.parse(userRows())));
  } else if (url === '/chain') {
    chain().then((body) => answer(res, text, body));
    return;
  } else if (readUser(res, url)) {
    return;
  }
  const file = files.get(url);
  if (file !== undefined) return answer(res, text, file);
  res.writeHead(404, { 'Content-Length': 0 });
  res.end();
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
