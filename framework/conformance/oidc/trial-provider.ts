// A real identity provider on loopback for tests, the package oidc-provider, which can be killed, revived and slow.
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';
import Provider from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';

export const CLIENT = { id: 'shop', secret: 'a secret of the shop, 32 bytes..' };
export const API = 'https://api.example.com';

/** A new private key for signatures. */
export function signingKey(kid: string): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), kid, alg: 'RS256', use: 'sig' };
}

/** Made once: it takes a while. */
export const firstKey: JWK = signingKey('first');

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export class TrialProvider {
  /** Who signs in at the provider; undefined: they decline. */
  account: string | undefined = 'ada';
  /** Answers by path, instead of those of the provider. */
  readonly answers: Map<string, Answer> = new Map();
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  #redirectUris: readonly string[] = [];
  #keys: readonly JWK[] = [firstKey];
  readonly #stored: object = createMemoryAdapter();
  #server: Server = createServer();
  #provider: Provider | undefined;
  #port = 0;

  async start(): Promise<this> {
    await this.revive();
    this.#configure();
    return this;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Signs with the first key from now on. */
  useKeys(keys: readonly JWK[]): void {
    this.#keys = keys;
    this.#configure();
  }

  /** Registers the addresses that it may send browsers to. */
  register(...redirectUris: string[]): void {
    this.#redirectUris = redirectUris;
    this.#configure();
  }

  /** Ends all connections, and refuses new ones. */
  async kill(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Listens at the address that it had. */
  async revive(): Promise<void> {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** The package takes its configuration once; what it has stored stays. */
  #configure(): void {
    this.#provider = new Provider(this.issuer, this.#configuration());
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] as string;
    this.asked.push(path);
    const own = this.answers.get(path);
    if (own !== undefined) own(request, response);
    else if (path.startsWith('/interaction/')) await this.#interact(request, response);
    else this.#provider?.callback()(request, response);
  }

  /** The form that a person would fill in. */
  #interact(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const result =
      this.account === undefined
        ? { error: 'access_denied', error_description: 'declined' }
        : { login: { accountId: this.account } };
    return this.#provider?.interactionFinished(request, response, result);
  }

  #configuration(): object {
    const client = {
      client_id: CLIENT.id,
      redirect_uris: this.#redirectUris.filter((uri) => uri.endsWith('/auth/callback')),
      post_logout_redirect_uris: this.#redirectUris.filter((uri) => !uri.endsWith('/auth/callback')),
      scope: 'openid email orders:read',
    };
    const machine = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [] };
    return {
      adapter: this.#stored,
      clients: [
        { ...client, client_secret: CLIENT.secret },
        { ...client, client_id: 'page', token_endpoint_auth_method: 'none' },
        { client_id: 'job', client_secret: CLIENT.secret, scope: 'orders:read', ...machine },
      ],
      jwks: { keys: this.#keys },
      scopes: ['openid', 'email', 'orders:read'],
      claims: { email: ['email', 'email_verified'] },
      // As most providers do: what the scopes ask for is in the ID token.
      conformIdTokenClaims: false,
      cookies: { keys: ['only for tests'] },
      pkce: { required: () => true },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, email: `${id}@example.org`, email_verified: true }),
      }),
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      loadExistingGrant: (ctx: GrantContext) => this.#granted(ctx),
      ttl: {
        AccessToken: 3600,
        Grant: 3600,
        IdToken: 3600,
        Interaction: 3600,
        Session: 3600,
        ClientCredentials: 3600,
      },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        rpInitiatedLogout: { logoutSource, postLogoutSuccessSource: logoutSource },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: () => ({
            scope: 'orders:read',
            audience: API,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
    };
  }

  /** Everybody consents to everything, once: a new grant ends the codes of the one before. */
  async #granted({ oidc }: GrantContext): Promise<unknown> {
    const accountId = oidc.session?.accountId;
    if (this.#provider === undefined || accountId === undefined) return undefined;
    const granted = oidc.session?.grantIdFor(oidc.client.clientId);
    if (granted !== undefined) return await this.#provider.Grant.find(granted);
    const grant = new this.#provider.Grant({ clientId: oidc.client.clientId, accountId });
    grant.addOIDCScope('openid email orders:read');
    await grant.save();
    return grant;
  }
}

interface GrantContext {
  readonly oidc: { readonly client: { clientId: string }; readonly session?: GrantedSession };
}

interface GrantedSession {
  readonly accountId?: string;
  grantIdFor(client: string): string | undefined;
}

/** A page with the form that asks whether to sign out. */
function logoutSource(ctx: { body: string }, form = ''): void {
  ctx.body = form;
}
