// Built-in middleware: `csrf` as a builder.
import type { Context } from '../../context/context.js';
import type { Middleware } from '../../context/handlers.js';
import { refuseMore } from '../../options/check.js';
import { csrf } from './csrf.js';
import type { CsrfOptions } from './csrf-options.js';

/** The middleware `csrf` as a builder: `new Csrf(secret).headerName('X-XSRF-TOKEN').build()`. */
export class Csrf {
  #options: CsrfOptions;

  /** @param secret signs the tokens: at least 32 bytes. In a list the first signs, and all are accepted. */
  constructor(secret: string | readonly string[], ...more: readonly never[]) {
    refuseMore('new Csrf()', more, 'give options to csrf(options)');
    this.#options = { secret };
  }

  /** The header field that scripts send the token in; `X-CSRF-Token` by default. */
  headerName(name: string): Csrf {
    return this.#with({ headerName: name });
  }

  /** The field that forms send the token in; `_csrf` by default. */
  fieldName(name: string): Csrf {
    return this.#with({ fieldName: name });
  }

  /** The name of the cookie; `__Host-csrf` by default, `csrf` with `secure(false)`. */
  cookieName(name: string): Csrf {
    return this.#with({ cookieName: name });
  }

  /** Whether the app is served over HTTPS; true by default. Turn it off only in development. */
  secure(on: boolean): Csrf {
    return this.#with({ secure: on });
  }

  /** Other origins whose pages may send requests, such as `https://app.example`. They need a token too. */
  allowedOrigins(origins: readonly string[]): Csrf {
    return this.#with({ allowedOrigins: origins });
  }

  /** @deprecated Use `allowedOrigins`. */
  origins(origins: readonly string[]): Csrf {
    return this.allowedOrigins(origins);
  }

  /** What is not protected, because it does not rely on cookies. */
  except(paths: readonly string[] | ((ctx: Context) => boolean)): Csrf {
    return this.#with({ except: paths });
  }

  /** Makes the middleware. @throws ConfigError like `csrf`. */
  build(): Middleware {
    return csrf(this.#options);
  }

  #with(change: Partial<CsrfOptions>): Csrf {
    const next = new Csrf(this.#options.secret);
    next.#options = { ...this.#options, ...change };
    return next;
  }
}
