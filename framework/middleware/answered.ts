// Built-in middleware: runs the rest so that there is always a response to put header fields on.
import type { Next } from '../chain.js';
import type { Context } from '../context.js';
import { errorResponse } from '../error-response.js';
import type { FwResponse } from '../response.js';

/** The response of the rest of the chain; a rejection becomes the response that answers it. */
export async function answered(ctx: Context, next: Next): Promise<FwResponse> {
  try {
    return await next();
  } catch (error) {
    return errorResponse(error, ctx);
  }
}
