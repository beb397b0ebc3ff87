// Who may call what: the guard of an App, and the list of its routes with what they require.

import { ConfigError } from '../config-error.js';
import type { MatchedRoute } from '../dispatch/unmatched.js';
import { readTarget } from '../http/request-target.js';
import { checkValue } from '../options/check.js';
import { flag } from '../options/rules.js';
import { callSite } from '../tracing/call-site.js';
import type { AppDescription } from './description/app-description.js';
import { AccessList, accessOf } from './routes/access.js';
import { Guard, type GuardOptions } from './routes/guard.js';
import { emptyLayer, type Layer } from './routes/layers.js';
import { type Route, RouteTable } from './routes/route-table.js';
import { AppServing } from './serving.js';

export abstract class AppAccess extends AppServing {
  /** @internal */
  protected readonly layer: Layer = emptyLayer(this.settings.limits);
  /** @internal */
  protected readonly table: RouteTable = new RouteTable(this.layer);

  protected override async described(): Promise<AppDescription> {
    const { describeApp } = await import('./description/describe-app.js');
    return describeApp(this.table, this.settings);
  }

  /** @internal */
  protected override fixedRoutes(): readonly MatchedRoute[] {
    return this.table.fixedRoutes();
  }

  /** The routes, including those of mounted Apps. @internal */
  routes(): readonly Route[] {
    return this.table.list();
  }

  /**
   * Guards every route of this App and of the Apps mounted on it, whenever they are registered: a request that no
   * middleware has authenticated is answered 401 before the route runs. Exceptions are named. A route with an
   * extractor or middleware of its own that authenticates, such as `apiKey()`, is asked after that. Guards add up: those
   * of Apps around this one, of registries and of routes are asked too.
   *
   * ```ts
   * app.use(Jwt.hs256(secret).optional().build()).requireAuth({ except: ['POST /sign-in', '/health'] });
   * ```
   *
   * @throws ConfigError when an exception is malformed, or the App has a guard already; at the start, when an
   * exception is that of no route.
   */
  requireAuth(options: GuardOptions = {}): this {
    this.assertOpen('requireAuth');
    const { guard } = this.layer;
    if (guard !== undefined) {
      throw new ConfigError(
        'FW_GUARD_TWICE',
        `this App has a guard already (requireAuth at ${guard.place()}); name all exceptions there`,
      );
    }
    this.layer.guard = new Guard(options, callSite(this.requireAuth));
    return this;
  }

  /**
   * Whether responses to authenticated requests that set no `Cache-Control` get `private, no-store`, so that no cache
   * gives the answer of one person to another; on by default. It holds for this App and the Apps mounted on it, unless
   * they set it themselves; a route has the option `noStore`.
   *
   * @throws ConfigError when it is not a boolean, or the App already answers requests.
   */
  noStore(on: boolean): this {
    this.assertOpen('noStore');
    this.layer.noStore = checkValue('noStore', 'the argument', on, flag);
    return this;
  }

  /** Whether the target of a request, still encoded, is the path of a WebSocket. @internal */
  hasWebSocket(target: string): boolean {
    this.sealed();
    const { path, refused } = readTarget(target);
    return refused === undefined && this.table.findSocket(path) !== undefined;
  }

  /** All routes with who may call them; `console.log(String(app.accessList()))` prints a table. */
  accessList(): AccessList {
    return new AccessList(this.routes().flatMap(accessOf));
  }
}
