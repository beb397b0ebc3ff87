// What a frontend does with the backend, by the client of openapi-fetch; prints every answer as a line of JSON.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import { backend } from './app.ts';
import type { paths } from './openapi.ts';

const { url, close } = await backend().app.listen(0);

/** One answer, for the comparison with the document. */
async function recorded(request: Request): Promise<Response> {
  const answer = await fetch(request);
  const { status, headers } = answer;
  const line = { method: request.method, path: new URL(request.url).pathname, status };
  const type = headers.get('content-type');
  console.log(
    JSON.stringify({ ...line, type, location: headers.get('location'), body: await answer.clone().text() }),
  );
  return answer;
}

function signedIn(token: string) {
  return createClient<paths>({
    baseUrl: url,
    fetch: recorded,
    headers: { authorization: `Bearer ${token}` },
  });
}

/** Requests that the types do not allow. */
async function refused(
  status: number,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<unknown> {
  const answer = await recorded(
    new Request(url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );
  assert.equal(answer.status, status, `${method} ${path}`);
  return answer.status === 204 ? undefined : answer.json();
}

const anyone = createClient<paths>({ baseUrl: url, fetch: recorded });
const adaLogin = { email: 'ada@example.org', password: 'lovelace1815' };

// Registration and sign-in.
const ada = await anyone.POST('/api/users', { body: { ...adaLogin, username: 'ada' } });
assert.equal(ada.response.status, 201);
assert.ok(ada.data);
assert.ok(!('password' in ada.data));
const bob = await anyone.POST('/api/users', {
  body: { username: 'bob', email: 'bob@example.org', password: 'password123' },
});
assert.ok(bob.data);
const taken = await anyone.POST('/api/users', { body: { ...adaLogin, username: 'ada' } });
// The body of 409 is its own schema, all others are the standard error.
assert.ok(taken.error && 'taken' in taken.error);
assert.equal(taken.error.taken, 'username');
const login = await anyone.POST('/api/users/login', { body: adaLogin });
const token = login.data?.token ?? '';
const asAda = signedIn(token);
const asBob = signedIn(bob.data.token);
assert.equal((await asAda.GET('/api/user')).data?.email, adaLogin.email);
assert.equal((await asAda.PUT('/api/user', { body: { bio: 'Counts.' } })).data?.bio, 'Counts.');
assert.equal((await asAda.PUT('/api/user', { body: { email: 'bob@example.org' } })).response.status, 409);

// Articles: writing, reading, pages, favourites.
for (const title of ['First steps', 'Second steps', 'Third steps']) {
  const made = await asAda.POST('/api/articles', { body: { title, body: 'Text.', tags: ['walking'] } });
  assert.equal(made.response.headers.get('location'), `/api/articles/${made.data?.slug}`);
}
const second = await anyone.GET('/api/articles', {
  params: { query: { tag: 'walking', limit: 1, offset: 1 } },
});
assert.deepEqual([second.data?.total, second.data?.articles[0]?.slug], [3, 'second-steps']);
const slug = 'first-steps';
const params = { path: { slug } };
assert.equal((await asBob.POST('/api/articles/{slug}/favorite', { params })).data?.favoritesCount, 1);
assert.equal((await asBob.GET('/api/articles/{slug}', { params })).data?.favorited, true);
assert.equal((await asBob.DELETE('/api/articles/{slug}/favorite', { params })).data?.favoritesCount, 0);
assert.equal(
  (await asAda.PUT('/api/articles/{slug}', { params, body: { body: 'More.' } })).data?.body,
  'More.',
);
assert.deepEqual((await anyone.GET('/api/tags')).data, ['walking']);
const csv = await anyone.GET('/api/articles/export', { parseAs: 'text' });
assert.match(csv.data ?? '', /^slug,author\nfirst-steps,ada\n/);

// Following, and the feed.
const toAda = { params: { path: { username: 'ada' } } };
assert.equal((await asBob.POST('/api/profiles/{username}/follow', toAda)).data?.following, true);
assert.equal((await asBob.GET('/api/articles/feed', { params: { query: {} } })).data?.total, 3);
assert.equal((await anyone.GET('/api/profiles/{username}', toAda)).data?.bio, 'Counts.');
assert.equal((await asBob.DELETE('/api/profiles/{username}/follow', toAda)).data?.following, false);

// Comments.
const comment = await asBob.POST('/api/articles/{slug}/comments', { params, body: { text: 'Nice.' } });
const id = comment.data?.id ?? 0;
assert.equal(
  (await anyone.GET('/api/articles/{slug}/comments', { params })).data?.[0]?.author.username,
  'bob',
);
const one = { params: { path: { slug, id } } };
assert.equal((await asAda.DELETE('/api/articles/{slug}/comments/{id}', one)).response.status, 403);
assert.equal((await asBob.DELETE('/api/articles/{slug}/comments/{id}', one)).response.status, 204);

// Every refusal that the document declares.
const invalid = await refused(422, 'POST', '/api/users', { username: 'A', email: 'x', password: 'short' });
assert.deepEqual(
  (invalid as { issues: { path: string[] }[] }).issues.map(({ path }) => path.join('.')),
  ['username', 'email', 'password'],
);
const bobs = bob.data.token;
const bodies: [string, string, string?][] = [
  ['POST', '/api/users'],
  ['POST', '/api/users/login'],
  ['PUT', '/api/user', token],
  ['POST', '/api/articles', token],
  ['PUT', `/api/articles/${slug}`, token],
  ['POST', `/api/articles/${slug}/comments`, token],
];
for (const [method, path, by] of bodies) {
  await refused(400, method, path, '{', by);
  await refused(422, method, path, { email: 1, title: 1, text: 1 }, by);
}
const guarded: [string, string][] = [
  ['GET', '/api/user'],
  ['PUT', '/api/user'],
  ['GET', '/api/articles/feed'],
  ['POST', '/api/articles'],
  ['PUT', `/api/articles/${slug}`],
  ['DELETE', `/api/articles/${slug}`],
  ['POST', `/api/articles/${slug}/favorite`],
  ['DELETE', `/api/articles/${slug}/favorite`],
  ['POST', `/api/articles/${slug}/comments`],
  ['DELETE', `/api/articles/${slug}/comments/1`],
  ['POST', '/api/profiles/ada/follow'],
  ['DELETE', '/api/profiles/ada/follow'],
];
for (const [method, path] of guarded) await refused(401, method, path);
await refused(401, 'POST', '/api/users/login', { ...adaLogin, password: 'wrong' });
await refused(409, 'POST', '/api/articles', { title: 'First steps', body: 'Again.' }, token);
await refused(403, 'PUT', `/api/articles/${slug}`, { body: 'Mine.' }, bobs);
await refused(403, 'DELETE', `/api/articles/${slug}`, undefined, bobs);
const missing: [string, string, unknown?][] = [
  ['GET', '/api/articles/none'],
  ['PUT', '/api/articles/none', { body: 'x' }],
  ['DELETE', '/api/articles/none'],
  ['POST', '/api/articles/none/favorite'],
  ['DELETE', '/api/articles/none/favorite'],
  ['GET', '/api/articles/none/comments'],
  ['POST', '/api/articles/none/comments', { text: 'x' }],
  ['DELETE', `/api/articles/${slug}/comments/99`],
  ['GET', '/api/profiles/nobody'],
  ['POST', '/api/profiles/nobody/follow'],
  ['DELETE', '/api/profiles/nobody/follow'],
];
for (const [method, path, body] of missing) await refused(404, method, path, body, token);
const malformed: [string, string][] = [
  ['GET', '/api/articles?limit=0'],
  ['GET', '/api/articles/feed?limit=x'],
  ['DELETE', `/api/articles/${slug}/comments/x`],
  ['GET', '/api/profiles/A'],
  ['POST', '/api/profiles/A/follow'],
  ['DELETE', '/api/profiles/A/follow'],
  // A path that is not UTF-8 behind its percent-encoding.
  ['GET', '/api/articles/%FF'],
  ['DELETE', '/api/articles/%FF'],
  ['POST', '/api/articles/%FF/favorite'],
  ['DELETE', '/api/articles/%FF/favorite'],
];
for (const [method, path] of malformed) await refused(400, method, path, undefined, token);
assert.equal((await asAda.DELETE('/api/articles/{slug}', { params })).response.status, 204);

await close();
