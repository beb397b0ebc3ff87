// Cases: bodies over the limit of the App.
import { App } from '../../app/app.js';
import { type Case, wireError } from '../case.js';

const app = () =>
  new App()
    .maxBodySize(10)
    .use(async (_ctx, next) => {
      const response = await next().catch((error: unknown) => {
        throw error;
      });
      response.headers.set('X-Outer', 'yes');
      return response;
    })
    .post('/text', async (ctx) => ctx.text(await ctx.req.text()))
    .post('/stream', async (ctx) => {
      let length = 0;
      for await (const chunk of ctx.req.stream) length += chunk.length;
      return length;
    })
    .post('/ignored', () => 'not read')
    .get('/', () => 'no body');

const post = (name: string, path: string, body: string, status: number, answer: unknown): Case => ({
  name,
  app,
  request: { method: 'POST', path, body },
  status,
  body: answer,
});

const tooLarge = wireError('PayloadTooLarge', 'the request body is larger than 10 bytes');

export const limits: Case[] = [
  post('a body of the limit', '/text', '0123456789', 200, '0123456789'),
  post('a streamed body of the limit', '/stream', '0123456789', 200, '10'),
  post('an empty body', '/text', '', 200, ''),
  post('a body over the limit', '/text', '0123456789+', 413, tooLarge),
  post('a streamed body over the limit', '/stream', 'x'.repeat(100_000), 413, tooLarge),
  post('the limit counts bytes', '/text', 'üüüüüü', 413, tooLarge),
  post('a miss is a miss, whatever its body', '/nope', 'x'.repeat(100), 404, undefined),
  { name: 'a request without a body', app, request: { path: '/' }, status: 200, body: 'no body' },
];
