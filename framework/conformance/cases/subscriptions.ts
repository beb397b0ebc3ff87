// Cases: subscriptions and uploads over HTTP, by JSON-RPC and as REST.
import { z } from 'zod';
import { App, Cookie, FwError } from '../../index.js';
import { RpcMode, RpcRegistry, tracked } from '../../rpc/index.js';
import type { Case, SentRequest } from '../case.js';

const procedures = (registry: RpcRegistry): RpcRegistry =>
  registry
    .subscription(
      'count',
      {
        input: z.object({ to: z.coerce.number() }),
        errors: { tooFar: { status: 409 } },
        use: [
          (call, next) => {
            call.ctx.setCookie(new Cookie('seen', 'yes')).header('X-Own', 'own');
            return next();
          },
        ],
      },
      async function* ({ to }, { errors, lastEventId }) {
        for (let n = Number(lastEventId ?? 0) + 1; n <= to; n++) yield tracked(`${n}`, n);
        if (to > 2) throw errors.tooFar();
      },
    )
    .subscription('closed', { input: z.object({}) }, () => {
      throw FwError.forbidden('closed');
    })
    .mutation('upload', { input: z.object({ file: z.file() }) }, async ({ file }) => [
      file.name,
      await file.text(),
    ]);

const app = (): App =>
  new App()
    .mountRpc('/rpc', procedures(new RpcRegistry()))
    .mountRest('/api', procedures(RpcRegistry.withMode(RpcMode.Rest)));

const message = (method: string, params: object, headers: object = {}): SentRequest => ({
  method: 'POST',
  path: '/rpc',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }),
});

const form = (path: string, json: string, pointer: string, headers: object): SentRequest => ({
  method: 'POST',
  path,
  headers: { 'Content-Type': 'multipart/form-data; boundary=B', ...headers },
  body: [
    '--B\r\nContent-Disposition: form-data; name="json"\r\n\r\n',
    `${json}\r\n--B\r\nContent-Disposition: form-data; name="files"\r\n\r\n["${pointer}"]\r\n`,
    '--B\r\nContent-Disposition: form-data; name="0"; filename="a.txt"\r\n\r\nhello\r\n--B--\r\n',
  ].join(''),
});

const READY = 'event: ready\ndata: {"heartbeatMs":15000}\n\n';
const events = {
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-own': 'own' },
  cookies: ['seen=yes; Path=/'],
};
const own = { 'X-Fw-Upload': '1' };
const call = '{"jsonrpc":"2.0","method":"upload","params":{"file":null},"id":1}';

export const subscriptions: Case[] = [
  {
    name: 'JSON-RPC: the events of a subscription',
    app,
    request: message('count', { to: 2 }, { 'Last-Event-ID': '1' }),
    ...events,
    body: `${READY}id: 2\ndata: 2\n\nevent: done\ndata: \n\n`,
  },
  {
    name: 'REST: the events of a subscription, and the error at its end',
    app,
    request: { path: '/api/count?to=3', headers: { 'Last-Event-ID': '2' } },
    ...events,
    body: `${READY}id: 3\ndata: 3\n\nevent: error\ndata: {"status":409,"body":{"error":"tooFar","message":"too far","code":-32000}}\n\n`,
  },
  {
    name: 'REST: HEAD of a subscription',
    app,
    request: { method: 'HEAD', path: '/api/count?to=1' },
    ...events,
    body: '',
  },
  {
    name: 'JSON-RPC: a subscription that is refused',
    app,
    request: message('closed', {}),
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: {
      jsonrpc: '2.0',
      error: { code: -32003, message: 'closed', data: { error: 'Forbidden', status: 403 } },
      id: 1,
    },
  },
  {
    name: 'REST: a subscription that is refused',
    app,
    request: { path: '/api/closed' },
    status: 403,
    body: { error: 'Forbidden', message: 'closed' },
  },
  {
    name: 'JSON-RPC: an upload',
    app,
    request: form('/rpc', call, '/params/file', own),
    status: 200,
    body: { jsonrpc: '2.0', result: ['a.txt', 'hello'], id: 1 },
  },
  {
    name: 'REST: an upload',
    app,
    request: form('/api/upload', '{"file":null}', '/file', own),
    status: 200,
    body: ['a.txt', 'hello'],
  },
  {
    name: 'REST: an upload that another site could send',
    app,
    request: form('/api/upload', '{"file":null}', '/file', {}),
    status: 403,
  },
];
