// What the log tells of accounts.
import { describe, expect, it } from 'vitest';
import { App } from '../../index.js';
import { TestClient } from '../../testing/index.js';
import { type Subscriber, subscribe } from '../../tracing/index.js';
import { type AccountFacts, logAccountEvent } from './account-events.js';

type Logged = Parameters<Subscriber>[0];

/** The line of an event, logged in a request. */
async function lineOf(event: string, facts?: AccountFacts): Promise<Logged | undefined> {
  const events: Logged[] = [];
  const end = subscribe((line) => void ('event' in line.fields && events.push(line)));
  const app = new App().get('/', (ctx) => logAccountEvent(ctx, event, facts));
  await new TestClient(app).get('/');
  end();
  return events[0];
}

describe('logAccountEvent', () => {
  it('logs a success', async () => {
    const line = await lineOf('sign-in', { userId: 'ada' });
    expect(line).toMatchObject({ level: 'info', message: 'sign-in' });
    expect(line?.fields).toMatchObject({ event: 'sign-in', outcome: 'success', user_id: 'ada' });
    expect(Object.keys(line?.fields ?? {})).not.toContain('reason');
    expect(Object.keys(line?.fields ?? {})).not.toContain('email_digest');
  });

  it('logs a failure, with a digest of the address that is the same each time', async () => {
    const facts = { email: 'ada@example.org', failure: 'wrong password' };
    const [one, other] = [await lineOf('sign-in', facts), await lineOf('sign-in', facts)];
    expect(one).toMatchObject({ level: 'warn', message: 'sign-in failed: wrong password' });
    expect(one?.fields).toMatchObject({
      event: 'sign-in',
      outcome: 'failure',
      reason: 'wrong password',
      email_digest: expect.stringMatching(/^[\w-]{16}$/),
    });
    expect(JSON.stringify(one)).not.toContain('ada@example.org');
    expect(other?.fields.email_digest).toBe(one?.fields.email_digest);
    const third = await lineOf('sign-in', { ...facts, email: 'bob@example.org' });
    expect(third?.fields.email_digest).not.toBe(one?.fields.email_digest);
  });

  it('says from where it came', async () => {
    const events: Logged[] = [];
    const end = subscribe((line) => void ('event' in line.fields && events.push(line)));
    const app = new App()
      .trustProxy({ header: 'x-client' })
      .get('/', (ctx) => logAccountEvent(ctx, 'invited'));
    await new TestClient(app).get('/', { headers: { 'x-client': '203.0.113.7' } });
    end();
    expect(events[0]?.fields).toMatchObject({ event: 'invited', outcome: 'success', client: '203.0.113.7' });
  });

  it.each([
    ['', {}, "logAccountEvent: the event is ''"],
    [undefined, {}, 'logAccountEvent: the event is missing'],
    ['sign-in', { user: 'ada' }, "has no option 'user'"],
  ])('refuses %j %j', (event, facts, message) => {
    expect(() => logAccountEvent({} as never, event as never, facts as never)).toThrow(message);
  });
});
