// OpenRPC: the procedure `rpc.discover`, which describes a registry to clients.

import { ConfigError } from '../../config-error.js';
import { type OpenRpcInfo, registryOpenRpc } from '../../openapi/openrpc/registry-openrpc.js';
import type { WireTypes } from '../../wire/wire-type.js';
import type { RpcMiddleware } from '../procedure/middleware.js';
import { type Procedure, type RunnableProcedure, runnable } from '../procedure/procedure.js';
import { assertJsonRpc, type RpcMode } from './rpc-mode.js';

export const DISCOVER = 'rpc.discover';

/** @throws Error in REST mode, or if the title or the version is missing */
export function checkInfo(who: string, info: OpenRpcInfo, mode: RpcMode): OpenRpcInfo {
  assertJsonRpc(mode, `${who}() is for JSON-RPC; describe a REST registry by generateOpenapi()`);
  for (const key of ['title', 'version'] as const) {
    const value: unknown = (info as Partial<OpenRpcInfo> | null | undefined)?.[key];
    if (typeof value === 'string' && value !== '') continue;
    throw new ConfigError(
      'FW_OPENAPI_INFO',
      `${who}() needs a ${key}, got ${JSON.stringify(value)}; give { title: 'Shop', version: '1.0.0' }`,
    );
  }
  return { title: info.title, version: info.version };
}

/**
 * The procedure. The middleware of the registry runs around it too, so that a guard protects it.
 *
 * @param typesOf is called once, at the first call, because clients decide how often they call
 */
export function discovery(
  info: OpenRpcInfo,
  steps: readonly RpcMiddleware[],
  typesOf: () => WireTypes,
): RunnableProcedure {
  let document: () => unknown = () => {
    try {
      const made = registryOpenRpc(typesOf(), info);
      document = () => made;
    } catch (error) {
      document = () => {
        throw error;
      };
    }
    return document();
  };
  const procedure: Procedure = {
    name: DISCOVER,
    kind: 'query',
    input: { from: 'text', type: { kind: 'void' } },
    output: { from: 'text', type: { kind: 'unknown' } },
    notes: {},
    use: [],
    handler: () => document(),
    place: () => 'openRpc()',
  };
  return runnable(procedure, steps, () => undefined, undefined);
}
