// RPC: how a registry is mounted, and the checks of its settings.
import { ConfigError } from '../config-error.js';

/** How a registry is mounted; it decides the form of the generated client and of the OpenAPI document. */
export const RpcMode = { Rest: 'rest', JsonRpc: 'jsonrpc' } as const;
export type RpcMode = (typeof RpcMode)[keyof typeof RpcMode];

/** @throws Error for an unknown mode. */
export function checkMode(mode: RpcMode): RpcMode {
  if (mode === RpcMode.Rest || mode === RpcMode.JsonRpc) return mode;
  throw new ConfigError(
    'FW_RPC_MODE',
    `there is no RPC mode '${mode as string}'; use RpcMode.Rest or RpcMode.JsonRpc`,
  );
}

/** @throws Error unless it is a whole number, 1 or more. */
export function checkMaxBatch(calls: number): number {
  if (Number.isSafeInteger(calls) && calls >= 1) return calls;
  throw new ConfigError('FW_OPTION', `invalid maxBatch ${calls}: give 1 or more`);
}
