// WebSocket: short-lived tickets, which authenticate a handshake where neither a cookie nor a header field can.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Attempt, type AuthMiddleware, authMiddleware } from '../auth/auth-method.js';
import { ConfigError } from '../config-error.js';
import { Context } from '../context/context.js';
import { unauthenticated } from '../context/identity.js';
import { areScopes, type Credential, type PrincipalRecord } from '../context/principal.js';
import type { FwError } from '../http/errors.js';
import { checkOptions } from '../options/check.js';
import { anything, milliseconds, type Rules } from '../options/rules.js';
import { kindOf } from '../options/shown.js';
import { noteSecret } from '../tracing/secrets.js';

/** Options of `websocketTickets`. */
export interface TicketOptions {
  /** Signs the tickets; at least 32 characters, the same in all processes. */
  readonly secret: string;
  /** How long a ticket may be used, in milliseconds; 30,000 by default. */
  readonly lifetimeMs?: number;
}

/** Issues tickets; as middleware or extractor, it authenticates a handshake with a ticket. */
export interface WebSocketTickets extends AuthMiddleware {
  /**
   * A ticket for a caller who connects with `?ticket=…`. With the context of the caller's request, the connection ends
   * when what has authenticated that request does: a token at its expiry, and in the process that has issued the ticket
   * also an API key that is revoked and a session that ends.
   *
   * @param caller the context of an authenticated request, or who it is: `ctx.requireAuth()`
   * @throws FwError 401 if nobody is authenticated in the context
   */
  issue(caller: Context | Pick<PrincipalRecord, 'id' | 'scopes'>): string;
}

const LEAST_SECRET = 32;
/** A response 401 has one (RFC 9110, section 15.5.2); the scheme is not registered, because no header field has it. */
const CHALLENGES: readonly string[] = ['Ticket'];
/** The content of a ticket, in characters: it is part of a URL. */
const LONGEST_TICKET = 4096;
/** base64url of the content and of an HMAC-SHA-256. */
const TICKET = /^([A-Za-z0-9_-]{1,4096})\.([A-Za-z0-9_-]{43})$/;

const RULES: Rules<TicketOptions> = { secret: anything, lifetimeMs: milliseconds(1) };

interface Content {
  readonly id: string | undefined;
  readonly scopes: readonly string[];
  /** In milliseconds since 1970. */
  readonly until: number;
  readonly nonce: string;
  /** When what has authenticated the caller ends, in milliseconds since 1970; undefined if that is not known. */
  readonly expiresAtMs?: number;
}

/**
 * Tickets for WebSockets: browsers cannot send an API key or a token in header fields of a handshake, and an address
 * with a long-lived secret ends up in logs. A ticket holds the caller's id and scopes, lasts for seconds, and is used
 * once in a process.
 *
 * ```ts
 * const tickets = websocketTickets({ secret: process.env.TICKET_SECRET });
 * app.post('/ticket', (ctx) => ({ ticket: tickets.issue(ctx) }));
 * app.websocket('/live', tickets, websocket({ data: (caller) => caller }));
 * ```
 *
 * @throws ConfigError if the secret is shorter than 32 characters, or the lifetime is not in milliseconds.
 */
export function websocketTickets(options: TicketOptions): WebSocketTickets {
  const { secret, lifetimeMs: lifetime = 30_000 } = checkOptions('websocketTickets', options, RULES);
  if (typeof secret !== 'string' || secret.length < LEAST_SECRET) {
    throw new ConfigError(
      'FW_SECRET',
      `websocketTickets: the secret is ${typeof secret === 'string' ? `of ${secret.length} characters` : kindOf(secret)}; give one of at least ${LEAST_SECRET} characters, such as the output of: openssl rand -base64 32`,
    );
  }
  const used = new UsedTickets();
  const issued = new IssuedTickets();
  const middleware = authMiddleware({
    name: 'websocketTickets',
    security: [
      { ticket: { type: 'apiKey', in: 'query', name: 'ticket', description: 'A ticket of a WebSocket.' } },
    ],
    challenges: CHALLENGES,
    isOptional: false,
    attempt: (ctx) => attempt(ctx, secret, used, issued),
  });
  return Object.assign(middleware, {
    issue: (caller: Context | Pick<PrincipalRecord, 'id' | 'scopes'>): string => {
      const { id, scopes } = caller instanceof Context ? caller.requireAuth() : caller;
      if (!areScopes(scopes)) {
        throw new Error(
          `issue() of websocketTickets: the scopes are ${kindOf(scopes)}; give a list of texts`,
        );
      }
      const credentials = caller instanceof Context ? caller.credentials : [];
      const nonce = randomBytes(16).toString('base64url');
      const ends = credentials.flatMap(({ expiresAtMs = [] }) => expiresAtMs);
      const until = Date.now() + lifetime;
      const content: Content = {
        id,
        scopes,
        until,
        nonce,
        ...(ends.length > 0 && { expiresAtMs: Math.min(...ends) }),
      };
      const text = Buffer.from(JSON.stringify(content)).toString('base64url');
      if (text.length > LONGEST_TICKET) {
        throw new Error('issue() of websocketTickets: the id and the scopes do not fit in an address');
      }
      issued.add(content, credentials);
      const ticket = `${text}.${macOf(secret, text).toString('base64url')}`;
      noteSecret(ticket);
      return ticket;
    },
  });
}

function attempt(ctx: Context, secret: string, used: UsedTickets, issued: IssuedTickets): Attempt {
  const ticket = ctx.req.queries().ticket;
  if (ticket === undefined) return undefined;
  const content = ticket.length === 1 ? read(String(ticket[0]), secret) : undefined;
  if (content === undefined) return invalid(ctx, 'the ticket is not valid');
  if (content.until <= Date.now()) return invalid(ctx, 'the ticket has expired');
  if (!used.add(content)) return invalid(ctx, 'the ticket was used before');
  const { id, scopes, expiresAtMs } = content;
  if (expiresAtMs !== undefined && expiresAtMs <= Date.now()) return invalid(ctx, 'the ticket has expired');
  ctx.authenticate({ id, scopes }, { expiresAtMs, ending: 'what the ticket was issued for has expired' });
  for (const credential of issued.take(content)) ctx.identity?.credentials.push(credential);
  return true;
}

function invalid(ctx: Context, message: string): FwError {
  return unauthenticated(ctx.scope, message, CHALLENGES);
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

/** What authenticated the callers of the tickets that this process has issued, until they expire or are used. */
class IssuedTickets {
  readonly #issued = new Map<
    string,
    { readonly until: number; readonly credentials: readonly Credential[] }
  >();

  add({ nonce, until }: Content, credentials: readonly Credential[]): void {
    const now = Date.now();
    for (const [one, { until: its }] of this.#issued) {
      if (its > now) break;
      this.#issued.delete(one);
    }
    const watched = credentials.filter(({ watch }) => watch !== undefined);
    if (watched.length > 0) this.#issued.set(nonce, { until, credentials: watched });
  }

  take({ nonce }: Content): readonly Credential[] {
    const found = this.#issued.get(nonce)?.credentials ?? [];
    this.#issued.delete(nonce);
    return found;
  }
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
