// A user of the app, who signs up, and gets new tokens when one has expired.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './caller.js';

interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
}

export class Account {
  readonly #caller: Caller;
  readonly #credentials = { email: `${randomUUID()}@soak.example`, password: randomUUID() };
  /** An address of its own, because the app limits how many accounts one gets. */
  readonly #from: Readonly<Record<string, string>>;
  #tokens: Tokens = { token: '', refreshToken: '' };
  #renewing: Promise<void> | undefined;
  #key = '';

  constructor(caller: Caller, number: number) {
    this.#caller = caller;
    this.#from = { 'x-forwarded-for': `10.1.${number >> 8}.${number & 255}` };
  }

  /** With a token. */
  get headers(): Record<string, string> {
    return { ...this.#from, authorization: `Bearer ${this.#tokens.token}` };
  }

  /** As a machine of the user, which may read. */
  get keyHeaders(): Record<string, string> {
    return { ...this.#from, 'x-api-key': this.#key };
  }

  async signUp(): Promise<void> {
    const asked = { method: 'POST', headers: this.#from, body: this.#credentials, expected: [201] };
    const answer = await this.#caller.call('sign up', { ...asked, path: '/sign-up' });
    this.#tokens = answer.json as Tokens;
    const body = { label: 'reader', scopes: ['tasks:read'] };
    const key = { method: 'POST', path: '/api-keys', headers: this.headers, body, expected: [201] };
    this.#key = ((await this.#caller.call('make a key', key)).json as { key: string }).key;
  }

  /** Gets new tokens, once for all who ask at the same time. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** By the refresh token; by the password if its answer was lost, as it works once. */
  async #renew(): Promise<void> {
    const post = { method: 'POST', headers: this.#from };
    for (;;) {
      const { refreshToken } = this.#tokens;
      const call = { ...post, path: '/token', body: { refreshToken }, expected: [200, 401] };
      let answer = await this.#caller.call('renew a token', call);
      if (answer.status === 401) {
        const signIn = { ...post, path: '/sign-in', body: this.#credentials, expected: [200] };
        answer = await this.#caller.call('sign in', signIn);
      }
      if (answer.status === 200) {
        this.#tokens = answer.json as Tokens;
        return;
      }
      await sleep(250);
    }
  }
}
