// RPC: whether a value is a registry, without loading what one is.
import { ConfigError } from '../../config-error.js';
import type { RpcRegistry } from './registry.js';

/** Checks for a method instead of the class, so that an App without procedures does not load `fw/rpc`. */
export function assertRegistry(who: string, registry: RpcRegistry): void {
  if (typeof (registry as Partial<RpcRegistry> | null | undefined)?.restRoutes === 'function') return;
  throw new ConfigError(
    'FW_MOUNT_REGISTRY',
    `${who} takes an RpcRegistry of 'fw/rpc', got ${registry === null ? 'null' : typeof registry}`,
  );
}
