import { describe, expect, it } from 'vitest';
import { listen } from '../../conformance/oidc/trial-shop.js';
import { hasRedis, newPrefix, removePrefix, SHARED } from '../../conformance/redis/trial-redis.js';
import { App, Context, FwError } from '../../index.js';
import type { RateLimitStore } from '../../middleware/index.js';
import { type SignInLimitOptions, signInLimit } from './index.js';

interface Attempt {
  readonly account?: string;
  readonly password?: string;
  readonly from?: string;
  readonly cookie?: string | undefined;
}

const RIGHT = 'right';

/** An app with accounts that all have one password, and what attempts are answered. */
function signIns(options: SignInLimitOptions = {}) {
  const limit = signInLimit(options);
  const app = new App()
    .trustProxy(true)
    .post('/sign-in', Context, async (ctx) => {
      const { account, password } = (await ctx.req.json()) as Record<'account' | 'password', string>;
      const failure = /^\d+$/.test(password)
        ? new FwError('Unauthorized', 'wrong', { status: Number(password) } as never)
        : new Error('database away');
      const isFailing = password === 'broken' || failure instanceof FwError;
      if (isFailing) await limit(ctx, account, () => Promise.reject(failure));
      const isRight = await limit(ctx, account, async () => password === RIGHT);
      return ctx.json({ isRight }, isRight ? 200 : 401);
    })
    .post('/sign-up', Context, async (ctx) => {
      await limit(ctx, 'ada');
      return 'ok';
    });
  const attempt = async ({
    account = 'ada',
    password = 'wrong',
    from = '192.0.2.1',
    cookie,
  }: Attempt = {}) => {
    const response = await app.fetch(
      new Request('http://x/sign-in', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': from,
          ...(cookie !== undefined && { cookie }),
        },
        body: JSON.stringify({ account, password }),
      }),
    );
    return { status: response.status, cookie: response.headers.get('set-cookie')?.split(';')[0], response };
  };
  const failures = async (count: number, one: (index: number) => Attempt = () => ({})) => {
    const all: number[] = [];
    for (let index = 0; index < count; index += 1) all.push((await attempt(one(index))).status);
    return all;
  };
  return { app, attempt, failures };
}

