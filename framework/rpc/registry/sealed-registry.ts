// RPC: a registry in use: all checks are compiled, and nothing can be added any more.
import type { Context } from '../../context/context.js';
import { inOrder } from '../../extract/context-middleware.js';
import { authenticates } from '../../extract/route-guard.js';
import { isDeepValue } from '../../http/json-depth.js';
import type { FwResponse } from '../../http/response.js';
import type { OpenRpcInfo } from '../../openapi/openrpc/registry-openrpc.js';
import { reportError } from '../../tracing/error-channel.js';
import { warnUnchecked } from '../../tracing/event.js';
import { hasFiles } from '../../wire/files.js';
import { lookupIn } from '../../wire/resolve.js';
import type { NamedTypes } from '../../wire/wire-type.js';
import type { Contract } from '../contract/contract.js';
import { CONTRACT_HEADER, ContractCheck } from '../contract/contract-check.js';
import { assertKnown, assertKnownThrough, isKnown } from '../contract/known-types.js';
import { TypeFaultCollector } from '../contract/type-faults.js';
import { answer, answerMessage, notFound, type Opening, type RpcServer } from '../dispatch.js';
import {
  checkPrefix,
  mutationRoute,
  queryRoute,
  type Refusing,
  type RestRoute,
  subscriptionRoute,
} from '../http/rest.js';
import { refuseForm, type Upload, withFiles } from '../http/upload.js';
import { RpcCall, type RpcCallOptions } from '../procedure/call.js';
import { type InputRules, inputCheck, outputCheck } from '../procedure/input-check.js';
import { describedNames, inputRules, isDeferred } from '../procedure/input-rules.js';
import { type AnyRpcMiddleware, type RpcMiddleware, rpcSteps } from '../procedure/middleware.js';
import { type Check, type Procedure, type RunnableProcedure, runnable } from '../procedure/procedure.js';
import { checkInputType } from '../procedure/registration.js';
import { errorCode, JsonRpcError, tooDeep } from '../protocol/rpc-error.js';
import { type RunnableSubscription, runnableSubscription, valuesOf } from '../subscription/subscription.js';
import { jsonRpcErrorText, subscriptionResponse } from '../subscription/subscription-response.js';
import { DISCOVER, discovery } from './discover.js';
import { type KnownTypes, registryTypes } from './registry-types.js';
import { procedureAccess } from './rpc-guard.js';
import { HEARTBEAT_MS } from './rpc-mode.js';

const none: NamedTypes = Object.create(null);

export class SealedRegistry implements RpcServer {
  readonly procedures: ReadonlyMap<string, RunnableProcedure>;
  readonly subscriptions: ReadonlyMap<string, RunnableSubscription>;
  readonly maxBatch: number;
  readonly #heartbeatMs: number;
  readonly #registered: readonly Procedure[];
  readonly #known: KnownTypes;
  /** With the types that the schemas of inputs name. */
  #allKnown: KnownTypes | undefined;
  readonly #use: readonly AnyRpcMiddleware[];
  #isForFiles: boolean | undefined;
  /** Of the methods of authentication. */
  readonly #numbers = new Map<AnyRpcMiddleware, number>();
  /** Null if the registry has no types to compare. */
  #contract: ContractCheck | null | undefined;

