// Calls in handlers and of tools, which throw an Error that says what they take.
import { loadCompiler } from '../../client-gen/index.js';
import { attachment, Cookie, SseEvent } from '../../index.js';
import { mailer } from '../../mail/index.js';
import { toolContent } from '../../mcp/index.js';
import { JsonRpcError } from '../../rpc/index.js';
import * as bun from '../../runtime/bun/index.js';
import * as deno from '../../runtime/deno/index.js';
import { TestMailbox, testDatabase } from '../../testing/index.js';
import type { Call } from './call.js';

export const inHandlers: readonly Call[] = [
  ['attachment', (name) => attachment(name), ['undefined', 'text']],
  ['new Cookie: name', (name) => new Cookie(name, 'a')],
  ['new Cookie: value', (value) => new Cookie('a', value)],
  ['new SseEvent', (value) => Reflect.construct(SseEvent, [value])],
  ['SseEvent.data', (text) => SseEvent.data(text), ['text']],
  ['SseEvent.comment', (text) => SseEvent.comment(text), ['text']],
  ['SseEvent.id', (id) => SseEvent.data('a').id(id)],
  ['SseEvent.retry', (ms) => SseEvent.data('a').retry(ms)],
  ['new JsonRpcError', (code) => new JsonRpcError(code, 'a'), ['number', 'symbol']],
  ['loadCompiler', (directory) => loadCompiler(directory)],
  ['toolContent', (blocks) => toolContent(blocks)],
  ['mailer: mail', (mail) => mailer({ from: 'a@b.example' }).send(mail)],
  ['new TestMailbox: filter', (filter) => new TestMailbox().waitFor(filter, { timeout: 1 })],
  ['testDatabase', (server) => testDatabase(server), ['undefined']],
  ['listen of fw/bun', (value) => bun.listen(value, 0)],
  ['listen of fw/deno', (value) => deno.listen(value, 0)],
];
