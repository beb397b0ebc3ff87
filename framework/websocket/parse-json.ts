// WebSocket: the JSON value of a message, checked by a schema.
import { FwError } from '../http/errors.js';
import { isDeepJson } from '../http/json-depth.js';
import { synchronous } from '../promises.js';
import { rejection } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';

const SOURCE = { field: 'message field ', whole: 'the message' };

/** An error of the client that makes its data unusable: the connection is closed with 1007. */
export class UnusableMessage extends FwError {
  constructor(message: string) {
    super('BadRequest', message);
  }
}

/** @throws UnusableMessage if it is binary or not JSON. */
export function jsonOf(message: string | Uint8Array): unknown {
  if (typeof message !== 'string') throw new UnusableMessage('the message is binary, and JSON is text');
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    // Without the error itself, whose message may have a part of the other one, which logs would show.
    throw new UnusableMessage('the message is not JSON');
  }
  if (isDeepJson(message)) throw new UnusableMessage('the message is nested too deeply');
  return value;
}

/** @throws UnusableMessage if the value does not fit either; Error if the schema is asynchronous. */
export function parseJson(message: string | Uint8Array, schema: StandardSchemaV1 | undefined): unknown {
  const value = jsonOf(message);
  if (schema === undefined) return value;
  const result = synchronous(
    schema['~standard'].validate(value),
    'recvJson() takes a synchronous schema; this one is not',
  );
  if (result.issues !== undefined) throw unusable(rejection(result.issues, SOURCE, 'BadRequest'));
  return result.value;
}

function unusable(error: FwError): UnusableMessage {
  return Object.assign(new UnusableMessage(error.message), { issues: error.issues });
}
