// Tickets of WebSockets: who they authenticate, and how they are refused.
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { apiKey, StaticKeys } from '../auth/api-key/index.js';
import { Jwt } from '../auth/jwt/index.js';
import { serve } from '../conformance/websocket/trial-socket.js';
import { Context } from '../index.js';
import { type TicketOptions, websocket, websocketTickets } from './index.js';

const secret = 's'.repeat(32);

async function live(options: Partial<TicketOptions> = {}) {
  const tickets = websocketTickets({ secret, ...options });
  const key = apiKey({ store: new StaticKeys().withScopes('k'.repeat(32), 'billing', ['read']) });
  const app = new App()
    .post('/ticket', key, (caller) => ({ ticket: tickets.issue(caller) }))
    .post('/ticket-of-token', Jwt.hs256(secret).build(), Context, (_, ctx) => ({
      ticket: tickets.issue(ctx),
    }))
    .websocket(
      '/live',
      tickets,
      websocket({ data: (caller) => caller, onOpen: (socket) => void socket.sendJson(socket.data) }),
    );
  const { url, connect } = await serve(app);
  const issue = async (
    path = '/ticket',
    headers: Record<string, string> = { 'x-api-key': 'k'.repeat(32) },
  ): Promise<string> => {
    const answer = await fetch(url + path, { method: 'POST', headers });
    return ((await answer.json()) as { ticket: string }).ticket;
  };
  /** The refusal of a handshake. */
  const refused = async (query: string): Promise<string> => {
    const headers = { Upgrade: 'websocket', Connection: 'Upgrade' };
    const { request } = await import('node:http');
    const asked = request(`${url}/live?${query}`, {
      headers: { ...headers, 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' },
    }).end();
    const [response] = await once(asked, 'response');
    expect(response.headers['www-authenticate']).toBe('Ticket');
    let text = '';
    for await (const chunk of response) text += chunk;
    return `${response.statusCode} ${JSON.parse(text).message}`;
  };
  return { connect, issue, refused };
}

describe('a ticket', () => {
  it('authenticates one handshake as its caller', async () => {
    const { connect, issue, refused } = await live();
    const ticket = await issue();
    const client = await connect(`/live?ticket=${ticket}`);
    await vi.waitFor(() => expect(client.json).toEqual([{ id: 'billing', scopes: ['read'] }]));
    expect(await refused(`ticket=${ticket}`)).toBe('401 the ticket was used before');
  });

  it('is refused if it is missing, changed, repeated, of another secret or too old', async () => {
    const { issue, refused } = await live({ lifetimeMs: 5_000 });
    const [ticket, foreign] = [await issue(), await (await live({ secret: 'x'.repeat(32) })).issue()];
    const [text, mac] = ticket.split('.') as [string, string];
    const forged = Buffer.from(
      Buffer.from(text, 'base64url').toString().replace('billing', 'admins'),
    ).toString('base64url');
    expect(await refused('')).toBe('401 authentication is required');
    for (const wrong of [`${forged}.${mac}`, foreign, text, 'x', `${ticket}&ticket=${ticket}`]) {
      expect(await refused(`ticket=${wrong}`)).toBe('401 the ticket is not valid');
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 });
    expect(await refused(`ticket=${ticket}`)).toBe('401 the ticket has expired');
    vi.useRealTimers();
  });

  it('is refused when the token has expired that it was issued for, though it is not too old itself', async () => {
    const { issue, refused } = await live({ lifetimeMs: 120_000 });
    const token = Jwt.hs256(secret).expiresIn(60).sign({ sub: 'ada' });
    const ticket = await issue('/ticket-of-token', { authorization: `Bearer ${token}` });
    const other = await issue();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect(await refused(`ticket=${ticket}`)).toBe('401 the ticket has expired');
    vi.setSystemTime(Date.now() + 60_000);
    expect(await refused(`ticket=${other}`)).toBe('401 the ticket has expired');
    vi.useRealTimers();
  });

  it('may be used for half a minute by default, and stays used while others are', async () => {
    const { connect, issue, refused } = await live();
    const [first, second, third] = [await issue(), await issue(), await issue()];
    for (const one of [first, second]) await connect(`/live?ticket=${one}`);
    for (const one of [first, second]) {
      expect(await refused(`ticket=${one}`)).toBe('401 the ticket was used before');
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20_000 });
    await connect(`/live?ticket=${third}`);
    expect(await refused(`ticket=${third}`)).toBe('401 the ticket was used before');
    vi.setSystemTime(Date.now() + 10_000);
    expect(await refused(`ticket=${third}`)).toBe('401 the ticket has expired');
    vi.useRealTimers();
  });

  it('is not issued for scopes that are not a list, or do not fit in an address', () => {
    const tickets = websocketTickets({ secret });
    for (const scopes of ['admin', undefined, [1]]) {
      expect(() => tickets.issue({ id: 'ada', scopes } as never)).toThrow('give a list of texts');
    }
    const many = Array.from({ length: 300 }, (_, number) => `orders:${number}`);
    expect(() => tickets.issue({ id: 'ada', scopes: many })).toThrow('do not fit in an address');
  });

  it('may be as long as an address takes, and not a character longer', async () => {
    const tickets = websocketTickets({ secret });
    const { connect } = await live();
    const contentOf = (ticket: string) => Buffer.from(ticket.split('.')[0] ?? '', 'base64url');
    const issue = (idLength: number) => tickets.issue({ id: 'i'.repeat(idLength), scopes: [] });
    // In base64url, 4,096 characters are 3,072 bytes.
    const longest = 3_072 - contentOf(issue(0)).length;
    const ticket = issue(longest);
    expect(ticket.split('.')[0]).toHaveLength(4_096);
    const client = await connect(`/live?ticket=${ticket}`);
    await vi.waitFor(() => expect(client.json).toEqual([{ id: 'i'.repeat(longest), scopes: [] }]));
    expect(() => issue(longest + 1)).toThrow('do not fit in an address');
  });

  it('needs a secret that cannot be guessed', () => {
    expect(() => websocketTickets({ secret: 'short' })).toThrow(
      'the secret is of 5 characters; give one of at least 32 characters',
    );
    expect(() => websocketTickets({ secret: 's'.repeat(31) })).toThrow('the secret is of 31 characters');
    expect(() => websocketTickets({ secret, lifetimeMs: 0 })).toThrow(
      'websocketTickets: lifetimeMs is 0; give a whole number of milliseconds from 1',
    );
  });
});