  /**
   * @param discover the title and version in the document of `rpc.discover`, and its guard; undefined if that procedure
   * is not enabled
   * @param heartbeatMs after this idle time, the stream of a subscription gets a comment
   * @throws Error if a type string refers to a type that is not defined
   */
  constructor(
    procedures: Iterable<Procedure>,
    known: KnownTypes,
    use: readonly AnyRpcMiddleware[],
    maxBatch: number,
    discover?: { readonly info: OpenRpcInfo; readonly use: readonly AnyRpcMiddleware[] },
    heartbeatMs: number = HEARTBEAT_MS,
  ) {
    this.#registered = [...procedures];
    this.#known = known;
    this.#use = [...use];
    this.maxBatch = maxBatch;
    this.#heartbeatMs = heartbeatMs;
    const streams = this.#registered.filter(({ kind }) => kind === 'subscription');
    const calls = this.#registered.filter(({ kind }) => kind !== 'subscription');
    this.subscriptions = new Map(streams.map((one) => [one.name, this.#subscription(one, false)]));
    const runnables = new Map(calls.map((one) => [one.name, this.#runnable(one, false)]));
    // The types as `types()` returns them, without the names that only the validation of inputs uses.
    const types = () => registryTypes(this.#registered, known);
    if (discover !== undefined) {
      const steps = rpcSteps([...this.#use, ...discover.use]);
      const authentication = this.#authentication(discover);
      runnables.set(DISCOVER, { ...discovery(discover.info, steps, types), authentication });
    }
    this.procedures = runnables;
    reportUnchecked(this.#registered, known.contract);
  }

  answer(text: string, call: RpcCall): string | undefined | Promise<string | undefined> {
    call.refusal = call.maybeCtx && this.#refusal(call.maybeCtx);
    return answer(this, text, call);
  }

  /** Like `answer`, over HTTP: the answer to a subscription is a stream. */
  serve(text: string, call: RpcCall): string | undefined | Promise<string | FwResponse | undefined> {
    call.refusal = call.maybeCtx && this.#refusal(call.maybeCtx);
    return answer(this, text, call, this.#open);
  }

  /** Answers a call whose input has files. @throws FwError 400 or 415 if the form or the procedure is another one */
  async upload(upload: Upload, call: RpcCall): Promise<string | undefined> {
    const { document } = upload;
    if (Array.isArray(document)) refuseForm('a batch');
    const { method } = (document ?? {}) as { method?: unknown };
    if (typeof method === 'string' && this.procedures.has(method) && !this.#takesFiles(method))
      refuseForm(method);
    call.refusal = call.maybeCtx && this.#refusal(call.maybeCtx);
    // Who may not call it is refused before the files are looked at; the answer is that of the guard itself.
    const isRefused = typeof method === 'string' && this.#asksOthers(method, call.maybeCtx);
    return await answerMessage(this, isRefused ? document : withFiles(upload), call);
  }

  /** Whether a guard will refuse the call, because nothing that the procedure asks could authenticate it. */
  readonly #asksOthers = (name: string, ctx: Context | undefined): boolean => {
    const procedure = this.#registered.find((one) => one.name === name);
    if (procedure === undefined || ctx === undefined || ctx.principal() !== undefined) return false;
    const { describes } = procedureAccess(procedure, this.#use);
    const authenticating = describes.findIndex((one) => one.authenticates !== undefined);
    const requiring = describes.findIndex((one) => one.requires !== undefined);
    return requiring !== -1 && (authenticating === -1 || requiring < authenticating);
  };

  get takesForms(): boolean {
    this.#isForFiles ??= this.#registered.some(({ name }) => this.#takesFiles(name));
    return this.#isForFiles;
  }

  /** Found when a form arrives, so that calls without files have no cost. */
  readonly #takesFiles = (name: string): boolean => {
    const procedure = this.#registered.find((one) => one.name === name);
    if (procedure?.kind !== 'mutation') return false;
    const { type, named } = this.#rules(procedure);
    return type !== undefined && hasFiles(type, lookupIn(named));
  };

  readonly #open: Opening<FwResponse> = async (subscription, params, { ctx }) => {
    const options = { ctx, heartbeatMs: this.#heartbeatMs, errorText: jsonRpcErrorText };
    return await subscriptionResponse(subscription, params, options);
  };

  /**
   * Calls a procedure in process. @throws JsonRpcError if there is none of that name, or for params nested too deeply;
   * what it throws
   */
  async call(name: string, params: unknown, options: RpcCallOptions): Promise<unknown> {
    const procedure = this.procedures.get(name);
    const subscription = this.subscriptions.get(name);
    if (procedure === undefined && subscription === undefined) throw notFound(name);
    if (isDeepValue(params)) throw tooDeep();
    if (subscription === undefined) {
      return (await procedure?.run(params, new RpcCall(options.ctx, options.signal))) ?? null;
    }
    const { ctx, signal, lastEventId } = options;
    return valuesOf(await subscription.open(params, { ctx, signal, lastEventId }));
  }

  /** @throws Error if a procedure cannot be mounted as REST */
  restRoutes(prefix: string): RestRoute[] {
    checkPrefix(prefix);
    const refuse = (ctx: Context): void => {
      const refusal = this.#refusal(ctx);
      if (refusal !== undefined) throw refusal;
    };
    return this.#registered.map((procedure) => ({
      ...this.#restRoute(prefix, procedure, refuse),
      access: procedureAccess(procedure, this.#use),
    }));
  }

  /** The procedure for an input whose values are texts. @throws Error if texts cannot stand for it */
  fromTexts(procedure: Procedure): RunnableProcedure {
    return this.#runnable(procedure, true);
  }

  #restRoute(prefix: string, procedure: Procedure, refuse: Refusing): Omit<RestRoute, 'access'> {
    if (procedure.kind === 'subscription') {
      return subscriptionRoute(prefix, this.#subscription(procedure, true), refuse, this.#heartbeatMs);
    }
    const ready = this.#runnable(procedure, true);
    if (procedure.kind === 'query') return queryRoute(prefix, ready, refuse);
    return mutationRoute(prefix, ready, refuse, {
      takesFiles: this.#takesFiles,
      isRefused: this.#asksOthers,
    });
  }

  #runnable(procedure: Procedure, isRest: boolean): RunnableProcedure {
    return runnable(procedure, ...this.#parts(procedure, isRest), this.#authentication(procedure));
  }

  get isAuthenticating(): boolean {
    return this.#numbers.size > 0;
  }

  #authentication({ use }: Pick<Procedure, 'use'>): string {
    const methods = inOrder<AnyRpcMiddleware>([...this.#use, ...use]).filter(authenticates);
    return methods
      .map((one) => this.#numbers.get(one) ?? this.#numbers.set(one, this.#numbers.size).get(one))
      .join();
  }

  #subscription(procedure: Procedure, isRest: boolean): RunnableSubscription {
    return runnableSubscription(procedure, ...this.#parts(procedure, isRest));
  }

  /** What runs around the handler of a procedure. */
  #parts(procedure: Procedure, isRest: boolean): [readonly RpcMiddleware[], Check, Check | undefined] {
    const { output } = procedure;
    const checkInput = isDeferred(procedure, this.#known, isRest)
      ? madeOnce(() => this.#checkInput(procedure, isRest))
      : this.#checkInput(procedure, isRest);
    const checkOutput = output.from === 'schema' ? outputCheck(procedure, output.schema) : undefined;
    return [rpcSteps([...this.#use, ...procedure.use]), checkInput, checkOutput];
  }

  /** Only a type string that names a type can mean one of a schema. */
  #rules(procedure: Procedure): InputRules {
    const { input } = procedure;
    if (input.from !== 'text' || isKnown(input.type, none)) return inputRules(procedure, this.#known);
    const { contract, defined } = this.#known;
    this.#allKnown ??= { contract, defined: { ...describedNames(this.#registered), ...defined } };
    return inputRules(procedure, this.#allKnown);
  }

  #checkInput(procedure: Procedure, isRest: boolean): Check {
    const rules = this.#rules(procedure);
    const { type, named } = rules;
    const { name, input } = procedure;
    // The names of a contract are checked as its types are parsed.
    if (type !== undefined && input.from !== 'signature') {
      const faults = new TypeFaultCollector();
      const assert = input.from === 'text' ? assertKnownThrough : assertKnown;
      faults.collect(procedure, () => assert(type, named, `input of '${name}'`));
      faults.throwFound();
    }
    checkInputType(procedure, type, named, isRest);
    return inputCheck({ ...rules, of: procedure, coerce: isRest && procedure.kind !== 'mutation' });
  }

  /** The error for a client that was generated before a change of the types that breaks it. */
  #refusal(ctx: Context): JsonRpcError | undefined {
    const sent = ctx.req.header(CONTRACT_HEADER);
    if (sent === undefined) return undefined;
    if (this.#contract === undefined) this.#contract = this.#contractCheck();
    const broken = this.#contract?.broken(sent);
    if (broken?.length === 0) return undefined;
    const what =
      broken === undefined
        ? 'another contract'
        : `other types of ${broken.map((name) => `'${name}'`).join(', ')}`;
    return new JsonRpcError(
      errorCode.contractMismatch,
      `the client was generated for ${what} than this server has; generate it again`,
    );
  }

  /** Null if `types()` throws: then no client can have been generated. */
  #contractCheck(): ContractCheck | null {
    try {
      return new ContractCheck(registryTypes(this.#registered, this.#known));
    } catch (error) {
      // Reported once, because clients decide how often they call.
      reportError({ error, status: 500, method: 'RPC', path: '' });
      return null;
    }
  }
}

/** A check that is compiled by its first call. */
function madeOnce(make: () => Check): Check {
  let check: Check | undefined;
  return (value) => {
    check ??= make();
    return check(value);
  };
}

const MOST_NAMES = 10;

/** Reports once: on `fw:event` if it has a subscriber, else on stderr. */
function reportUnchecked(procedures: readonly Procedure[], contract: Contract | undefined): void {
  const names = procedures
    .filter(({ name, input }) => input.from === 'signature' && !contract?.has(name))
    .map(({ name }) => name);
  if (names.length === 0) return;
  const shown = names.slice(0, MOST_NAMES).map((name) => `'${name}'`);
  if (names.length > MOST_NAMES) shown.push(`and ${names.length - MOST_NAMES} more`);
  const message = `the input of ${shown.join(', ')} is not checked: run fw generate and load its contract by loadContract(), or give a schema`;
  warnUnchecked(message, { procedures: names });
}
