// RPC: a procedure as it is registered, and as it runs: middleware → input check → handler → output check.
import { runChain } from '../../dispatch/chain.js';
import { recordedSteps } from '../../dispatch/recorded.js';
import { endUnsent } from '../../http/end-unsent.js';
import { isPromise } from '../../promises.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { isRecorded, traceStep } from '../../tracing/trace-channel.js';
import type { NamedTypes, ProcedureKind, ProcedureNotes, WireType } from '../../wire/wire-type.js';
import type { RpcCall } from './call.js';
import { areCallsHeard, tracedCall } from './call-channel.js';
import type { DeclaredErrors } from './declared-errors.js';
import { type AnyRpcMiddleware, callRules, type RpcMiddleware, RpcMiddlewareCall } from './middleware.js';
import { isPlainResult, refuseUnsendable } from './result-text.js';
import type { McpToolOptions } from './tool-options.js';

/** A type, and the types that its names refer to. */
interface DescribedType {
  readonly type: WireType;
  readonly named: NamedTypes;
}

/** Where the type of an input or a result comes from. */
export type TypeSource =
  | {
      readonly from: 'schema';
      readonly schema: StandardSchemaV1;
      /**
       * The type of an input, made at the first question, because that of the first schema takes milliseconds of a
       * start; it gives undefined if the schema has no JSON Schema, which still validates.
       */
      readonly described?: () => DescribedType | undefined;
    }
  | { readonly from: 'text'; readonly type: WireType }
  | { readonly from: 'signature' };

/** A handler as the registry sees it: TypeScript has checked its parameters at registration. */
export type AnyHandler = (input: unknown, call: RpcCall) => unknown;

export interface Procedure {
  readonly name: string;
  readonly kind: ProcedureKind;
  readonly input: TypeSource;
  readonly output: TypeSource;
  readonly notes: ProcedureNotes;
  /** What a model is told about it; false if it is not a tool, undefined if its registry decides. */
  readonly tool?: McpToolOptions | false | undefined;
  /** Undefined if it declares none. */
  readonly errors?: DeclaredErrors | undefined;
  readonly use: readonly AnyRpcMiddleware[];
  readonly handler: AnyHandler;
  /** The place of the call that registered it. */
  readonly place: () => string;
}

/** Turns the params into the input of the procedure. Throws the error to respond with. */
export type Check = (value: unknown) => unknown;

/** A procedure that is ready to run; `undefined` stands for absent params. */
export interface RunnableProcedure {
  readonly name: string;
  /** How it authenticates: the same text for procedures that do it in the same way. Empty if it does not. */
  readonly authentication: string;
  /** The place of the call that registered it. */
  readonly place: () => string;
  /** Returns the result or a promise of it; throws or rejects with the error of the call. */
  run(params: unknown, call: RpcCall): unknown;
}

/** @param checkOutput undefined if the result has no schema */
export function runnable(
  { name, kind, handler: bare, errors, place }: Procedure,
  steps: readonly RpcMiddleware[],
  checkInput: Check,
  checkOutput: Check | undefined,
  authentication = '',
): RunnableProcedure {
  const makers = errors?.makers;
  const handler: AnyHandler = makers ? (input, call) => bare(input, call.with({ errors: makers })) : bare;
  /** A stream that a check refuses is not sent. Nearly every result is a plain one. */
  const accepted = (result: unknown): unknown =>
    isPlainResult(result) ? checkOutput?.(result) : guarded(result);
  const guarded = (result: unknown): unknown => {
    try {
      // A schema of objects would take a stream for one.
      refuseUnsendable(name, result);
      return checkOutput?.(result);
    } catch (error) {
      endUnsent(result);
      throw error;
    }
  };
  const handle = (input: unknown, call: RpcCall): unknown => {
    const result = handler(input, call);
    if (checkOutput === undefined) return result;
    return isPromise(result) ? Promise.resolve(result).then(accepted) : accepted(result);
  };
  const checkAndHandle = (params: unknown, call: RpcCall): unknown => {
    const input = checkInput(params);
    return isPromise(input) ? input.then((value) => handle(value, call)) : handle(input, call);
  };
  const chain = (through: readonly RpcMiddleware[], params: unknown, call: RpcCall): unknown => {
    if (through.length === 0) return checkAndHandle(params, call);
    return runChain(callRules, new RpcMiddlewareCall(name, kind, params, call), through, 0, (stage) =>
      checkAndHandle(params, stage.extended()),
    );
  };
  const step = { kind: 'procedure', name, place } as const;
  const observed = (params: unknown, call: RpcCall): unknown => {
    const work = (): unknown =>
      isRecorded()
        ? traceStep(step, () => chain(recordedSteps(steps), params, call))
        : chain(steps, params, call);
    return areCallsHeard() ? tracedCall(name, kind, work) : work();
  };
  return {
    name,
    authentication,
    place,
    run: (params, call) =>
      isRecorded() || areCallsHeard() ? observed(params, call) : chain(steps, params, call),
  };
}
