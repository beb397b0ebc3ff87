// RPC: the guard of a registry, and who may call its procedures.

import { type RequireAuthOptions, requireAllScopes, requireAuth, scopeList } from '../../auth/principal.js';
import { ConfigError } from '../../config-error.js';
import { ContextMiddleware, inOrder } from '../../extract/context-middleware.js';
import { authenticates } from '../../extract/route-guard.js';
import type { ProcedureAccess } from '../../openapi/registry-openapi.js';
import { checkOptions } from '../../options/check.js';
import { deliberate, filled, listOf, type Rules } from '../../options/rules.js';
import type { AnyRpcMiddleware } from '../procedure/middleware.js';
import type { Procedure } from '../procedure/procedure.js';
import { DISCOVER } from './discover.js';

const RULES: Rules<RequireAuthOptions> = {
  except: listOf({ ...filled, takes: 'the name of a procedure' }),
  scopes: deliberate(scopeList),
};

export class RpcGuard {
  readonly #except: ReadonlySet<string>;
  readonly #step: ContextMiddleware;

  constructor(options: RequireAuthOptions) {
    const { except = [], scopes = [] } = checkOptions('requireAuth', options, RULES);
    this.#except = new Set(except);
    this.#step = scopes.length === 0 ? requireAuth() : requireAllScopes(scopes);
  }

  /** The middleware around `rpc.discover`, which tells the names and types of all procedures. */
  aroundDiscovery(): readonly ContextMiddleware[] {
    return this.#except.has(DISCOVER) ? [] : [this.#step];
  }

  /** @throws ConfigError if an exception is not a procedure, which may be a typing mistake */
  guarded(procedures: Iterable<Procedure>, prefix: string): Procedure[] {
    const list = [...procedures];
    const own = (name: string) => (prefix === '' ? name : name.slice(prefix.length + 1));
    const names = new Set(list.map(({ name }) => own(name)));
    for (const name of this.#except) {
      if (names.has(name) || name === DISCOVER) continue;
      throw new ConfigError(
        'FW_GUARD_EXCEPTION',
        `requireAuth() excepts '${name}', which is not a procedure of this registry; it has ${[...names].map((one) => `'${one}'`).join(', ') || 'none'}`,
      );
    }
    return list.map((one) =>
      this.#except.has(own(one.name)) ? one : { ...one, use: this.#behind(one.use) },
    );
  }

  /** The guard is asked when the methods of the procedure itself have authenticated. */
  #behind(use: readonly AnyRpcMiddleware[]): readonly AnyRpcMiddleware[] {
    const steps = inOrder<AnyRpcMiddleware>(use);
    const place = steps.findLastIndex((one) => one instanceof ContextMiddleware && authenticates(one)) + 1;
    return [...steps.slice(0, place), this.#step, ...steps.slice(place)];
  }
}

export function procedureAccess(
  { kind, name, use, place }: Procedure,
  around: readonly AnyRpcMiddleware[],
): ProcedureAccess {
  const describes = inOrder<AnyRpcMiddleware>([...around, ...use]).flatMap((one) =>
    one instanceof ContextMiddleware ? (one.describes ?? []) : [],
  );
  return { kind, name, describes, place };
}