describe('signInLimit', () => {
  it('does not let strangers keep the owner of an account out', async () => {
    const { attempt, failures } = signIns();
    const statuses = await failures(200, (index) => ({ from: `198.51.100.${index % 10}` }));
    expect(statuses).toContain(429);
    expect((await attempt({ password: RIGHT, from: '192.0.2.9' })).status).toBe(200);
  });

  it('counts failures on an account from one network, however the account is spelled', async () => {
    const { attempt, failures } = signIns({ perAccountAndNetwork: 3 });
    expect(await failures(4, (index) => ({ account: index % 2 ? 'ADA' : 'ada' }))).toEqual([
      401, 401, 401, 429,
    ]);
    const refused = await attempt({ password: RIGHT });
    expect([refused.status, refused.response.headers.has('retry-after')]).toEqual([429, true]);
    expect((await attempt({ account: 'bob' })).status).toBe(401);
    expect((await attempt({ from: '192.0.2.2' })).status).toBe(401);
  });

  it('takes a network of IPv6 for one', async () => {
    const { failures } = signIns({ perAccountAndNetwork: 2 });
    expect(await failures(3, (index) => ({ from: `2001:db8::${index}` }))).toEqual([401, 401, 429]);
  });

  it('counts no success, and nothing that was not verified', async () => {
    const { attempt, failures } = signIns({ perAccountAndNetwork: 2, perClient: 2, perAccount: 2 });
    for (let count = 0; count < 10; count += 1) {
      expect((await attempt({ password: RIGHT })).status).toBe(200);
      expect((await attempt({ password: 'broken' })).status).toBe(500);
    }
    expect(await failures(3)).toEqual([401, 401, 429]);
  });

  it.each([
    ['401', 401, 429],
    ['403', 403, 429],
    ['499', 499, 429],
    ['500', 500, 500],
    ['503', 503, 503],
  ])('counts a password that is refused by an FwError of %s as it should', async (password, status, last) => {
    const { failures } = signIns({ perAccountAndNetwork: 2 });
    expect(await failures(3, () => ({ password }))).toEqual([status, status, last]);
  });

  it('passes on what verify throws, also if the store cannot take the attempt back', async () => {
    const store: RateLimitStore = {
      take: () => ({ isAllowed: true, remaining: 1, retryAfterMs: 0, resetMs: 0 }),
      giveBack: () => Promise.reject(new Error('away')),
    };
    const seen: unknown[] = [];
    const stop = listen(seen);
    const { status } = await signIns({ store }).attempt({ password: 'broken' });
    expect((await signIns({ store }).attempt({ password: RIGHT })).status).toBe(503);
    stop();
    expect(status).toBe(500);
    const messages = seen.map((error) => (error as Error).cause ?? error).map(String);
    expect(messages).toEqual(['Error: away', 'Error: database away', 'Error: away']);
  });

  it('counts a client on all accounts, and attempts at the same time', async () => {
    const { attempt } = signIns({ perClient: 5 });
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => attempt({ account: `user${index}` })),
    );
    expect(all.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  it('lets a device that has signed in before in, whoever else tries', async () => {
    const { attempt, failures } = signIns({ perAccountAndNetwork: 3, perAccount: 5 });
    const { cookie } = await attempt({ password: RIGHT });
    expect(cookie).toMatch(/^__Host-device=/);
    await failures(20, (index) => ({ from: `198.51.100.${index}` }));
    await failures(5);
    expect((await attempt({ password: RIGHT })).status).toBe(429);
    expect((await attempt({ password: RIGHT, cookie })).status).toBe(200);
    // It has a bucket of its own, which it can empty.
    expect(await failures(4, () => ({ cookie }))).toEqual([401, 401, 401, 429]);
    expect((await attempt({ account: 'bob', password: RIGHT, cookie })).status).toBe(200);
  });

  it('takes no device that it has not signed', async () => {
    const { attempt, failures } = signIns({ perAccountAndNetwork: 1, perAccount: 2 });
    const { cookie = '' } = await attempt({ account: 'eve', password: RIGHT });
    await failures(5, (index) => ({ from: `198.51.100.${index}` }));
    const other = signIns();
    const foreign = (await other.attempt({ password: RIGHT })).cookie ?? '';
    const forged = [cookie, foreign, `${cookie}x`, '__Host-device=', `${foreign}; __Host-device=x`];
    for (const one of forged) {
      expect([one, (await attempt({ password: RIGHT, cookie: one })).status]).toEqual([one, 429]);
    }
  });

  it('takes no device of another limit that has its secret, where the account may be somebody else', async () => {
    const secret = 'a secret of at least 32 characters, really';
    const { cookie } = await signIns({ secret, name: 'customers' }).attempt({ password: RIGHT });
    const staff = signIns({ secret, name: 'staff', perAccountAndNetwork: 1 });
    await staff.failures(3);
    expect((await staff.attempt({ password: RIGHT, cookie })).status).toBe(429);
  });

  it('knows devices in all processes that have its secret', async () => {
    const secret = 'a secret of at least 32 characters, really';
    const { cookie } = await signIns({ secret }).attempt({ password: RIGHT });
    const { attempt, failures } = signIns({ secret, perAccountAndNetwork: 1 });
    await failures(3);
    expect((await attempt({ password: RIGHT, cookie })).status).toBe(200);
  });

  it('counts every attempt without a password to verify', async () => {
    const { app } = signIns({ perAccountAndNetwork: 2 });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await app.fetch(new Request('http://x/sign-up', { method: 'POST' }))).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('refuses with 503 while its store fails', async () => {
    const failing: RateLimitStore[] = [
      {
        take() {
          throw new Error('away');
        },
      },
      { take: () => Promise.reject(new Error('away')) },
    ];
    for (const store of failing) {
      const { response } = await signIns({ store }).attempt({ password: RIGHT });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    }
  });

  it('says nothing of sign-ins to who attempts something else, such as a sign-up', async () => {
    const signUp = async ({ app }: ReturnType<typeof signIns>) => {
      const response = await app.fetch(new Request('http://x/sign-up', { method: 'POST' }));
      return ((await response.json()) as { message: string }).message;
    };
    const away = signIns({ store: { take: () => Promise.reject(new Error('away')) } });
    expect(await signUp(away)).toBe('attempts cannot be counted now; try again later');
    const store: RateLimitStore = {
      take: () => ({ isAllowed: false, remaining: 0, retryAfterMs: 7_000, resetMs: 7_000 }),
    };
    expect(await signUp(signIns({ store }))).toBe('too many attempts; try again in 7 s');
  });

  it('counts an account as one, however its letters are written', async () => {
    const { failures } = signIns({ perAccountAndNetwork: 4 });
    const spellings = ['zo\u00eb', 'ZO\u00cb', 'zoe\u0308', '\uff5a\uff4f\u00eb', 'Zo\u00eb'];
    expect(await failures(5, (index) => ({ account: spellings[index] ?? '' }))).toEqual([
      ...[401, 401, 401, 401],
      429,
    ]);
    expect(await failures(1, () => ({ account: 'zoe' }))).toEqual([401]);
  });

  it('counts as it is documented, if nothing else is said', async () => {
    const taken: [string, object][] = [];
    const store: RateLimitStore = {
      take(key, limit) {
        taken.push([key.replaceAll(/[\w-]{20,}/g, '…').replace('ip:192.0.2.1', 'network'), limit]);
        return { isAllowed: true, remaining: 1, retryAfterMs: 0, resetMs: 0 };
      },
    };
    const { attempt } = signIns({ store });
    const { cookie } = await attempt({ password: RIGHT });
    await attempt({ cookie });
    const windowMs = 15 * 60_000;
    expect(taken).toEqual([
      ['sign-in client network', { max: 50, windowMs }],
      ['sign-in account … from network', { max: 10, windowMs }],
      ['sign-in account …', { max: 1000, windowMs }],
      ['sign-in device …', { max: 10, windowMs }],
    ]);
  });

  it('gives each device a name and a bucket of its own', async () => {
    const { attempt, failures } = signIns({ perAccountAndNetwork: 2 });
    const [one, other] = [await attempt({ password: RIGHT }), await attempt({ password: RIGHT })];
    expect(one.cookie).not.toBe(other.cookie);
    expect(await failures(3, () => ({ cookie: one.cookie }))).toEqual([401, 401, 429]);
    expect((await attempt({ password: RIGHT, cookie: other.cookie })).status).toBe(200);
  });

  it.each(['yes', 1, {}, undefined])(
    'takes %j of verify for a failure, as it is not true',
    async (answer) => {
      const limit = signInLimit({ perAccountAndNetwork: 1 });
      const app = new App().get('/', Context, (ctx) => limit(ctx, 'ada', () => answer as never));
      const [first, second] = [
        await app.fetch(new Request('http://x/')),
        await app.fetch(new Request('http://x/')),
      ];
      expect([await first.json(), second.status]).toEqual([false, 429]);
    },
  );

  it('asks to wait for a second at least', async () => {
    const store: RateLimitStore = {
      take: () => ({ isAllowed: false, remaining: 0, retryAfterMs: 0, resetMs: 0 }),
    };
    const { response } = await signIns({ store }).attempt();
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
  });

  it('keeps no name of an account in the store', async () => {
    const keys: string[] = [];
    const store: RateLimitStore = {
      take(key) {
        keys.push(key);
        return { isAllowed: true, remaining: 1, retryAfterMs: 0, resetMs: 0 };
      },
    };
    await signIns({ store, name: 'staff' }).attempt({ account: 'ada@example.com' });
    expect(keys).toHaveLength(3);
    expect(keys.every((key) => key.startsWith('staff '))).toBe(true);
    expect(keys.join()).not.toContain('ada');
  });

  it('lets no script read the cookie of a device, and sends it over HTTPS to this host alone', async () => {
    const attributes = async (options: SignInLimitOptions) => {
      const { response } = await signIns(options).attempt({ password: RIGHT });
      const [pair = '', ...rest] = (response.headers.get('set-cookie') ?? '').split('; ');
      return [pair.split('=')[0], ...rest.sort()];
    };
    const common = ['HttpOnly', 'Max-Age=31536000', 'Path=/', 'SameSite=Lax'];
    expect(await attributes({})).toEqual(['__Host-device', ...common, 'Secure']);
    expect(await attributes({ secure: false })).toEqual(['device', ...common]);
  });

  it('makes a device known with a store that cannot give back', async () => {
    const store: RateLimitStore = {
      take: () => ({ isAllowed: true, remaining: 1, retryAfterMs: 0, resetMs: 0 }),
    };
    const { status, cookie } = await signIns({ store }).attempt({ password: RIGHT });
    expect([status, cookie]).toEqual([200, expect.stringMatching(/^__Host-device=/)]);
  });

  it('refuses wrong options', () => {
    expect(() => signInLimit({ perAccount: 0 })).toThrow(/perAccount is 0; give a whole number, 1 or more/);
    expect(() => signInLimit({ windowSeconds: 0.5 })).toThrow(/windowSeconds is 0.5; give/);
    for (const secret of ['short', 's'.repeat(31), 7 as never, null as never, { length: 32 } as never]) {
      expect(() => signInLimit({ secret })).toThrow(/at least 32 characters/);
    }
    expect(() => signInLimit({ secret: 's'.repeat(32) })).not.toThrow();
    expect(() => signInLimit({ perAcount: 1 } as never)).toThrow(
      /no option 'perAcount'; did you mean 'perAccount'/,
    );
  });
});

describe.skipIf(!(await hasRedis()))('signInLimit in Redis', () => {
  it('counts failures of all processes, and gives successes back', async () => {
    const { RedisRateLimitStore } = await import('../../redis/index.js');
    const prefix = newPrefix();
    const stores = [1, 2].map(() => new RedisRateLimitStore(SHARED, { prefix }));
    const processes = stores.map((store) => signIns({ store, perAccountAndNetwork: 3, perClient: 100 }));
    const [one, other] = processes as [ReturnType<typeof signIns>, ReturnType<typeof signIns>];
    try {
      for (let count = 0; count < 5; count += 1) {
        expect((await one.attempt({ password: RIGHT })).status).toBe(200);
      }
      expect(await one.failures(2)).toEqual([401, 401]);
      expect(await other.failures(2)).toEqual([401, 429]);
    } finally {
      for (const store of stores) await store.close();
      await removePrefix(prefix);
    }
  });
});
