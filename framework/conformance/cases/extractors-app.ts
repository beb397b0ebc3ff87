// Cases: the App that the cases of extractors ask, and how they are written.
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { App, Context, type Extractor, FwError, Json, Path, Query, Valid } from '../../index.js';
import { type Case, wireError } from '../case.js';

const Tree = z.object({
  get child() {
    return Tree.optional();
  },
});
const User = z.object({ name: z.string().min(2), age: z.number().optional() });
const Search = z.object({
  page: z.coerce.number().int().default(1),
  tag: z.array(z.string().min(2)).optional(),
  id: z.array(z.coerce.number()).optional(),
  q: z.union([z.string(), z.array(z.string())]).optional(),
});

const Tenant: Extractor<string> = {
  extract(ctx) {
    const tenant = ctx.req.header('x-tenant');
    if (tenant === undefined) throw FwError.unauthorized('which tenant?');
    return tenant;
  },
};
const Late: Extractor<string> = { extract: async () => 'late' };

export function app(): App {
  return new App()
    .get('/params/:id/:name', Path(z.object({ id: z.coerce.number(), name: z.string() })), (params) => params)
    .get('/id/:id', Path('id', z.coerce.number().int('must be whole')), (id) => ({ id }))
    .get('/rest/*file', Path('file', z.string()), (file) => file)
    .get('/search', Query(Search), (query) => query)
    .get(
      '/valibot',
      Query(v.object({ n: v.pipe(v.string(), v.toNumber()), tag: v.array(v.string()) })),
      (q) => q,
    )
    .get('/arktype', Query(type({ n: 'string.integer.parse', 'tag?': 'string[]' })), (query) => query)
    .get('/any', Query(z.record(z.string(), z.unknown())), (query) => query)
    .get('/loose', Query(z.looseObject({})), (query) => ({
      admin: (query as { admin?: unknown }).admin ?? null,
    }))
    .post('/json', Json(User), (user) => user)
    .post('/valid', Valid(User), (user) => user)
    .post('/valibot', Valid(v.object({ users: v.array(v.object({ name: v.string() })) })), (body) => body)
    .post('/arktype', Valid(type({ users: type({ name: 'string' }).array() })), (body) => body)
    .post('/unchecked', Json(z.unknown()), () => 'taken')
    .post('/tree', Json(Tree), () => 'taken')
    .post('/proto', Json(z.looseObject({ a: z.number() })), (body) => ({
      a: body.a,
      admin: (body as { admin?: unknown }).admin ?? null,
      own: Object.keys(body),
    }))
    .post('/twice', Json(z.object({ a: z.number() })), Valid(z.object({ b: z.number() })), ({ a }, { b }) => [
      a,
      b,
    ])
    .post('/async', Valid(z.string().refine(async (name) => name !== 'taken', 'is taken')), (name) => ({
      name,
    }))
    .post('/throws', Json(z.string().transform((text) => failing(text))), (text) => text)
    .post('/throws/fw', Json(v.pipeAsync(v.string(), v.checkAsync(refuse))), (text) => text)
    .get(
      '/eight/:id',
      Late,
      Context,
      Tenant,
      Path('id', z.string()),
      Late,
      Tenant,
      Query(Search),
      Late,
      eight,
    )
    .post('/order', Tenant, Json(User), (tenant, user) => [tenant, user]);
}

function failing(text: string): string {
  throw new Error(`no place for ${text}`);
}

async function refuse(): Promise<boolean> {
  throw FwError.forbidden('not yours');
}

function eight(
  ...[a, ctx, b, id, c, d, query, e]: [string, Context<'id'>, string, string, string, string, object, string]
) {
  ctx.status(201);
  return [a, ctx.req.param('id'), b, id, c, d, query, e];
}

export const get = (name: string, path: string, body: unknown, status = 200, headers = {}): Case => ({
  name,
  app,
  request: { path, headers },
  status,
  body,
});

export const refused = (
  name: string,
  path: string,
  message: string,
  ...issues: [path: unknown[], message: string][]
): Case => get(name, path, wireError('BadRequest', message, ...issues), 400);

export const post = (
  name: string,
  path: string,
  sent: unknown,
  status: number,
  body: unknown,
  contentType: string | undefined = 'application/json',
): Case => ({
  name,
  app,
  request: {
    method: 'POST',
    path,
    body: typeof sent === 'string' ? sent : JSON.stringify(sent),
    headers: { 'Content-Type': contentType },
  },
  status,
  body,
});

export const ada: { readonly name: string } = { name: 'Ada' };
export const accepts = (contentType: string): Case =>
  post(`the media type ${contentType}`, '/json', ada, 200, ada, contentType);
export const refusesType = (contentType: string): Case[] =>
  ['/json', '/valid'].map((path) =>
    post(
      `${path}: the media type ${contentType} is refused`,
      path,
      ada,
      400,
      wireError(
        'BadRequest',
        `the media type '${contentType}' is not JSON; send 'Content-Type: application/json'`,
      ),
      contentType,
    ),
  );

export const nested = (open: string, depth: number, close: string, inner = ''): string =>
  open.repeat(depth) + inner + close.repeat(depth);
