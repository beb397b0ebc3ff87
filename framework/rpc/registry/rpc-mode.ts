// RPC: how a registry is mounted, and the checks of its settings.

import { ConfigError } from '../../config-error.js';
import { checkValue } from '../../options/check.js';
import { milliseconds, whole } from '../../options/rules.js';
import { shown } from '../../options/shown.js';

/** How a registry is mounted; it decides the form of the generated client and of the OpenAPI document. */
export const RpcMode = { Rest: 'rest', JsonRpc: 'jsonrpc' } as const;
export type RpcMode = (typeof RpcMode)[keyof typeof RpcMode];

/** @throws Error for an unknown mode. */
export function checkMode(mode: RpcMode): RpcMode {
  if (mode === RpcMode.Rest || mode === RpcMode.JsonRpc) return mode;
  throw new ConfigError(
    'FW_OPTION_CHOICE',
    `there is no RPC mode ${shown(mode)}; use RpcMode.Rest or RpcMode.JsonRpc`,
  );
}

/** @throws Error with the message in REST mode. */
export function assertJsonRpc(mode: RpcMode, message: string): void {
  if (mode === RpcMode.Rest) throw new ConfigError('FW_RPC_MODE', message);
}

/** @throws Error if a registry for REST is mounted by `mountRpc`. */
export function checkMountMode(path: string, mode: RpcMode): void {
  assertJsonRpc(mode, `mountRpc('${path}') takes a registry for JSON-RPC; mount one for REST by mountRest()`);
}

/** The idle time of a subscription's stream after which a comment is sent, in milliseconds. */
export const HEARTBEAT_MS = 15_000;

/** @throws ConfigError unless it is a whole number of milliseconds, 1 or more. */
export function checkHeartbeat(ms: number): number {
  return checkValue('heartbeat', 'the time', ms, milliseconds(1));
}

/** @throws ConfigError unless it is a whole number, 1 or more. */
export function checkMaxBatch(calls: number): number {
  return checkValue('maxBatch', 'the number of calls', calls, whole(1));
}
