// Built-in middleware: runs the rest of the chain and always gives a response to set header fields on.

import type { Context } from '../context/context.js';
import type { Next } from '../context/handlers.js';
import type { FwResponse } from '../http/response.js';
import { errorResponse } from './error-response.js';

/** The response of the rest of the chain; if that rejects, the response to its error. */
export async function answered(ctx: Context, next: Next): Promise<FwResponse> {
  try {
    return await next();
  } catch (error) {
    return errorResponse(error, ctx);
  }
}
