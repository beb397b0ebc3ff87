// Which runtime this process runs on, for the few places where one of them needs something else than the others.

/** `Workers` is workerd, the runtime of Cloudflare Workers; all that is like Node.js counts as that. */
export type RuntimeName = 'Node.js' | 'Bun' | 'Deno' | 'Workers';

/** By what each of them alone has as a global. */
export function runtimeOf(globals: object): RuntimeName {
  if ('Bun' in globals) return 'Bun';
  if ('Deno' in globals) return 'Deno';
  return 'WebSocketPair' in globals ? 'Workers' : 'Node.js';
}

export const THIS_RUNTIME: RuntimeName = runtimeOf(globalThis);
