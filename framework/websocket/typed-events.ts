// WebSocket: events as messages, `{"event": name, "data": …}` as text, checked in both directions.

import { ConfigError } from '../config-error.js';
import type { EventCheck, SocketEvents } from '../extract/socket-route.js';
import type { FwError, FwIssue } from '../http/errors.js';
import { publicMessage } from '../http/errors.js';
import { jsonOf } from '../http/json-form.js';
import { checkValue } from '../options/check.js';
import { callback } from '../options/rules.js';
import { chained, synchronous } from '../promises.js';
import { assertSchema } from '../schema/check.js';
import { rejection } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { schemasOf } from './events.js';
import { UnusableMessage } from './parse-json.js';

/** The result of a check, as schemas give it. */
type Checked = StandardSchemaV1.Result<unknown>;
/** Called with the parsed data of an event. */
export type EventHandler = (socket: never, data: never) => unknown;

/** @throws ConfigError if one of them is not a schema. */
function checkedSchemas(
  option: string,
  events: SocketEvents | undefined,
): ReadonlyMap<string, StandardSchemaV1> | undefined {
  const schemas = schemasOf(events);
  for (const [name, schema] of schemas ?? []) assertSchema(`${option}.${name}`, schema);
  return schemas;
}

/** Writes the events that `sends` declares. */
export class EventWriter {
  readonly #isDeclared: boolean;
  readonly #schemas: ReadonlyMap<string, StandardSchemaV1> | undefined;

  /** @throws ConfigError if one of them is not a schema. */
  constructor(sends: SocketEvents | undefined, owner = 'websocket()') {
    this.#isDeclared = sends !== undefined;
    this.#schemas = checkedSchemas(`${owner}: sends`, sends);
  }

  /**
   * The text of the message, with the members in `more` behind the data.
   *
   * @throws Error if the event is not declared, or its data does not fit or has no JSON form.
   */
  text(event: string, data: unknown, more = ''): string {
    const json = jsonOf(this.#parsed(event, data));
    return `{"event":${JSON.stringify(event)}${json === undefined ? '' : `,"data":${json}`}${more}}`;
  }

  #parsed(event: string, data: unknown): unknown {
    if (!this.#isDeclared) throw new Error(`emit('${event}'): declare the event in 'sends'`);
    if (this.#schemas === undefined) return data;
    const schema = this.#schemas.get(event);
    if (schema === undefined) {
      const known = [...this.#schemas.keys()].map((one) => `'${one}'`).join(', ');
      throw new Error(`emit('${event}'): 'sends' does not declare the event; it declares ${known || 'none'}`);
    }
    const result: Checked = synchronous(
      schema['~standard'].validate(data),
      `emit('${event}') takes a synchronous schema; this one is not`,
    );
    if (result.issues === undefined) return result.value;
    const { message } = rejection(result.issues, { field: 'field ', whole: 'the data' }, 'BadRequest');
    throw new Error(`emit('${event}'): the data does not fit the schema: ${message}`);
  }
}

/** What a reader does with the messages of a connection. */
export interface EventTarget {
  /** Tells the client that its event was refused. */
  refuse(refusal: {
    readonly event: string;
    readonly message: string;
    readonly issues: readonly FwIssue[];
  }): void;
}

/** Reads the events that `receives` declares, and calls their handlers. */
export class EventReader {
  readonly #handlers: ReadonlyMap<string, EventHandler>;
  #checks: ReadonlyMap<string, EventCheck> | undefined;

  /** @throws ConfigError if a schema is none, an event has no handler, or a handler has no event. */
  constructor(receives: SocketEvents, on: Readonly<Record<string, EventHandler>>) {
    const schemas = checkedSchemas('websocket(): receives', receives);
    this.#handlers = new Map(Object.entries(on));
    for (const [event, handler] of this.#handlers) {
      if (typeof handler === 'function' && (schemas === undefined || schemas.has(event))) continue;
      checkValue('websocket', `on.${event}`, handler, callback('a function (socket, data) => …'));
      throw new ConfigError('FW_WEBSOCKET_EVENT', `websocket: on.${event} is not declared in 'receives'`);
    }
    for (const event of schemas?.keys() ?? []) {
      if (!this.#handlers.has(event)) {
        throw new ConfigError(
          'FW_WEBSOCKET_EVENT_HANDLER',
          `websocket: the event '${event}' has no handler on.${event}`,
        );
      }
    }
    this.#checks = schemas && checksOf(schemas);
  }

  /** Whether the data of events is checked. */
  get isChecked(): boolean {
    return this.#checks !== undefined;
  }

  /** The checks of plain types, from the contract of `fw generate`. */
  useChecks(checks: ReadonlyMap<string, EventCheck>): void {
    this.#checks = checks;
  }

  /**
   * Calls the handler of a message's event, and returns its result.
   *
   * @throws UnusableMessage if the message is not an event.
   */
  read(socket: unknown, target: EventTarget, message: unknown): unknown {
    const { event, data } = (message ?? {}) as { event?: unknown; data?: unknown };
    if (typeof event !== 'string') throw new UnusableMessage('the message has no event');
    const handler = this.#handlers.get(event);
    const checkData = this.#checks?.get(event);
    if (handler === undefined || (this.#checks !== undefined && checkData === undefined)) {
      target.refuse({ event, message: 'there is no such event', issues: [] });
      return undefined;
    }
    const call = (checked: Checked): unknown => {
      if (checked.issues === undefined) return handler(socket as never, checked.value as never);
      target.refuse(refusal(event, checked.issues));
      return undefined;
    };
    if (checkData === undefined) return handler(socket as never, data as never);
    const result = checkData(data);
    return chained(result as Checked | Promise<Checked>, call);
  }
}

function checksOf(schemas: ReadonlyMap<string, StandardSchemaV1>): ReadonlyMap<string, EventCheck> {
  return new Map(
    [...schemas].map(([event, schema]) => [event, (data: unknown) => schema['~standard'].validate(data)]),
  );
}

function refusal(
  event: string,
  found: readonly StandardSchemaV1.Issue[],
): Parameters<EventTarget['refuse']>[0] {
  const error: FwError = rejection(found, { field: 'field ', whole: 'the data' }, 'BadRequest');
  return { event, message: publicMessage(error), issues: (error.issues ?? []).slice(0, MOST_ISSUES) };
}

/** Issues come from the client, so the size of the answer is limited. */
const MOST_ISSUES = 20;
