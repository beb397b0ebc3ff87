// Promises of handlers and middleware, which may be anything with a `then`.

/** True for promises and for other thenables, whose `then` may return anything. */
export function isPromise(value: unknown): value is Promise<unknown> {
  // Stryker disable next-line ConditionalExpression: a promise is a thenable too; this is only faster
  if (value instanceof Promise) return true;
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}

/** A promise to rely on: `then` of a thenable may give nothing. One of the language's own is not wrapped, for speed. */
export function toPromise(value: Promise<unknown>): Promise<unknown> {
  return value instanceof Promise ? value : Promise.resolve(value);
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
