// Every refusal that the document declares, by requests that the types of a client do not allow.
import assert from 'node:assert/strict';
import { recorded } from './recorded.ts';

interface Tokens {
  /** Of the author of the article. */
  readonly ada: string;
  /** Of somebody else. */
  readonly bob: string;
}

export async function refusals(url: string, slug: string, tokens: Tokens): Promise<void> {
  const token = tokens.ada;
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

  const invalid = await refused(422, 'POST', '/api/users', { username: 'A', email: 'x', password: 'short' });
  assert.deepEqual(
    (invalid as { issues: { path: string[] }[] }).issues.map(({ path }) => path.join('.')),
    ['username', 'email', 'password'],
  );
  const bobs = tokens.bob;
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
  await refused(401, 'POST', '/api/users/login', { email: 'ada@example.org', password: 'wrong' });
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
}
