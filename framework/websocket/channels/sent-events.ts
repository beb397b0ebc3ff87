// Channels: the JSON of events, whose data is parsed by the declared schemas before it leaves.
import { ConfigError } from '../../config-error.js';
import { isPromise } from '../../promises.js';
import { assertSchema } from '../../schema/check.js';
import { rejection } from '../../schema/rejection.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { type EventDeclaration, isEventTypes } from '../events.js';

/** Events that may be sent; without schemas any. */
export class SentEvents {
  readonly #schemas: ReadonlyMap<string, StandardSchemaV1> | undefined;

  /** @throws ConfigError when it is no declaration. */
  constructor(declared: EventDeclaration | undefined) {
    if (declared === undefined) return;
    if (typeof declared !== 'object' || declared === null) {
      throw new ConfigError(
        'FW_OPTION',
        `sends takes a Standard Schema for each event, or events<T>(); got ${declared === null ? 'null' : typeof declared}`,
      );
    }
    if (isEventTypes(declared)) return;
    const schemas = new Map(Object.entries(declared));
    for (const [name, schema] of schemas) assertSchema(`sends.${name}`, schema);
    this.#schemas = schemas;
  }

  /**
   * The JSON of an event.
   *
   * @throws Error when the event is not declared, or its data does not match.
   */
  json(event: string, data: unknown): string {
    const json = JSON.stringify(this.#schemas === undefined ? data : parsed(this.#schemas, event, data));
    return `{"event":${JSON.stringify(event)}${json === undefined ? '' : `,"data":${json}`}}`;
  }
}

function parsed(schemas: ReadonlyMap<string, StandardSchemaV1>, event: string, data: unknown): unknown {
  const schema = schemas.get(event);
  if (schema === undefined) {
    const known = [...schemas.keys()].map((name) => `'${name}'`).join(', ');
    throw new Error(`the event '${event}' is not declared by sends, which has ${known || 'none'}`);
  }
  const result = schema['~standard'].validate(data);
  if (isPromise(result)) {
    result.then(undefined, () => {});
    throw new Error(`the schema of the event '${event}' has asynchronous checks; give one that has none`);
  }
  if (result.issues === undefined) return result.value;
  const { message } = rejection(result.issues, { field: '', whole: 'data' }, 'ValidationError');
  throw new Error(`the data of the event '${event}' does not match its schema: ${message}`);
}
