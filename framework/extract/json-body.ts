// The JSON body for Json and Valid: checks the media type, then parses.
import type { Context } from '../context/context.js';
import { FwError } from '../http/errors.js';
import { isJsonType, shownType } from '../http/media-type.js';
import { check, type Issues } from '../schema/check.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';

/**
 * The schema's output for the body.
 *
 * @throws FwError BadRequest when the media type is not JSON or the body is malformed; what `reject` makes.
 */
export async function checkJsonBody<Output>(
  ctx: Context,
  schema: StandardSchemaV1<unknown, Output>,
  reject: (issues: Issues) => FwError,
): Promise<Output> {
  assertJsonType(ctx.req.header('content-type'));
  const value = await ctx.req.json();
  try {
    return await check(schema, value, reject);
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    throw FwError.badRequest('body: nested too deeply', { cause: error });
  }
}

function assertJsonType(type: string | undefined): void {
  if (type === undefined) throw FwError.badRequest("the body needs 'Content-Type: application/json'");
  if (isJsonType(type)) return;
  throw FwError.badRequest(
    `the media type '${shownType(type)}' is not JSON; send 'Content-Type: application/json'`,
  );
}

/** With a recursive schema, a deeply nested body overflows the stack. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.startsWith('Maximum call stack size exceeded');
}
