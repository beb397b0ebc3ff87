// Types only: derives the input and the events of a subscription's handler from its schemas.

import type { Context } from '../../context/context.js';
import { kindOf } from '../../options/shown.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { RpcCall } from '../procedure/call.js';
import type { ErrorDeclarations, NoErrors, RpcErrors } from '../protocol/error-declarations.js';

/** What the handler of a subscription returns. */
export type Events<Event> = AsyncIterable<Event> | Promise<AsyncIterable<Event>>;

type EventsOf<Output extends StandardSchemaV1> = [Output] extends [never]
  ? Events<unknown>
  : Events<StandardSchemaV1.InferInput<Output> | Tracked<StandardSchemaV1.InferInput<Output>>>;

/** A handler that declares its own input. Written as a method, so that any type is assignable. */
export type FreeSubscriptionHandler<
  Result = Events<unknown>,
  Errors extends ErrorDeclarations = NoErrors,
  Added = unknown,
> = {
  handler(input: never, call: SubscriptionCall<Errors> & Added): Result;
}['handler'];

/** The handler of a subscription with these schemas and errors: an async generator. `never` stands for no schema. */
export type SubscriptionHandler<
  Input extends StandardSchemaV1,
  Output extends StandardSchemaV1,
  Errors extends ErrorDeclarations = NoErrors,
  Added = unknown,
> = [Input] extends [never]
  ? FreeSubscriptionHandler<EventsOf<Output>, Errors, Added>
  : (input: StandardSchemaV1.InferOutput<Input>, call: SubscriptionCall<Errors> & Added) => EventsOf<Output>;

/**
 * The request of a subscription. Its `signal` aborts when the client leaves, also while the handler waits for an event
 * that never comes.
 */
export class SubscriptionCall<Errors extends ErrorDeclarations = NoErrors> extends RpcCall<Errors> {
  /**
   * The id of the last event that the client received before it lost its connection; undefined at its first one. It
   * comes from the client: it may be anything.
   */
  readonly lastEventId: string | undefined;

  /** @internal */
  constructor(
    ctx: Context | undefined,
    signal: AbortSignal,
    lastEventId: string | undefined,
    errors?: RpcErrors<NoErrors>,
  ) {
    super(ctx, signal, errors);
    this.lastEventId = lastEventId;
  }

  /** @internal */
  protected override copy(errors: RpcErrors<NoErrors>): SubscriptionCall {
    return new SubscriptionCall(this.maybeCtx, this.signal, this.lastEventId, errors);
  }
}

/** An event and its id, made by `tracked`; clients get the value alone. */
export class Tracked<Value> {
  readonly id: string;
  readonly value: Value;

  private constructor(id: string, value: Value) {
    this.id = id;
    this.value = value;
  }

  /** @internal */
  static of<Value>(id: string, value: Value): Tracked<Value> {
    if (typeof id !== 'string') {
      throw new Error(`the id of an event is a string, got ${kindOf(id)}; give tracked(String(id), value)`);
    }
    if (id === '' || /[\0\r\n]/.test(id)) {
      const why = id === '' ? 'is empty' : 'has a line break or a NUL';
      throw new Error(
        `the id ${JSON.stringify(id)} of an event ${why}; give the position of the event, such as '42'`,
      );
    }
    return new Tracked(id, value);
  }
}

/**
 * Gives an event of a subscription an id. A client that lost its connection sends the last id that it received, which
 * the handler gets as `lastEventId`.
 *
 * ```ts
 * yield tracked(String(task.version), task);
 * ```
 *
 * @throws Error if the id is not a string, or is empty or has a line break or a NUL (WHATWG HTML, section 9.2.6)
 */
export function tracked<Value>(id: string, value: Value): Tracked<Value> {
  return Tracked.of(id, value);
}
