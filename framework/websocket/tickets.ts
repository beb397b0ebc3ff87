// WebSocket: short-lived tickets, which authenticate a handshake where neither a cookie nor a header field can.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Attempt, type AuthMiddleware, authMiddleware } from '../auth/auth-method.js';
import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import { unauthenticated } from '../context/identified.js';
import type { PrincipalRecord } from '../context/principal.js';
import type { FwError } from '../http/errors.js';
import { checkTime } from '../runtime/check-time.js';

/** Options of `websocketTickets`. */
export interface TicketOptions {
  /** Signs the tickets; at least 32 characters, the same in all processes. */
  readonly secret: string;
  /** How long a ticket may be used, in milliseconds; 30,000 by default. */
  readonly lifetimeMs?: number;
}

/** Issues tickets; as middleware or extractor, it authenticates a handshake with a ticket. */
export interface WebSocketTickets extends AuthMiddleware {
  /** A ticket for a caller, such as `ctx.requireAuth()`, who connects with `?ticket=…`. */
  issue(principal: Pick<PrincipalRecord, 'id' | 'scopes'>): string;
}

const LEAST_SECRET = 32;
/** base64url of the content and of an HMAC-SHA-256. */
const TICKET = /^([A-Za-z0-9_-]{1,4096})\.([A-Za-z0-9_-]{43})$/;

interface Content {
  readonly id: string | undefined;
  readonly scopes: readonly string[];
  /** In milliseconds since 1970. */
  readonly until: number;
  readonly nonce: string;
}

/**
 * Tickets for WebSockets: browsers cannot send an API key or a token in header fields of a handshake, and an address
 * with a long-lived secret ends up in logs. A ticket holds the caller's id and scopes, lasts for seconds, and is used
 * once in a process.
 *
 * ```ts
 * const tickets = websocketTickets({ secret: process.env.TICKET_SECRET });
 * app.post('/ticket', (ctx) => ({ ticket: tickets.issue(ctx.requireAuth()) }));
 * app.websocket('/live', tickets, websocket({ data: (caller) => caller }));
 * ```
 *
 * @throws ConfigError when the secret is shorter than 32 characters, or the lifetime is not in milliseconds.
 */
export function websocketTickets({ secret, lifetimeMs = 30_000 }: TicketOptions): WebSocketTickets {
  if (typeof secret !== 'string' || secret.length < LEAST_SECRET) {
    throw new ConfigError(
      'FW_SECRET',
      `websocketTickets() needs a secret of at least ${LEAST_SECRET} characters, such as the output of: openssl rand -base64 32`,
    );
  }
  const lifetime = checkTime('lifetimeMs of websocketTickets()', lifetimeMs, 1);
  const used = new UsedTickets();
  const middleware = authMiddleware({
    name: 'websocketTickets',
    security: [
      { ticket: { type: 'apiKey', in: 'query', name: 'ticket', description: 'A ticket of a WebSocket.' } },
    ],
    challenges: [],
    isOptional: false,
    attempt: (ctx) => attempt(ctx, secret, used),
  });
  return Object.assign(middleware, {
    issue: ({ id, scopes }: Pick<PrincipalRecord, 'id' | 'scopes'>): string => {
      const nonce = randomBytes(16).toString('base64url');
      const content: Content = { id, scopes, until: Date.now() + lifetime, nonce };
      const text = Buffer.from(JSON.stringify(content)).toString('base64url');
      return `${text}.${macOf(secret, text).toString('base64url')}`;
    },
  });
}

function attempt(ctx: Context, secret: string, used: UsedTickets): Attempt {
  const ticket = ctx.req.queries().ticket;
  if (ticket === undefined) return undefined;
  const content = ticket.length === 1 ? read(String(ticket[0]), secret) : undefined;
  if (content === undefined) return invalid(ctx, 'the ticket is not valid');
  if (content.until <= Date.now()) return invalid(ctx, 'the ticket has expired');
  if (!used.add(content)) return invalid(ctx, 'the ticket was used before');
  ctx.authenticate({ id: content.id, scopes: content.scopes });
  return true;
}

function invalid(ctx: Context, message: string): FwError {
  return unauthenticated(ctx.scope, message);
}

function read(ticket: string, secret: string): Content | undefined {
  const [, text, mac] = TICKET.exec(ticket) ?? [];
  if (text === undefined || mac === undefined) return undefined;
  // Parsed after the signature: only what this application has written.
  if (!timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(secret, text))) return undefined;
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Content;
}

/** The label keeps a secret that signs other things too from giving tickets. */
function macOf(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(`fw websocket ticket\n${text}`).digest();
}

/** The tickets that were used and have not expired; only valid ones get here, so their number is bounded. */
class UsedTickets {
  readonly #until = new Map<string, number>();

  /** False if it was used before. */
  add({ nonce, until }: Content): boolean {
    const now = Date.now();
    // The oldest first; one that stays too long only takes memory.
    for (const [one, its] of this.#until) {
      if (its > now) break;
      this.#until.delete(one);
    }
    if (this.#until.has(nonce)) return false;
    this.#until.set(nonce, until);
    return true;
  }
}
