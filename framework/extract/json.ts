// Json: parses the body and checks it against a schema.

import { parseJson } from '../context/buffered-body.js';
import type { Context } from '../context/context.js';
import { FwError, isThrown } from '../http/errors.js';
import { isJsonType, shownType } from '../http/media-type.js';
import { isPromise } from '../promises.js';
import { assertSchema, check, type Issues } from '../schema/check.js';
import { rejection, type Source } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { callSite } from '../tracing/call-site.js';
import { type Extractor, extractBy } from './extractor.js';

/**
 * Extracts the JSON body: the handler gets the schema's output. Another media type, malformed JSON and a body that
 * the schema refuses are answered 400; with `Valid`, the last is answered 422.
 */
export function Json<Schema extends StandardSchemaV1>(
  schema: Schema,
): Extractor<StandardSchemaV1.InferOutput<Schema>> {
  assertSchema('Json()', schema);
  const source: Source = { field: '', whole: 'body', place: callSite(Json) };
  const reject = (issues: Issues) => rejection(issues, source, 'BadRequest');
  return {
    name: 'Json',
    describes: { body: schema, errors: { 400: 'The body is not JSON, or is invalid.' } },
    extract: extractJson<StandardSchemaV1.InferOutput<Schema>>(schema, reject),
  };
}

/**
 * The function `extract` for the schema's output of the body. It fails with FwError BadRequest when the media type is
 * not JSON or the body is malformed, and with what `reject` makes of the schema's issues.
 */
export function extractJson<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  reject: (issues: Issues) => FwError,
): (ctx: Context) => Promise<Output> {
  return extractBy({
    open(body) {
      assertJsonType(body.type);
      return body.content();
    },
    read: (content) => checkBody(schema, parseJson(content), reject),
  });
}

function checkBody<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
  reject: (issues: Issues) => FwError,
): Output | Promise<Output> {
  try {
    const output = check(schema, value, reject);
    return isPromise(output) ? output.then(undefined, refuseTooDeep) : output;
  } catch (error) {
    return refuseTooDeep(error);
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
function refuseTooDeep(error: unknown): never {
  const isOverflow =
    isThrown(error, RangeError) && error.message.startsWith('Maximum call stack size exceeded');
  throw isOverflow ? FwError.badRequest('body: nested too deeply', { cause: error }) : error;
}
