// Promises of handlers and middleware, which may be anything with a `then`.

/**
 * True for promises and for other thenables, whose `then` may return anything. Never throws, although a Proxy and a
 * getter of `then` do: it is asked where nothing catches.
 */
export function isPromise(value: unknown): value is Promise<unknown> {
  try {
    // Stryker disable next-line ConditionalExpression: a promise is a thenable too; this is only faster
    if (value instanceof Promise) return true;
    return (
      typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
    );
  } catch {
    return false;
  }
}

/** A promise to rely on: `then` of a thenable may give nothing. One of the language's own is not wrapped, for speed. */
export function toPromise(value: Promise<unknown>): Promise<unknown> {
  return value instanceof Promise ? value : Promise.resolve(value);
}

/** The same for what is only chained, by a `then` that gives a promise. */
export function toChainable(value: Promise<unknown>): Pick<Promise<unknown>, 'then'> {
  if (value instanceof Promise) return value;
  return (value as unknown) instanceof MappedPromise ? value : Promise.resolve(value);
}

/**
 * What a function makes of the value of a promise: it runs in the same turn as what `then` is given, while each `then`
 * of a promise takes a turn and a promise of its own. It does not run before `then` is called, and again for each.
 */
export class MappedPromise<T> {
  readonly #source: Promise<unknown>;
  readonly #mapping: (value: unknown) => T | Promise<T>;

  constructor(source: Promise<unknown>, mapping: (value: never) => T | Promise<T>) {
    this.#source = source;
    this.#mapping = mapping as (value: unknown) => T | Promise<T>;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is awaited and chained like a promise
  then<Ok = T, Failed = never>(
    onFulfilled?: ((value: T) => Ok | PromiseLike<Ok>) | null,
    onRejected?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Ok | Failed> {
    const mapping = this.#mapping;
    const fulfilled = onFulfilled ?? ((value: T) => value as unknown as Ok);
    const rejected = onRejected ?? rethrow;
    return this.#source.then((value): Ok | Failed | PromiseLike<Ok | Failed> => {
      let mapped: unknown;
      try {
        mapped = mapping(value);
      } catch (error) {
        return rejected(error);
      }
      if (isPromise(mapped)) return (toChainable(mapped) as Promise<T>).then(fulfilled, rejected);
      return fulfilled(mapped as T);
    }, rejected);
  }
}

function rethrow(error: unknown): never {
  throw error;
}

/** `value.then(next)`, or `next(value)` if the value is not a promise. */
export function chained<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return isPromise(value) ? Promise.resolve(value as Promise<A>).then(next) : next(value as A);
}

/**
 * The same promise, whose rejection does not end the process if nothing handles it: a middleware may answer without
 * awaiting `next()`, or fail before it does.
 */
export function markHandled<T>(promise: Promise<T>): Promise<T> {
  promise.then(undefined, ignore);
  return promise;
}

function ignore(): void {}

/**
 * The value of a callback that must be synchronous. A promise is refused with the message; its rejection, which nothing
 * else would handle, does not end the process.
 *
 * @throws Error if it is a promise.
 */
export function synchronous<T>(value: T | Promise<T>, message: string): T {
  if (!isPromise(value)) return value;
  markHandled(Promise.resolve(value as Promise<T>));
  throw new Error(message);
}

/** Workers have no `setImmediate`. Read once, so that it does not depend on clocks that a test replaces. */
const inNextTurn: (callback: () => void) => unknown = globalThis.setImmediate ?? globalThis.setTimeout;

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void inNextTurn(() => resolve()));
}
