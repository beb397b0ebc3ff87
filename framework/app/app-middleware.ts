// Registration of middleware around all requests of an App.

import { ConfigError } from '../config-error.js';
import type { Middleware } from '../context/handlers.js';
import { notePlace } from '../dispatch/recorded.js';
import { shown } from '../options/shown.js';
import { callSite } from '../tracing/call-site.js';
import { AppAccess } from './app-access.js';

export abstract class AppMiddleware extends AppAccess {
  /**
   * Appends middleware. It runs around every request of this App, including those that fail or match no route.
   *
   * @throws ConfigError when it is not a function, or the App already answers requests.
   */
  useMiddleware(middleware: Middleware): this {
    return this.#use(middleware, this.useMiddleware);
  }

  /** The same as `useMiddleware`. */
  use(middleware: Middleware): this {
    return this.#use(middleware, this.use);
  }

  #use(middleware: Middleware, above: (...args: never[]) => unknown): this {
    this.assertOpen('useMiddleware');
    if (typeof middleware !== 'function') {
      throw new ConfigError(
        'FW_MIDDLEWARE',
        `useMiddleware takes a function, got ${shown(middleware)}; for one path, mount an App with middleware there by route()`,
      );
    }
    this.layer.steps.push(middleware);
    notePlace(middleware, callSite(above));
    return this;
  }
}
