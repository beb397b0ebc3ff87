// Cases: bodies in another charset than UTF-8.
import { z } from 'zod';
import { App } from '../../app/app.js';
import { Json } from '../../extract/json.js';
import { Valid } from '../../extract/valid.js';
import { RpcRegistry } from '../../rpc/registry/registry.js';
import { RpcMode } from '../../rpc/registry/rpc-mode.js';
import { type Case, wireError } from '../case.js';

const registry = (mode: RpcMode) =>
  RpcRegistry.withMode(mode).mutation(
    'echo',
    { input: z.object({ a: z.string() }), output: z.string() },
    ({ a }) => a,
  );

function app(): App {
  return new App()
    .post('/text', async (ctx) => ctx.json(await ctx.req.text()))
    .post('/parsed', async (ctx) => ctx.json(((await ctx.req.json()) as { a: string }).a))
    .post('/json', Json(z.object({ a: z.string() })), ({ a }) => ({ a }))
    .post('/valid', Valid(z.object({ a: z.string() })), ({ a }) => ({ a }))
    .post('/bytes', async (ctx) => ctx.json([...(await ctx.req.bytes())]))
    .post('/form', async (ctx) => ctx.json(Object.fromEntries(await ctx.req.formData())))
    .post('/parts', async (ctx) => {
      const texts: string[] = [];
      for await (const part of ctx.req.multipart()) texts.push(await part.text());
      return texts;
    })
    .mountRpc('/rpc', registry(RpcMode.JsonRpc))
    .mountRest('/rest', registry(RpcMode.Rest));
}

const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const utf16 = (text: string) => Uint8Array.from([...text].flatMap((char) => [char.charCodeAt(0), 0]));

const read = (
  path: string,
  type: string,
  body: string | Uint8Array,
  answer: unknown,
  status = 200,
): Case => ({
  name: `${path} of ${type}`,
  app,
  request: { method: 'POST', path, body, headers: { 'Content-Type': type } },
  status,
  body: answer,
});

const refused = (path: string, type: string): Case =>
  read(
    path,
    type,
    '{"a":"x"}',
    wireError('UnsupportedMediaType', `the charset of '${type}' is not supported; send UTF-8`),
    415,
  );

const form = 'multipart/form-data; boundary=x';
const part = (type: string, content: string) =>
  latin1(
    `--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--x--\r\n`,
  );

export const charsets: readonly Case[] = [
  read('/text', 'text/plain; charset=iso-8859-1', latin1('caf\u00e9'), '"caf\u00e9"'),
  read('/text', 'text/plain; Charset="UTF-8"', 'caf\u00e9', '"caf\u00e9"'),
  read('/text', 'text/plain; charset=utf-16le', utf16('caf\u00e9'), '"caf\u00e9"'),
  read('/parsed', 'application/json; charset=iso-8859-1', latin1('{"a":"\u00e9"}'), '"\u00e9"'),
  read('/json', 'application/json; charset=latin1', latin1('{"a":"\u00e9"}'), { a: '\u00e9' }),
  read('/valid', 'application/json; charset=windows-1252', latin1('{"a":"\u00e9"}'), { a: '\u00e9' }),
  read('/bytes', 'text/plain; charset=iso-8859-1', latin1('\u00e9'), [0xe9]),
  read('/bytes', 'text/plain; charset=klingon', 'x', [120]),
  read('/form', 'application/x-www-form-urlencoded; charset=iso-8859-1', 'a=%E9+1&b=%26%E9', {
    a: '\u00e9 1',
    b: '&\u00e9',
  }),
  read('/form', form, part('text/plain; charset=iso-8859-1', '\u00e9'), { a: '\u00e9' }),
  read('/parts', form, part('text/plain; charset=iso-8859-1', '\u00e9'), ['\u00e9']),
  read(
    '/rpc',
    'application/json; charset=iso-8859-1',
    latin1('{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":"\u00e9"}}'),
    { jsonrpc: '2.0', id: 1, result: '\u00e9' },
  ),
  read('/rest/echo', 'application/json; charset=iso-8859-1', latin1('{"a":"\u00e9"}'), '"\u00e9"'),
  ...['/text', '/parsed', '/json', '/valid', '/rest/echo'].flatMap((path) => [
    refused(path, 'application/json; charset=klingon'),
    refused(path, 'application/json; charset=utf-8; charset=utf-16'),
  ]),
  read(
    '/parts',
    form,
    part('text/plain; charset=klingon', 'x'),
    wireError(
      'UnsupportedMediaType',
      "the charset of 'text/plain; charset=klingon' is not supported; send UTF-8",
    ),
    415,
  ),
  refused('/form', 'application/x-www-form-urlencoded; charset=klingon'),
];
