// The middleware chain of requests and of RPC calls: A → B → C → handler → C → B → A; checks what each step returns.
import type { Deadline } from '../context/deadline.js';
import { isPromise, markHandled, toChainable } from '../promises.js';

/** A middleware for requests or for RPC calls. */
export type Step<Call, Result> = (call: Call, next: () => Promise<Result>) => unknown;

/** The differences between the chains of requests and of RPC calls. */
export interface ChainRules<Call, Result> {
  /** What a step is called in messages. */
  readonly noun: string;
  /** Makes the result from the value of the final handler. */
  finish(call: Call, value: unknown): Result | Promise<Result>;
  /** The value of a step if it is a result, otherwise undefined. Never throws. */
  accept(call: Call, value: unknown): Result | undefined;
  /** Converts the value of a step, which is not `undefined`, to a result. Throws if it cannot be converted. */
  convert(call: Call, value: unknown, name: string): Result;
  /** Called with the result of the rest if a step keeps it. */
  keep(call: Call, result: Result): Result;
  /** The deadline that ends calls of `next()` that take too long. */
  deadline(call: Call): Deadline | undefined;
}

/** Runs the steps from `index` on, then `handler`. May throw if they are synchronous. */
export function runChain<Call, Result>(
  rules: ChainRules<Call, Result>,
  call: Call,
  steps: readonly Step<Call, Result>[],
  index: number,
  handler: (call: Call) => unknown,
): Result | Promise<Result> {
  const step = steps[index];
  if (step === undefined) return finish(rules, call, handler(call));
  let rest: Promise<Result> | undefined;
  const value = step(call, () => {
    if (rest !== undefined) return markHandled(Promise.reject(calledTwice(rules, step)));
    rest = startRest(rules, call, steps, index + 1, handler);
    return rest;
  });
  if (!isPromise(value)) return rules.accept(call, value) ?? settle(rules, call, value, rest, step);
  // Stryker disable next-line ConditionalExpression: settling a response twice has no effect; this only avoids a promise
  if (value === rest) return rest;
  // Only if it may reject: attaching a handler to every promise would cost a tenth of the chain's time.
  const settled: Promise<Result> = toChainable(value).then(
    (late) => {
      const result = rules.accept(call, late);
      if (result !== undefined) return result;
      markHandled(settled);
      return settle(rules, call, late, rest, step);
    },
    (error: unknown) => {
      markHandled(settled);
      throw error;
    },
  );
  return settled;
}

function startRest<Call, Result>(
  rules: ChainRules<Call, Result>,
  call: Call,
  steps: readonly Step<Call, Result>[],
  index: number,
  handler: (call: Call) => unknown,
): Promise<Result> {
  const deadline = rules.deadline(call);
  if (deadline?.error !== undefined) return markHandled(Promise.reject(deadline.error));
  try {
    const result = runChain(rules, call, steps, index, handler);
    const rest = result instanceof Promise ? result : Promise.resolve(result);
    return deadline === undefined ? rest : markHandled(deadline.guard(rest, index));
  } catch (error) {
    return markHandled(Promise.reject(error));
  }
}

function finish<Call, Result>(
  rules: ChainRules<Call, Result>,
  call: Call,
  value: unknown,
): Result | Promise<Result> {
  if (isPromise(value)) return markHandled(toChainable(value).then((late) => rules.finish(call, late)));
  const result = rules.finish(call, value);
  return result instanceof Promise ? markHandled(result) : result;
}

/** The result for a value that is not a result: `undefined` keeps that of the rest, others are converted. */
function settle<Call, Result>(
  rules: ChainRules<Call, Result>,
  call: Call,
  value: unknown,
  rest: Promise<Result> | undefined,
  step: Step<Call, Result>,
): Result | Promise<Result> {
  if (value !== undefined) return rules.convert(call, value, `${rules.noun} ${nameOf(step)}`);
  if (rest !== undefined) return markHandled(rest.then((result) => rules.keep(call, result)));
  throw new Error(
    `${rules.noun} ${nameOf(step)} returned nothing and did not call next(); do one of the two`,
  );
}

function calledTwice<Call, Result>(rules: ChainRules<Call, Result>, step: Step<Call, Result>): Error {
  return new Error(
    `${rules.noun} ${nameOf(step)} called next() twice; the rest of the chain runs once per request`,
  );
}

function nameOf(step: { name: string }): string {
  return step.name === '' ? '(anonymous)' : `'${step.name}'`;
}
