// Checks of passwords, with limits, logs and stronger hashes.
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { App, FwError, type Handler } from '../../index.js';
import { TestClient } from '../../testing/index.js';
import { subscribe } from '../../tracing/index.js';
import { hashPassword, needsRehash, type SignInLimit, signInLimit } from '../password/index.js';
import { type PasswordCheckOptions, type PasswordUser, passwordCheck } from './password-check.js';

// Hashing a password takes its time, on purpose.
vi.setConfig({ testTimeout: 60_000 });
afterEach(() => void vi.unstubAllEnvs());

const email = 'ada@example.org';
const password = 'correct horse battery';
let ada: PasswordUser;
beforeAll(async () => {
  vi.stubEnv('FW_PASSWORD_COST', '11');
  ada = { id: 'ada', passwordHash: await hashPassword(password) };
});

/** What a check with these options gives, and the events that are logged. */
async function checked(
  credentials: { email: string; password: string },
  options: Partial<PasswordCheckOptions<PasswordUser>> = {},
  event?: string,
): Promise<{ status: number; user: unknown; events: unknown[] }> {
  vi.stubEnv('FW_PASSWORD_COST', '11');
  const check = passwordCheck<PasswordUser>({
    limit: signInLimit(),
    find: (_, given) => (given === email ? ada : undefined),
    rehash: () => expect.unreachable(),
    ...options,
  });
  const events: unknown[] = [];
  const end = subscribe(({ level, fields }) => {
    if ('event' in fields) events.push([level, fields.event, fields.reason, fields.user_id]);
  });
  const handler: Handler = async (ctx) => ({ user: (await check(ctx, credentials, event)) ?? null });
  const response = await new TestClient(new App().post('/', handler)).post('/');
  end();
  const user = response.status === 200 ? response.json<{ user: unknown }>().user : undefined;
  return { status: response.status, user, events };
}

describe('passwordCheck', () => {
  it('gives the user if the password is right, and leaves the log of that to the app', async () => {
    expect(await checked({ email, password })).toEqual({ status: 200, user: ada, events: [] });
  });

  it('gives nobody for a wrong password and an unknown address, and logs both', async () => {
    const wrong = await checked({ email, password: 'wrong' });
    expect(wrong).toEqual({
      status: 200,
      user: null,
      events: [['warn', 'sign-in', 'wrong password', 'ada']],
    });
    const unknown = await checked({ email: 'nobody@example.org', password }, {}, 'email-change');
    expect(unknown).toEqual({
      status: 200,
      user: null,
      events: [['warn', 'email-change', 'wrong password', undefined]],
    });
  });

  it.each([null, undefined])('does as much work for a user whose hash is %s, and refuses', async (hash) => {
    const verified = vi.fn();
    const limit = (async (_ctx: unknown, _account: unknown, verify: () => Promise<boolean>) => {
      const isRight = await verify();
      verified(isRight);
      return isRight;
    }) as unknown as SignInLimit;
    const find = () => ({ id: 'eve', passwordHash: hash });
    expect(await checked({ email, password }, { find, limit })).toMatchObject({ user: null });
    expect(await checked({ email, password }, { find: () => hash, limit })).toMatchObject({ user: null });
    expect(verified.mock.calls).toEqual([[false], [false]]);
  });

  it('logs that there were too many failures', async () => {
    const limit = (() => Promise.reject(FwError.tooManyRequests('later'))) as unknown as SignInLimit;
    expect(await checked({ email, password }, { limit })).toMatchObject({
      status: 429,
      events: [['warn', 'sign-in', 'too many failures', 'ada']],
    });
  });

  it('makes a weaker hash anew when it was right, and never when it was wrong', async () => {
    const rehash = vi.fn();
    vi.stubEnv('FW_PASSWORD_COST', '10');
    const find = () => weak;
    const weak = { id: 'ada', passwordHash: await hashPassword(password) };
    await checked({ email, password: 'wrong' }, { find, rehash });
    expect(rehash).not.toHaveBeenCalled();
    await checked({ email, password }, { find, rehash });
    const [[, user, hash]] = rehash.mock.calls as [[unknown, unknown, string]];
    expect(user).toEqual(weak);
    expect(needsRehash(hash)).toBe(false);
    expect(
      await checked({ email, password }, { find: () => ({ id: 'ada', passwordHash: hash }) }),
    ).toMatchObject({
      user: { id: 'ada' },
    });
  });

  it('lets nobody in if what it calls fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const away = () => Promise.reject(new Error('the database is away'));
    expect((await checked({ email, password }, { find: away })).status).toBe(500);
    vi.stubEnv('FW_PASSWORD_COST', '10');
    const passwordHash = await hashPassword(password);
    const failing = { find: () => ({ id: 'ada', passwordHash }), rehash: away };
    expect((await checked({ email, password }, failing)).status).toBe(500);
    const unavailable = (() => Promise.reject(FwError.serviceUnavailable('no'))) as unknown as SignInLimit;
    expect(await checked({ email, password }, { limit: unavailable })).toMatchObject({
      status: 503,
      events: [],
    });
  });

  it.each([
    [{}, 'passwordCheck: limit is missing; give a limit of guesses'],
    [{ limit: signInLimit(), rehash: () => {} }, 'passwordCheck: find is missing'],
    [{ limit: signInLimit(), find: 'ada', rehash: () => {} }, "find is 'ada'; give a function that finds"],
    [{ limit: signInLimit(), find: () => undefined }, 'passwordCheck: rehash is missing'],
  ])('refuses wrong options: %#', (options, message) => {
    expect(() => passwordCheck(options as never)).toThrow(message);
  });
});
