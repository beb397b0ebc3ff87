import { expect, it } from 'vitest';
import { z } from 'zod';
import { modern } from '../../conformance/mcp-client.js';
import { App, FwError } from '../../index.js';
import { RpcRegistry } from '../../rpc/index.js';
import { toolContent } from '../index.js';

const rpc = new RpcRegistry()
  .query(
    'review',
    {
      description: 'Reviews a task.',
      input: z.object({
        id: z.string().describe('The task.'),
        tone: z.enum(['kind', 'keen', 'strict']).optional(),
      }),
      mcp: { prompt: true, title: 'Review' },
    },
    ({ id, tone = 'kind' }) => `Review the task ${id} in a ${tone} way.`,
  )
  .query('count', { input: z.object({ n: z.number() }), mcp: { prompt: true } }, ({ n }) => ({ n }))
  .query('talk', { mcp: { prompt: true } }, () => [
    { role: 'user', content: { type: 'text', text: 'Hello' } },
    { role: 'assistant', content: { type: 'text', text: 'Good morning' } },
  ])
  .query('picture', { mcp: { prompt: true } }, () =>
    toolContent([{ type: 'image', data: 'AAAA', mimeType: 'image/png' }]),
  )
  .query('broken', { input: z.object({ kind: z.string() }), mcp: { prompt: true } }, ({ kind }) => {
    if (kind === 'known') throw FwError.notFound('no such task');
    throw new Error('a secret');
  })
  .query('tool', { mcp: true }, () => 1);
const app = new App().mountMcp('/mcp', rpc);
const get = async (name: unknown, input?: unknown) =>
  (await modern(app, 'prompts/get', { name, ...(input !== undefined && { arguments: input }) })).message;

it('lists prompts with their arguments, and no tools', async () => {
  const { prompts, cacheScope } = (await modern(app, 'prompts/list')).message.result;
  expect(cacheScope).toBe('private');
  expect(prompts.map(({ name }: { name: string }) => name)).toEqual([
    'broken',
    'count',
    'picture',
    'review',
    'talk',
  ]);
  expect(prompts[3]).toEqual({
    name: 'review',
    title: 'Review',
    description: 'Reviews a task.',
    arguments: [{ name: 'id', description: 'The task.', required: true }, { name: 'tone' }],
  });
  const { tools } = (await modern(app, 'tools/list')).message.result;
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['tool']);
  expect((await modern(app, 'tools/call', { name: 'review' })).message.error.code).toBe(-32602);
});

it('gives texts, messages, content and values', async () => {
  const text = (value: string) => [{ role: 'user', content: { type: 'text', text: value } }];
  expect((await get('review', { id: '7' })).result.messages).toEqual(
    text('Review the task 7 in a kind way.'),
  );
  expect((await get('count', { n: '3' })).result.messages).toEqual(text('{"n":3}'));
  expect((await get('talk')).result.messages.map(({ role }: { role: string }) => role)).toEqual([
    'user',
    'assistant',
  ]);
  expect((await get('picture')).result.messages[0].content.type).toBe('image');
});

it.each([
  ['nothing', {}, -32602, /unknown prompt "nothing"/],
  ['tool', {}, -32602, /unknown prompt/],
  [7, {}, -32602, /'name'/],
  ['review', [], -32602, /'arguments'/],
  ['review', {}, -32602, /^Invalid input: id/],
  ['count', { n: 'x' }, -32602, /^Invalid input: n/],
  ['broken', { kind: 'known' }, -32602, /^no such task$/],
  ['broken', { kind: 'x' }, -32603, /^Internal error$/],
])('answers %j with %j by the error %i', async (name, input, code, why) => {
  const { error } = await get(name, input);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(why);
});

it('completes arguments', async () => {
  const complete = async (name: string, value: string) =>
    (
      await modern(app, 'completion/complete', {
        ref: { type: 'ref/prompt', name },
        argument: { name: 'tone', value },
      })
    ).message;
  expect((await complete('review', 'k')).result.completion.values).toEqual(['kind', 'keen']);
  expect((await complete('nothing', 'k')).error.code).toBe(-32602);
});
