// RPC: what the page about an API gets as `api.json`: the OpenAPI document, and what an App and registries tell besides.
import type { SecurityScheme } from '../extract/description.js';
import type { ClientSocket, NamedTypes, WireTypes } from '../wire/wire-type.js';
import type { RpcMode } from './registry/rpc-mode.js';

export interface ApiDescription {
  /** The OpenAPI document, without the operations that `registries` describe better. */
  readonly document: unknown;
  readonly registries: readonly ApiRegistry[];
  readonly sockets: readonly ApiSocket[];
  /** The named types of the sockets. */
  readonly socketTypes: NamedTypes;
  /** Who may call the operations of the document, by the method and the path, with `{}` for each parameter. */
  readonly access: Readonly<Record<string, ApiAccess>>;
  /** The security schemes that guards name, by their names. */
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** How requests prove that they come from a page of the app; null if nothing asks for it. */
  readonly csrf: ApiCsrf | null;
  /** Whether `fw generate` makes a client with a method for each operation of the document. */
  readonly hasClient: boolean;
}

/** Who may call an operation. */
export interface ApiAccess {
  readonly isRequired: boolean;
  /** Scopes that the caller needs: all of these groups. */
  readonly scopes: readonly ApiScopes[];
  /** The names of the schemes by which a caller can be authenticated: one of these groups. */
  readonly schemes: readonly (readonly string[])[];
}

interface ApiScopes {
  readonly scopes: readonly string[];
  readonly match: 'all' | 'any';
}

export interface ApiRegistry {
  readonly mode: RpcMode;
  /** The path of JSON-RPC, or the prefix of REST; null if it is mounted nowhere. */
  readonly path: string | null;
  readonly types: WireTypes;
  /** By the names of procedures. */
  readonly access: Readonly<Record<string, ApiAccess>>;
}

export interface ApiSocket {
  /** The types as a client sees them: `sends` is what the client sends. */
  readonly types: ClientSocket;
  /** The name of its method in the generated client; null if it has none, because its messages are not events. */
  readonly clientName: string | null;
  readonly protocols: readonly string[];
  readonly access: ApiAccess;
}

/** The value of the cookie is sent in the header field. */
export interface ApiCsrf {
  readonly cookie: string;
  readonly header: string;
}
