// Types only: derives the input and the events of a subscription's handler from its schemas.
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import type { ErrorDeclarations, NoErrors } from '../protocol/error-declarations.js';
import type { SubscriptionCall } from './subscription-call.js';
import type { Tracked } from './tracked.js';

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
  handler(input: unknown, call: SubscriptionCall<Errors> & Added): Result;
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
