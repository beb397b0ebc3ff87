// MCP: the state that a client sends back: readable by everybody, made by this server alone (HMAC, RFC 2104).
import { isRecord } from '../protocol/messages.js';

type Values = Readonly<Record<string, unknown>>;

/** How long a person has for an answer, in milliseconds. */
const LIFETIME_MS = 10 * 60_000;

const encoder = new TextEncoder();

export class StateSeal {
  readonly #secret: string | undefined;
  #imported: ReturnType<typeof crypto.subtle.importKey> | undefined;

  /** @param secret the same in all processes that may get the next round; without one, only this process can read it */
  constructor(secret: string | undefined) {
    this.#secret = secret;
  }

  /** Made at its first use: while a Worker starts, it may make no random values. */
  get #key(): ReturnType<typeof crypto.subtle.importKey> {
    if (this.#imported === undefined) {
      const secret = this.#secret;
      const bytes =
        secret === undefined ? crypto.getRandomValues(new Uint8Array(32)) : encoder.encode(secret);
      const form = { name: 'HMAC', hash: 'SHA-256' };
      this.#imported = crypto.subtle.importKey('raw', bytes, form, false, ['sign', 'verify']);
    }
    return this.#imported;
  }

  /** @param subject what it is good for; not readable in the state */
  async close(values: Values, subject: string): Promise<string> {
    const text = JSON.stringify({ values, until: Date.now() + LIFETIME_MS });
    const mac = await crypto.subtle.sign('HMAC', await this.#key, signed(text, subject));
    return `${toBase64(encoder.encode(text))}.${toBase64(new Uint8Array(mac))}`;
  }

  /** The values; undefined if it was made by somebody else or for another subject, or is too old. */
  async open(state: unknown, subject: string): Promise<Values | undefined> {
    const [body, mac, more] = typeof state === 'string' ? state.split('.') : [];
    const [bytes, tag] = [fromBase64(body), fromBase64(mac)];
    if (bytes === undefined || tag === undefined || more !== undefined) return undefined;
    const text = new TextDecoder().decode(bytes);
    const isOwn = await crypto.subtle.verify('HMAC', await this.#key, tag, signed(text, subject));
    if (!isOwn) return undefined;
    const { values, until } = JSON.parse(text) as { values: unknown; until: number };
    return isRecord(values) && until > Date.now() ? values : undefined;
  }
}

function signed(text: string, subject: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify([text, subject]));
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function fromBase64(text: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    // It is not base64.
    return undefined;
  }
}
