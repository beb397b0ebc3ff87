// Cases: how a path is decoded, once, and what is refused.
import { App } from '../../app/app.js';
import { type Case, wireError } from '../case.js';

function echo(): App {
  return new App()
    .get('/u/:id', (ctx) => ctx.json({ path: ctx.req.path, id: ctx.req.param('id') }))
    .get('/u/:a/:b', (ctx) => ctx.json({ path: ctx.req.path, a: ctx.req.param('a'), b: ctx.req.param('b') }))
    .get('/café/menü', (ctx) => ctx.text(ctx.req.path))
    .get('/100%', (ctx) => ctx.text(ctx.req.path))
    .get('/q', (ctx) => ctx.json({ one: ctx.req.query('a') ?? null, all: ctx.req.queries() }));
}

const ok = (name: string, path: string, body: unknown): Case => ({
  name,
  app: echo,
  request: { path },
  status: 200,
  body,
});

const refused = (name: string, path: string, message: string, socketsOnly?: string): Case => ({
  name,
  app: echo,
  request: { path },
  status: 400,
  body: wireError('BadRequest', message),
  ...(socketsOnly !== undefined && { socketsOnly }),
});

const DOTS = 'dot segments are not allowed in the path';
const PERCENT = 'malformed percent-encoding in the path';
const NORMALISED = 'the URL parser resolves dot segments before the App sees them';

export const paths: Case[] = [
  ok('percent-encoding is decoded', '/u/a%20b', { path: '/u/a b', id: 'a b' }),
  ok('UTF-8 is decoded', '/u/%E2%82%AC', { path: '/u/€', id: '€' }),
  ok('an encoded slash separates nothing', '/u/a%2Fb', { path: '/u/a%2Fb', id: 'a/b' }),
  ok('an encoded slash in lower case is the same', '/u/a%2fb', { path: '/u/a%2Fb', id: 'a/b' }),
  ok('a plain slash separates', '/u/a/b', { path: '/u/a/b', a: 'a', b: 'b' }),
  ok('nothing is decoded twice', '/u/%252F', { path: '/u/%252F', id: '%2F' }),
  ok('an encoded percent sign', '/u/50%25', { path: '/u/50%25', id: '50%' }),
  ok('a parameter may be named like a prototype member', '/u/__proto__', {
    path: '/u/__proto__',
    id: '__proto__',
  }),
  ok('literal text beyond ASCII matches its encoding', '/caf%C3%A9/men%C3%BC', '/café/menü'),
  ok('a literal percent sign matches its encoding', '/100%25', '/100%25'),
  ok('matrix parameters are text', '/u/a;x=1', { path: '/u/a;x=1', id: 'a;x=1' }),
  ok('dots inside a segment are text', '/u/a..b', { path: '/u/a..b', id: 'a..b' }),
  ok('three dots are text', '/u/...', { path: '/u/...', id: '...' }),
  ok('a plus sign in a path is text', '/u/a+b', { path: '/u/a+b', id: 'a+b' }),
  ok('query: first value and all values', '/q?a=1&a=2&b=%C3%A4+x', {
    one: '1',
    all: { a: ['1', '2'], b: ['ä x'] },
  }),
  ok('query: an absent key', '/q?b', { one: null, all: { b: [''] } }),
  ok('query: prototype members are keys', '/q?__proto__=1&a=2', {
    one: '2',
    all: JSON.parse('{"__proto__":["1"],"a":["2"]}'),
  }),
  refused('malformed percent-encoding', '/u/%zz', PERCENT),
  refused('a cut percent-encoding', '/u/%4', PERCENT),
  refused('percent-encoding that is not UTF-8', '/u/%ff', PERCENT),
  refused('an overlong encoding', '/u/%c0%af', PERCENT),
  refused('a dot segment', '/u/./x', DOTS, NORMALISED),
  refused('a double dot segment', '/u/../x', DOTS, NORMALISED),
  refused('a double dot at the end', '/u/..', DOTS, NORMALISED),
  refused('an encoded dot segment', '/u/%2e%2e/x', DOTS, NORMALISED),
  refused('a half-encoded dot segment', '/u/.%2E', DOTS, NORMALISED),
  refused(
    'a fragment in the target',
    '/u/a#b',
    "'#' is not allowed in a request target",
    'a fragment is cut off by the client',
  ),
  refused(
    'a fragment behind the query',
    '/q?a=1#b',
    "'#' is not allowed in a request target",
    'a fragment is cut off by the client',
  ),
  ok('query: a question mark in it is text', '/q??a=1', { one: null, all: { '?a': ['1'] } }),
];
