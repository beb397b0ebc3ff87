// The workloads of Bun on Bun.serve, written by hand: what a framework can at best reach.
import { bunServe } from './bun-serve.js';
import { order, reply } from './workloads.js';

const PARAM = /^\/r\d{1,2}\/users\/([^/]+)$/;

bunServe((request) => {
  const { url, method } = request;
  const start = url.indexOf('/', 8);
  const mark = url.indexOf('?', start);
  const path = mark === -1 ? url.slice(start) : url.slice(start, mark);
  if (method === 'GET' && path === '/hello') return new Response('Hello, World!');
  if (method === 'GET' && path === '/json') return Response.json(reply());
  if (method === 'POST' && path === '/orders') return takeOrder(request);
  const id = method === 'GET' ? PARAM.exec(path)?.[1] : undefined;
  if (id === undefined) return new Response('Not Found', { status: 404 });
  const verbose = mark === -1 ? undefined : new URLSearchParams(url.slice(mark)).get('verbose');
  return Response.json({ id: decodeURIComponent(id), verbose });
});

async function takeOrder(request: Request): Promise<Response> {
  const parsed = order.parse(await request.json());
  return Response.json({ ok: true, total: parsed.items.length });
}
