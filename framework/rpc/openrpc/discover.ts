// OpenRPC: the procedure `rpc.discover`, which tells clients what a registry has.

import type { RpcMiddleware } from '../middleware.js';
import { type Procedure, type RunnableProcedure, runnable } from '../procedure.js';
import type { WireTypes } from '../types/wire-type.js';
import { type OpenRpcInfo, registryOpenRpc } from './registry-openrpc.js';

export const DISCOVER = 'rpc.discover';

/** @throws Error when the texts are not there. */
export function checkInfo(info: OpenRpcInfo): OpenRpcInfo {
  for (const key of ['title', 'version'] as const) {
    const value: unknown = (info as Partial<OpenRpcInfo> | null | undefined)?.[key];
    if (typeof value === 'string' && value !== '') continue;
    throw new Error(
      `discoverable() needs a ${key}, got ${JSON.stringify(value)}; give { title: 'Shop', version: '1.0.0' }`,
    );
  }
  return { title: info.title, version: info.version };
}

/**
 * The procedure. Middleware runs around it, so that a guard of all procedures guards it too.
 *
 * @param typesOf is asked at the first call, and once: clients decide how often they ask.
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
    steps: [],
    handler: () => document(),
    place: () => 'discoverable()',
  };
  return runnable(procedure, steps, () => undefined, undefined);
}
