// What a frontend does with the backend, by the client of openapi-fetch.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import { backend } from './app.ts';
import type { paths } from './openapi.ts';
import { recorded } from './recorded.ts';
import { refusals } from './refusals.ts';

const { url, close } = await backend().app.listen(0);

function signedIn(token: string) {
  return createClient<paths>({
    baseUrl: url,
    fetch: recorded,
    headers: { authorization: `Bearer ${token}` },
  });
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

await refusals(url, slug, { ada: token, bob: bob.data.token });
assert.equal((await asAda.DELETE('/api/articles/{slug}', { params })).response.status, 204);

await close();
