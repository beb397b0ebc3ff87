// OIDC: fetches the documents of a provider, which are untrusted until they are checked.

import { ConfigError } from '../../config-error.js';
import { shown } from '../../options/shown.js';
import type { FetchKeys } from './remote-keys.js';

/** In bytes; key sets and metadata have a few thousand. */
const LARGEST_DOCUMENT = 512 * 1024;

/** An address of a provider: `https`, or `http` on this machine. @throws ConfigError for all others */
export function providerUrl(what: string, address: string | URL): URL {
  const text = typeof address === 'string' || address instanceof URL ? String(address) : undefined;
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && isTrusted(url)) return url;
  throw new ConfigError(
    'FW_PROVIDER_ADDRESS',
    `${what} takes an https address, got ${shown(text ?? address)}; http is for this machine alone`,
  );
}

function isTrusted({ protocol, hostname, username, password }: URL): boolean {
  if (username !== '' || password !== '') return false;
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLocal);
}

/** A fetch of keys at a known address. */
export function keysAt(url: URL): FetchKeys {
  return (signal) => json(url, signal);
}

/** A fetch of keys at the address that the metadata of the issuer name (OpenID Connect Discovery 1.0, section 4). */
export function keysOfIssuer(issuer: string, metadata: URL): FetchKeys {
  let found: URL | undefined;
  return async (signal) => {
    found ??= await jwksUri(issuer, metadata, signal);
    try {
      return await json(found, signal);
    } catch (error) {
      // The provider may have moved them, which the metadata tell the next time.
      found = undefined;
      throw error;
    }
  };
}

async function jwksUri(issuer: string, metadata: URL, signal: AbortSignal): Promise<URL> {
  const document = await json(metadata, signal);
  const { issuer: named, jwks_uri: address } = document;
  // Section 4.3: it must be the same, or metadata of another provider would be accepted.
  if (named !== issuer)
    throw new Error(`${metadata} names the issuer ${JSON.stringify(named)}, not '${issuer}'`);
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !isTrusted(url)) {
    throw new Error(`${metadata} has no https address as jwks_uri: ${JSON.stringify(address)}`);
  }
  return url;
}

async function json(url: URL, signal: AbortSignal): Promise<Record<string, unknown>> {
  // A redirect is refused by its status: Workers do not know the mode `error`.
  const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the body.
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > LARGEST_DOCUMENT) throw new Error(`${url} answered more than ${LARGEST_DOCUMENT} bytes`);
    chunks.push(chunk);
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Error(`${url} did not answer a JSON object`);
}
