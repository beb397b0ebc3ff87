// What a frontend does with the backend, by the client of fw: the same as in journey.ts.
import assert from 'node:assert/strict';
import { backend } from './app.ts';
import { FwRpcClient, isRouteError, type User } from './client.ts';
import { recorded } from './recorded.ts';
import { refusals } from './refusals.ts';

const { url, close } = await backend().app.listen(0);

function signedIn({ token }: User): FwRpcClient {
  return new FwRpcClient(url, { fetch: recorded, headers: () => ({ authorization: `Bearer ${token}` }) });
}

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  );

const anyone = new FwRpcClient(url, { fetch: recorded });
const adaLogin = { email: 'ada@example.org', password: 'lovelace1815' };

// Registration and sign-in.
const ada = await anyone.users.register({ body: { ...adaLogin, username: 'ada' } });
assert.ok(!('password' in ada));
const bob = await anyone.users.register({
  body: { username: 'bob', email: 'bob@example.org', password: 'password123' },
});
const taken = await failure(anyone.users.register({ body: { ...adaLogin, username: 'ada' } }));
// The body of 409 is its own schema, all others are the standard error.
assert.ok(isRouteError(taken, 'users.register') && taken.status === 409);
assert.equal(taken.body.taken, 'username');
const login = await anyone.users.login({ body: adaLogin });
const asAda = signedIn(login);
const asBob = signedIn(bob);
assert.equal((await asAda.showUser()).email, adaLogin.email);
assert.equal((await asAda.users.change({ body: { bio: 'Counts.' } })).bio, 'Counts.');
const inUse = await failure(asAda.users.change({ body: { email: 'bob@example.org' } }));
assert.ok(isRouteError(inUse, 'users.change') && inUse.status === 409);

// Articles: writing, reading, pages, favourites.
for (const title of ['First steps', 'Second steps', 'Third steps']) {
  const made = await asAda.articles.create({ body: { title, body: 'Text.', tags: ['walking'] } });
  assert.equal(made.title, title);
}
const second = await anyone.articles.list({ tag: 'walking', limit: 1, offset: 1 });
assert.deepEqual([second.total, second.articles[0]?.slug], [3, 'second-steps']);
const slug = 'first-steps';
assert.equal((await asBob.articles.favorite({ slug })).favoritesCount, 1);
assert.equal((await asBob.articles.get({ slug })).favorited, true);
assert.equal((await asBob.articles.unfavorite({ slug })).favoritesCount, 0);
assert.equal((await asAda.articles.change({ slug, body: { body: 'More.' } })).body, 'More.');
assert.deepEqual(await anyone.tags.list(), ['walking']);
assert.match(await anyone.exportArticles(), /^slug,author\nfirst-steps,ada\n/);

// Following, and the feed.
const username = 'ada';
assert.equal((await asBob.profiles.follow({ username })).following, true);
assert.equal((await asBob.articles.feed()).total, 3);
assert.equal((await anyone.profiles.get({ username })).bio, 'Counts.');
assert.equal((await asBob.profiles.unfollow({ username })).following, false);

// Comments.
const { id } = await asBob.comments.add({ slug, body: { text: 'Nice.' } });
assert.equal((await anyone.comments.list({ slug }))[0]?.author.username, 'bob');
const foreign = await failure(asAda.comments.delete({ slug, id }));
assert.ok(isRouteError(foreign, 'comments.delete') && foreign.status === 403);
await asBob.comments.delete({ slug, id });

await refusals(url, slug, { ada: login.token, bob: bob.token });
await asAda.articles.delete({ slug });

await close();
