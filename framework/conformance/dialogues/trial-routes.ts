// Hostile dialogues: routes of every kind for requests, whose callbacks may misbehave.
import { fileURLToPath } from 'node:url';
import { Json } from '../../extract/json.js';
import { App, type Context, createMiddleware, type Extractor, FwError, provide, route } from '../../index.js';
import { compression } from '../../middleware/compression/index.js';
import { cors, fromConnect, logger, requestId } from '../../middleware/index.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { at } from './misbehaviour.js';
import { events, generated, iterable, keptAlive, nodeStream, webStream } from './trial-streams.js';

/** A schema that takes everything. */
export function schema(point: string): StandardSchemaV1<unknown, object> {
  const validate = (value: unknown) => at(point, () => ({ value: value as object }));
  return { '~standard': { version: 1, vendor: 'trial', validate } };
}

const extractor: Extractor<string> = { extract: () => at('extractor', () => 'extracted') };
const added = createMiddleware((_call, next) => at('provided middleware', () => next({ more: 1 })));
const provided = provide({ one: { extract: () => at('provided extractor', () => 1) } });

async function readParts(ctx: Context): Promise<number> {
  let bytes = 0;
  for await (const part of ctx.req.multipart()) {
    await at('part', () => {});
    if ('bytes' in part) bytes += (await part.bytes()).length;
  }
  return bytes;
}

/** Adds the routes to an App. */
export function addRoutes(app: App): App {
  const surrounded = new App()
    .use(requestId())
    .use(logger())
    .use(cors({ origin: () => at('origin of cors', () => true) }))
    .use((_, next) => at('middleware', () => next()))
    .use(async (_, next) => {
      const response = await next();
      return await at('middleware after next', () => response);
    })
    .use(fromConnect((_req, _res, next) => at('connect middleware', () => next())))
    .get('/', () => at('surrounded handler', () => 'inside'))
    .get('/thrown', () => {
      throw FwError.conflict('refused');
    })
    .onError((error, ctx) => at('onError', () => ctx.json({ error: String(error instanceof Error) })))
    .notFound((ctx) => at('notFound', () => ctx.text('nothing here')));
  const streams = new App()
    .use(compression())
    .get('/generated', (ctx) => ctx.stream(generated('stream'), 'text/plain'))
    .get('/iterable', (ctx) => ctx.stream(iterable('iterable', 'chunk\n'), 'text/plain'))
    .get('/web', () => new Response(webStream()))
    .get('/node', (ctx) => ctx.stream(nodeStream(), 'text/plain'))
    .get('/sse', (ctx) => ctx.sse(events()))
    .get('/alive', (ctx) => ctx.sseKeepAlive(keptAlive(), 5));
  return app
    .get('/plain', () => 'plain')
    .get('/handler', () => at('handler', () => ({ fine: true })))
    .post('/json', Json(schema('schema of a body')), () => at('handler of a body', () => ({ fine: true })))
    .post('/read', async (ctx) => await at('reading handler', async () => (await ctx.req.text()).length))
    .post('/form', async (ctx) => [...(await ctx.req.formData())].length)
    .post('/parts', readParts)
    .get('/extracted', extractor, (value) => value)
    .get(route('/provided', { use: [added, provided] }), (_, { more, one }) => `${more}${one}`)
    .get(route('/answers', { returns: schema('schema of an answer') }), () => ({ fine: true }))
    .route('/around', surrounded)
    .route('/streams', streams)
    .mount('/mounted', () => at('mounted handler', () => new Response('mounted')))
    .serveStatic('/files', fileURLToPath(new URL('.', import.meta.url)));
}
