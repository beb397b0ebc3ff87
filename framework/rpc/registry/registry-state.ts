// RPC: what a registry holds: its procedures, their middleware and types, and its settings, until it is used.
import { ConfigError, type ConfigErrorCode } from '../../config-error.js';
import type { OpenRpcInfo } from '../../openapi/openrpc/registry-openrpc.js';
import type { ProcedureAccess } from '../../openapi/registry-openapi.js';
import { canonicalText } from '../../wire/canonical.js';
import { isTypeName } from '../../wire/known-names.js';
import type { WireType } from '../../wire/wire-type.js';
import type { Contract } from '../contract/contract.js';
import { inputRules, isDeferred } from '../procedure/input-rules.js';
import type { AnyRpcMiddleware } from '../procedure/middleware.js';
import type { Procedure } from '../procedure/procedure.js';
import { ProcedureList } from '../procedure/procedure-list.js';
import { checkInputType } from '../procedure/registration.js';
import type { McpToolOptions } from '../procedure/tool-options.js';
import type { KnownTypes } from './registry-types.js';
import { procedureAccess, type RpcGuard } from './rpc-guard.js';
import { HEARTBEAT_MS, RpcMode } from './rpc-mode.js';
import { SealedRegistry } from './sealed-registry.js';

/** Settings that only the registry that is mounted has. */
type OwnSetting = 'loadContract' | 'maxBatch' | 'heartbeat' | 'openRpc';

/** A procedure that is a tool. */
export interface RegisteredTool {
  readonly procedure: Procedure;
  readonly options: McpToolOptions;
  /** The middleware of the registry, which runs around it. */
  readonly around: readonly AnyRpcMiddleware[];
}

export class RegistryState {
  mode: RpcMode = RpcMode.JsonRpc;
  prefix = '';
  contract: Contract | undefined;
  maxBatch = 50;
  heartbeatMs: number = HEARTBEAT_MS;
  openRpcInfo: OpenRpcInfo | undefined;
  guard: RpcGuard | undefined;
  /** Whether queries and mutations are tools, unless they say something else. */
  areTools = false;
  readonly use: AnyRpcMiddleware[] = [];
  readonly procedures: ProcedureList = new ProcedureList();
  readonly #defined: Record<string, WireType> = Object.create(null);
  #firstSet: OwnSetting | undefined;
  #isMerged = false;
  #sealed: SealedRegistry | undefined;

  get known(): KnownTypes {
    return { contract: this.contract, defined: this.#defined };
  }

  /** The whole name of a procedure that is registered under a name. */
  named(name: string): string {
    return this.prefix === '' || typeof name !== 'string' ? name : `${this.prefix}.${name}`;
  }

  register(procedure: Procedure): void {
    this.assertOpen(`${procedure.kind}('${procedure.name}')`);
    this.procedures.assertFree(procedure);
    const isRest = this.mode === RpcMode.Rest;
    if (!isDeferred(procedure, this.known, isRest)) {
      const { type, named } = inputRules(procedure, this.known);
      checkInputType(procedure, type, named, isRest);
    }
    this.procedures.add(procedure);
  }

  define(name: string, type: WireType): void {
    if (!isTypeName(name))
      throw new ConfigError(
        'FW_RPC_TYPE_NAME',
        `'${name}' is not a valid name for a type; use a name such as 'User'`,
      );
    if (Object.hasOwn(this.#defined, name))
      throw new ConfigError('FW_RPC_TYPE_TWICE', `the type '${name}' is defined twice; rename one`);
    this.#defined[name] = type;
  }

  /** Opens a setting that a registry that is merged into another one cannot have. */
  set(setting: OwnSetting): void {
    this.assertOpen(setting);
    this.#firstSet ??= setting;
  }

  /** @throws ConfigError if there is a guard already */
  guardBy(guard: RpcGuard): void {
    if (this.guard !== undefined) {
      throw new ConfigError(
        'FW_GUARD_TWICE',
        'this registry has a guard already; name all exceptions in one requireAuth()',
      );
    }
    this.guard = guard;
  }

  /** @throws ConfigError if a name is taken, or the other registry cannot be merged into this one */
  merge(other: RegistryState): void {
    this.assertOpen('merge');
    this.#assertMergeable(other);
    other.#isMerged = true;
    for (const [name, type] of Object.entries(other.#defined)) {
      const own = this.#defined[name];
      if (own === undefined || canonicalText(own) !== canonicalText(type)) this.define(name, type);
    }
    for (const procedure of other.#guarded()) {
      this.register({ ...procedure, tool: other.#toolOf(procedure), use: [...other.use, ...procedure.use] });
    }
  }

  /** Closes the registry at its first use: nothing can be added afterwards. */
  seal(): SealedRegistry {
    this.#sealed ??= new SealedRegistry(
      this.#guarded(),
      this.known,
      this.use,
      this.maxBatch,
      this.openRpcInfo && { info: this.openRpcInfo, use: this.guard?.aroundDiscovery() ?? [] },
      this.heartbeatMs,
    );
    return this.#sealed;
  }

  /** Who may call what. */
  access(): ProcedureAccess[] {
    return this.#guarded().map((one) => procedureAccess(one, this.use));
  }

  /** The procedures that are tools, with what a model is told about them. */
  tools(): readonly RegisteredTool[] {
    return this.#guarded().flatMap((procedure) => {
      const options = this.#toolOf(procedure);
      return options === undefined || options === false ? [] : [{ procedure, options, around: this.use }];
    });
  }

  /** Events have no end, so that a subscription is a tool only if it says so itself. */
  #toolOf({ kind, tool }: Procedure): Procedure['tool'] {
    return tool ?? (this.areTools && kind !== 'subscription' ? {} : undefined);
  }

  #guarded(): Procedure[] {
    const all = this.procedures.values();
    return this.guard === undefined ? [...all] : this.guard.guarded(all, this.prefix);
  }

  assertOpen(what: string): void {
    if (this.#sealed === undefined && !this.#isMerged) return;
    const why = this.#isMerged ? 'is merged into another one' : 'is mounted or was called';
    throw new ConfigError(
      'FW_REGISTERED_TOO_LATE',
      `${what} came too late: the registry ${why}; register everything before`,
    );
  }

  #assertMergeable(other: RegistryState): void {
    const shown = other.prefix === '' ? 'a registry' : `the group '${other.prefix}'`;
    if (other === this)
      throw refused('FW_RPC_MERGE', 'merge() takes other registries, not the registry itself');
    if (other.#firstSet !== undefined) {
      throw refused(
        'FW_RPC_MERGE_SETTING',
        `${shown} sets ${other.#firstSet}; set it on the registry that it is merged into`,
      );
    }
    if (other.mode !== this.mode && other.mode === RpcMode.Rest) {
      throw refused(
        'FW_RPC_MERGE_MODE',
        `${shown} is for REST, and cannot be merged into one for JSON-RPC; make it without a mode`,
      );
    }
    if (this.prefix === '' || other.prefix.startsWith(`${this.prefix}.`)) return;
    throw refused(
      'FW_RPC_MERGE_GROUP',
      `${shown} cannot be merged into the group '${this.prefix}'; make it with group('${this.prefix}.${other.prefix || 'name'}'), or merge it into a registry without a group`,
    );
  }
}

function refused(code: ConfigErrorCode, message: string): ConfigError {
  return new ConfigError(code, message);
}
