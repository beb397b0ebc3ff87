import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { appWith, login, NAME, secretIn, withCookie } from '../conformance/trial-session-app.js';
import { TestClient } from '../testing/index.js';
import { MemoryStore } from './memory-store.js';

describe('ids', () => {
  it('are stored as a digest alone', async () => {
    const keys: string[] = [];
    const store = new MemoryStore();
    const create = store.create.bind(store);
    store.create = (key, stored) => {
      keys.push(key);
      create(key, stored);
    };
    const client = new TestClient(appWith(store));
    await client.post('/count');
    const secret = client.cookie(NAME) ?? '';
    expect(keys).toEqual([createHash('sha256').update(secret).digest('base64url')]);
    // Whoever reads the store has nothing to send.
    const stolen = await new TestClient(appWith(store)).get('/', withCookie(keys[0] ?? ''));
    stolen.assertJson({ count: 0, user: null });
  });

  it('are never adopted from the client', async () => {
    const app = appWith(new MemoryStore());
    const planted = 'A'.repeat(43);
    const set = await new TestClient(app).post('/count', withCookie(planted));
    expect(secretIn(set.header('set-cookie'))).not.toBe(planted);
    (await new TestClient(app).get('/', withCookie(planted))).assertJson({ count: 0, user: null });
  });

  it('change at sign-in, and a fixed one is worthless then', async () => {
    const store = new MemoryStore();
    const app = appWith(store);
    const attacker = new TestClient(app);
    await attacker.post('/count');
    const fixed = attacker.cookie(NAME) ?? '';
    const victim = await new TestClient(app).post('/login/ada', withCookie(fixed));
    const secret = secretIn(victim.header('set-cookie'));
    expect(secret).not.toBe(fixed);
    (await attacker.get('/')).assertJson({ count: 0, user: null });
    (await new TestClient(app).get('/', withCookie(secret))).assertJson({ count: 1, user: 'ada' });
    expect(store.size).toBe(1);
  });

  it('change by regenerate(), which keeps the values', async () => {
    const app = appWith(new MemoryStore());
    const client = new TestClient(app);
    await client.post('/count');
    const old = client.cookie(NAME) ?? '';
    await client.post('/regenerate');
    expect(client.cookie(NAME)).not.toBe(old);
    (await client.get('/')).assertJson({ count: 1, user: null });
    (await new TestClient(app).get('/', withCookie(old))).assertJson({ count: 0, user: null });
  });

  it('are worthless after logout, which expires the cookie', async () => {
    const store = new MemoryStore();
    const app = appWith(store);
    const secret = await login(app);
    (await new TestClient(app).get('/me', withCookie(secret))).assertStatus(200);
    const out = await new TestClient(app).post('/logout', withCookie(secret));
    out.assertHeader('set-cookie', `${NAME}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`);
    expect(store.size).toBe(0);
    (await new TestClient(app).get('/me', withCookie(secret))).assertStatus(401);
  });

  it.each([
    ['tampered', (id: string) => (id.startsWith('A') ? 'B' : 'A') + id.slice(1)],
    ['shortened', (id: string) => id.slice(0, 42)],
    ['lengthened', (id: string) => `${id}A`],
    ['quoted', (id: string) => `"${id}"`],
    ['empty', () => ''],
    ['of another alphabet', (id: string) => `${id.slice(0, 42)}=`],
    ['very long', (id: string) => id.repeat(300)],
    ['followed by others', (id: string) => `x; ${NAME}=${id}`],
    ['preceded by others', (id: string) => `${id}; ${NAME}=${'A'.repeat(43)}`],
    ['__proto__', () => '__proto__'],
  ])('are refused if %s', async (_what, change) => {
    const app = appWith(new MemoryStore());
    const secret = await login(app);
    (await new TestClient(app).get('/', withCookie(change(secret)))).assertJson({ count: 0, user: null });
  });

  it.each([
    '__host-sid',
    '__HOST-SID',
    '__Host-Sid',
    'sid',
    '__Secure-sid',
    '__Host-sid2',
    '=__Host-sid',
    '__Host-sid\u00a0',
  ])('are not read from the cookie %j', async (name) => {
    const app = appWith(new MemoryStore());
    const secret = await login(app);
    (await new TestClient(app).get('/', withCookie(secret, name))).assertJson({ count: 0, user: null });
  });

  it('are read among other cookies, and if the same is sent twice', async () => {
    const app = appWith(new MemoryStore());
    const secret = await login(app);
    const cookie = `a; b=${'='.repeat(9)};${NAME}=${secret} ; ${NAME}=${secret};c=1`;
    (await new TestClient(app).get('/', { headers: { cookie } })).assertJson({ count: 0, user: 'ada' });
  });
});

describe('lifetimes', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const minutes = (count: number) => vi.setSystemTime(Date.now() + count * 60_000);

  it('end a session that is idle for 30 minutes, and uses prolong it', async () => {
    const app = appWith(new MemoryStore());
    const client = new TestClient(app);
    await client.post('/login/ada');
    for (let use = 0; use < 3; use += 1) {
      minutes(28);
      (await client.get('/me')).assertStatus(200);
    }
    minutes(28);
    (await client.get('/nope')).assertStatus(404);
    minutes(28);
    (await client.get('/me')).assertStatus(200);
    minutes(30);
    (await client.get('/me')).assertStatus(401);
  });

  it('end a session after 8 hours, however much it is used', async () => {
    const client = new TestClient(appWith(new MemoryStore()));
    await client.post('/login/ada');
    for (let use = 0; use < 19; use += 1) {
      minutes(25);
      (await client.post('/count')).assertStatus(200);
    }
    await client.post('/regenerate');
    minutes(4);
    (await client.get('/me')).assertStatus(200);
    minutes(1);
    (await client.get('/me')).assertStatus(401);
  });

  it('begin anew at sign-in', async () => {
    const client = new TestClient(appWith(new MemoryStore(), { idleMs: 600_000, absoluteMs: 600_000 }));
    await client.post('/count');
    minutes(9);
    await client.post('/login/ada');
    minutes(9);
    (await client.get('/me')).assertStatus(200);
  });

  it('of a shorter configuration apply to sessions that are stored already', async () => {
    const store = new MemoryStore();
    const secret = await login(appWith(store));
    minutes(10);
    const shorter = appWith(store, { absoluteMs: 600_000 });
    (await new TestClient(shorter).get('/me', withCookie(secret))).assertStatus(401);
  });

  it('are written at most once a minute by uses alone', async () => {
    const store = new MemoryStore();
    const client = new TestClient(appWith(store));
    await client.post('/login/ada');
    const update = vi.spyOn(store, 'update');
    for (let use = 0; use < 5; use += 1) await client.get('/');
    expect(update).not.toHaveBeenCalled();
    minutes(1);
    for (let use = 0; use < 5; use += 1) await client.get('/');
    expect(update).toHaveBeenCalledOnce();
  });

  it('are those of a persistent cookie too', async () => {
    const client = new TestClient(appWith(new MemoryStore(), { persistent: true }));
    const set = await client.post('/login/ada');
    expect(set.header('set-cookie')).toContain('; Max-Age=28800;');
  });
});
