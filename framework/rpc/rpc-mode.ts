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

/** The longest time of a timer. */
const LONGEST_MS = 2_147_483_647;

/** @throws Error unless it is a whole number of milliseconds, 1 or more. */
export function checkHeartbeat(ms: number): number {
  if (Number.isSafeInteger(ms) && ms >= 1 && ms <= LONGEST_MS) return ms;
  throw new ConfigError('FW_OPTION', `invalid heartbeat ${ms}: give whole milliseconds, 1 to ${LONGEST_MS}`);
}

/** @throws Error unless it is a whole number, 1 or more. */
export function checkMaxBatch(calls: number): number {
  if (Number.isSafeInteger(calls) && calls >= 1) return calls;
  throw new ConfigError('FW_OPTION', `invalid maxBatch ${calls}: give 1 or more`);
}
