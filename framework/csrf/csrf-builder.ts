// Built-in middleware: `csrf` as a builder.
import type { Context } from '../context/context.js';
import type { Middleware } from '../context/handlers.js';
import { csrf } from './csrf.js';
import type { CsrfOptions } from './csrf-options.js';

/** The middleware `csrf` as a builder: `new Csrf(secret).headerName('X-XSRF-TOKEN').build()`. */
export class Csrf {
  readonly #options: CsrfOptions;

  /** @param secret signs the tokens: at least 32 bytes. In a list the first signs, and all are accepted. */
  constructor(secret: string | readonly string[]) {
    this.#options = { secret };
  }

  /** The header field that scripts send the token in; `X-CSRF-Token` by default. */
  headerName(name: string): this {
    this.#options.headerName = name;
    return this;
  }

  /** The field that forms send the token in; `_csrf` by default. */
  fieldName(name: string): this {
    this.#options.fieldName = name;
    return this;
  }

  /** The name of the cookie; `__Host-csrf` by default, `csrf` with `secure(false)`. */
  cookieName(name: string): this {
    this.#options.cookieName = name;
    return this;
  }

  /** Whether the app is served over HTTPS; true by default. Turn it off only in development. */
  secure(on: boolean): this {
    this.#options.secure = on;
    return this;
  }

  /** Other origins whose pages may send requests, such as `https://app.example`. They need a token too. */
  origins(origins: readonly string[]): this {
    this.#options.origins = origins;
    return this;
  }

  /** What is not protected, because it does not rely on cookies. */
  except(paths: readonly string[] | ((ctx: Context) => boolean)): this {
    this.#options.except = paths;
    return this;
  }

  /** Makes the middleware. @throws ConfigError like `csrf`. */
  build(): Middleware {
    return csrf(this.#options);
  }
}
