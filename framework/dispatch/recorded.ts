// The way of a request while somebody records it: the same chain, with each step published on `fw:trace`.
import { callsOf } from '../context/called.js';
import type { Context } from '../context/context.js';
import type { FinalHandler } from '../context/handlers.js';
import { isPromise, toPromise } from '../promises.js';
import { isRecorded, publishTrace, traceStep } from '../tracing/trace-channel.js';
import { runChain, type Step } from './chain.js';
import { requestRules } from './to-response.js';
import type { RouteMatch } from './unmatched.js';

/** Handlers that are made of others, which publish what runs inside them. */
const composed = new WeakSet<object>();

/** Marks a handler that publishes the steps inside it. */
export function composes<Handler extends object>(handler: Handler): Handler {
  composed.add(handler);
  return handler;
}

/** Runs the middleware and the handler of a request. @param route undefined if no route matched */
export function runRecorded(
  ctx: Context,
  handler: FinalHandler,
  route: RouteMatch['value'] | undefined,
): unknown {
  if (route !== undefined) {
    publishTrace({ type: 'route', pattern: route.pattern.source, place: route.place });
  }
  const last = (call: Context): unknown =>
    route === undefined ? handler(call) : runHandler(call, handler, route.description?.handlerName);
  const told = (): void => {
    const calls = callsOf(ctx);
    if (calls.length > 0) publishTrace({ type: 'calls', calls });
  };
  try {
    const result: unknown = runChain(requestRules, ctx, recordedSteps(ctx.scope.steps), 0, last);
    if (isPromise(result)) return toPromise(result).finally(told);
    told();
    return result;
  } catch (error) {
    told();
    throw error;
  }
}

/** Runs the handler behind others, as a step if somebody records. */
export function runHandler<Result>(
  ctx: Context,
  handler: (ctx: Context) => Result,
  name: string = handler.name,
): Result {
  if (!isRecorded() || composed.has(handler)) return handler(ctx);
  return traceStep({ kind: 'handler', name }, () => handler(ctx));
}

const recorded = new WeakMap<object, readonly Step<never, never>[]>();

/** The same middleware, each as a step. */
export function recordedSteps<Call, Result>(
  steps: readonly Step<Call, Result>[],
): readonly Step<Call, Result>[] {
  const known = recorded.get(steps) as readonly Step<Call, Result>[] | undefined;
  if (known !== undefined) return known;
  const made = steps.map(recordedStep);
  recorded.set(steps, made as unknown as readonly Step<never, never>[]);
  return made;
}

function recordedStep<Call, Result>(step: Step<Call, Result>): Step<Call, Result> {
  const trace = { kind: 'middleware', name: step.name, place: placeOfStep(step) } as const;
  const run: Step<Call, Result> = (call, next) => traceStep(trace, () => step(call, next));
  // The name is in messages about what it returned.
  return Object.defineProperty(run, 'name', { value: step.name });
}

const places = new WeakMap<object, () => string>();

/** Notes where middleware was registered; of several places, the first. */
export function notePlace(step: object, place: () => string): void {
  if (!places.has(step)) places.set(step, place);
}

/** One that is made of another has the place of that, which may be noted later. */
export function sharePlace(step: object, of: object): void {
  notePlace(step, () => places.get(of)?.() ?? 'unknown place');
}

export function placeOfStep(step: object): (() => string) | undefined {
  return places.get(step);
}
