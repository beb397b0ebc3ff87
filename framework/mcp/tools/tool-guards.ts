// MCP: whether a caller may call a tool, which is asked of its guards themselves.
import type { Context } from '../../context/context.js';
import { ContextMiddleware, inOrder } from '../../extract/context-middleware.js';
import type { ExtractorDescription } from '../../extract/description.js';
import type { AnyRpcMiddleware } from '../../rpc/procedure/middleware.js';
import type { RegisteredTool } from '../../rpc/registry/registry-state.js';
import { isRefusal } from './tool-content.js';

/** What of the middleware around a tool decides who may call it: what says so by its description. */
export function guardsOf({ around, procedure }: RegisteredTool): readonly ContextMiddleware[] {
  return inOrder<AnyRpcMiddleware>([...around, ...procedure.use]).filter(
    (one): one is ContextMiddleware => one instanceof ContextMiddleware && describesOf(one).some(decides),
  );
}

function describesOf({ describes = [] }: ContextMiddleware): readonly ExtractorDescription[] {
  return Array.isArray(describes) ? describes : [describes as ExtractorDescription];
}

function decides({ authenticates, requires, errors = {} }: ExtractorDescription): boolean {
  return authenticates !== undefined || requires !== undefined || 401 in errors || 403 in errors;
}

/**
 * Runs the guards, and nothing behind them. Undefined if they let the caller pass. Rejects with anything else than a
 * refusal, such as a store that is away.
 */
export async function refusalOf(
  guards: readonly ContextMiddleware[],
  ctx: Context,
): Promise<Error | undefined> {
  const before = ctx.principal();
  const added: object = {};
  try {
    for (const { run } of guards) {
      const call = Object.defineProperties(
        { ctx, signal: ctx.signal },
        Object.getOwnPropertyDescriptors(added),
      );
      await run(call, async (more) => {
        Object.assign(added, more);
        return undefined as never;
      });
    }
    return undefined;
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  } finally {
    // Who one tool has authenticated by itself is not known to the next one.
    if (ctx.principal() !== before) ctx.replacePrincipal(before);
  }
}
