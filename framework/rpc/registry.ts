// RPC: the registry of an application's procedures, which are served over JSON-RPC or REST.

import { ConfigError } from '../config-error.js';
import type { RouteHandler } from '../context/handlers.js';
import type { StandardSchemaV1 } from '../extract/standard-schema.js';
import { callSite } from '../tracing/call-site.js';
import { RpcCall } from './call.js';
import { Contract } from './contract.js';
import type { ErrorDeclarations, NoErrors } from './error-declarations.js';
import { GeneratedFiles } from './generated-files.js';
import type { FreeHandler, ProcedureHandler, ProcedureOptions } from './handler-types.js';
import { jsonRpcRoute } from './http.js';
import { inputRules, isDeferred } from './input-rules.js';
import { JsonRpcOutput, messageText } from './messages.js';
import type { RpcMiddleware } from './middleware.js';
import { checkInfo } from './openrpc/discover.js';
import type { OpenRpcInfo } from './openrpc/registry-openrpc.js';
import type { Procedure } from './procedure.js';
import {
  assertFree,
  checkInputType,
  checkMiddleware,
  defineType,
  fromOptions,
  fromTexts,
} from './registration.js';
import type { RpcCallOptions } from './registry-options.js';
import { type KnownTypes, registryTypes } from './registry-types.js';
import type { RestRoute } from './rest.js';
import {
  checkHeartbeat,
  checkMaxBatch,
  checkMode,
  checkMountMode,
  HEARTBEAT_MS,
  RpcMode,
} from './rpc-mode.js';
import { SealedRegistry } from './sealed-registry.js';
import type { FreeSubscriptionHandler, SubscriptionHandler } from './subscription-types.js';
import type { WireType, WireTypes } from './types/wire-type.js';

/**
 * ```ts
 * const rpc = new RpcRegistry();
 * rpc.query('add', { input: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => a + b);
 * app.mountRpc('/rpc', rpc);
 * ```
 */
export class RpcRegistry extends GeneratedFiles {
  #mode: RpcMode = RpcMode.JsonRpc;
  readonly #procedures = new Map<string, Procedure>();
  readonly #steps: RpcMiddleware[] = [];
  readonly #defined: Record<string, WireType> = Object.create(null);
  #contract: Contract | undefined;
  #maxBatch = 50;
  #heartbeatMs = HEARTBEAT_MS;
  #openRpcInfo: OpenRpcInfo | undefined;
  #sealed: SealedRegistry | undefined;

  /** A registry for one of the modes; `new RpcRegistry()` is for JSON-RPC. @throws Error for an unknown mode */
  static withMode(mode: RpcMode): RpcRegistry {
    const registry = new RpcRegistry();
    registry.#mode = checkMode(mode);
    return registry;
  }

  override get mode(): RpcMode {
    return this.#mode;
  }

  /**
   * Registers a procedure that only reads. The handler gets the output of the schema `input`; without a schema, the
   * type of its parameter is inferred by `fw generate`.
   *
   * @throws Error if the name is taken or not allowed, or no params could match the input
   */
  query(name: string, handler: FreeHandler): this;
  query<
    Input extends StandardSchemaV1 = never,
    Output extends StandardSchemaV1 = never,
    Errors extends ErrorDeclarations = NoErrors,
  >(
    name: string,
    options: ProcedureOptions<Input, Output, Errors>,
    handler: ProcedureHandler<NoInfer<Input>, NoInfer<Output>, NoInfer<Errors>>,
  ): this;
  query(name: string, ...args: unknown[]): this {
    return this.#add('query', name, args, this.query);
  }

  /** Like `query`, for a procedure that changes something. */
  mutation(name: string, handler: FreeHandler): this;
  mutation<
    Input extends StandardSchemaV1 = never,
    Output extends StandardSchemaV1 = never,
    Errors extends ErrorDeclarations = NoErrors,
  >(
    name: string,
    options: ProcedureOptions<Input, Output, Errors>,
    handler: ProcedureHandler<NoInfer<Input>, NoInfer<Output>, NoInfer<Errors>>,
  ): this;
  mutation(name: string, ...args: unknown[]): this {
    return this.#add('mutation', name, args, this.mutation);
  }

  /**
   * Like `query`, for an async generator: clients get the events that it yields, for as long as it runs. The schema
   * `output` is that of one event.
   */
  subscription(name: string, handler: FreeSubscriptionHandler): this;
  subscription<
    Input extends StandardSchemaV1 = never,
    Output extends StandardSchemaV1 = never,
    Errors extends ErrorDeclarations = NoErrors,
  >(
    name: string,
    options: ProcedureOptions<Input, Output, Errors>,
    handler: SubscriptionHandler<NoInfer<Input>, NoInfer<Output>, NoInfer<Errors>>,
  ): this;
  subscription(name: string, ...args: unknown[]): this {
    return this.#add('subscription', name, args, this.subscription);
  }

  /**
   * Registers a query whose types are strings with TypeScript: `'{ a: number; b?: string }'`. The input is validated
   * by its type.
   *
   * @throws Error like `query`, and if a type cannot be parsed
   */
  queryWithTypes(name: string, handler: FreeHandler, inputType: string, outputType: string): this {
    const place = callSite(this.queryWithTypes);
    return this.#register(fromTexts('query', name, handler, inputType, outputType, place));
  }

  /** Like `queryWithTypes`, for a mutation. */
  mutationWithTypes(name: string, handler: FreeHandler, inputType: string, outputType: string): this {
    const place = callSite(this.mutationWithTypes);
    return this.#register(fromTexts('mutation', name, handler, inputType, outputType, place));
  }

  /** Like `queryWithTypes`, for a subscription: the output type is that of one event. */
  subscriptionWithTypes(
    name: string,
    handler: FreeSubscriptionHandler,
    inputType: string,
    outputType: string,
  ): this {
    const place = callSite(this.subscriptionWithTypes);
    return this.#register(fromTexts('subscription', name, handler, inputType, outputType, place));
  }

  /** The same as `mutationWithTypes`. */
  registerWithTypes(name: string, handler: FreeHandler, inputType: string, outputType: string): this {
    const place = callSite(this.registerWithTypes);
    return this.#register(fromTexts('mutation', name, handler, inputType, outputType, place));
  }

  /** Names a type, for type strings that refer to it. @throws Error if the name is taken or not allowed */
  defineType(name: string, type: string): this {
    this.#assertOpen(`defineType('${name}')`);
    defineType(this.#defined, name, type);
    return this;
  }

  /** Adds middleware around every procedure; it runs before that of the procedure's option `use`. */
  use(middleware: RpcMiddleware): this {
    this.#assertOpen('use');
    this.#steps.push(checkMiddleware('RpcRegistry.use', middleware));
    return this;
  }

  /** How many calls a batch may have; 50 by default. @throws Error if it is not a whole number above 0 */
  maxBatch(calls: number): this {
    this.#assertOpen('maxBatch');
    this.#maxBatch = checkMaxBatch(calls);
    return this;
  }

  /**
   * After how many idle milliseconds the stream of a subscription gets a comment, which keeps it open; 15,000 by
   * default. Clients reconnect after three of these times without a byte. @throws Error if no timer can have it
   */
  heartbeat(ms: number): this {
    this.#assertOpen('heartbeat');
    this.#heartbeatMs = checkHeartbeat(ms);
    return this;
  }

  /** Enables `rpc.discover`, an OpenRPC document. @throws Error in REST mode, or without title or version */
  discoverable(info: OpenRpcInfo): this {
    this.#assertOpen('discoverable');
    this.#openRpcInfo = checkInfo(info, this.#mode);
    return this;
  }

  /**
   * Reads the types of procedures without a schema from the contract file that `fw generate` writes. With undefined,
   * for a file that does not exist yet, their inputs are not validated.
   *
   * ```ts no-run
   * import contract from './rpc-contract.json' with { type: 'json' };
   * rpc.useContract(contract);
   * ```
   *
   * @throws ConfigError if it is not a contract of this version of fw. Types are parsed when they are first needed:
   * those of inputs at registration or mount, those of outputs by `types()`, with the same error.
   */
  useContract(contract: unknown): this {
    this.#assertOpen('useContract');
    this.#contract = contract === undefined ? undefined : new Contract(contract);
    return this;
  }

  /**
   * All types as they are sent; the client and the OpenAPI document are made from them.
   *
   * @throws Error if a schema cannot provide its type, or two types have one name
   */
  override types(): WireTypes {
    return registryTypes(this.#procedures.values(), { contract: this.#contract, defined: this.#defined });
  }

  /**
   * Calls a procedure by its name, in process; resolves to its result, null if that is undefined, or to the events of
   * a subscription, an async iterable.
   *
   * @throws JsonRpcError -32601 if there is no such procedure, -32602 if the input is invalid; thrown from a route,
   * these are 404 and 400. Also throws what the procedure throws.
   */
  async call(name: string, params?: unknown, options: RpcCallOptions = {}): Promise<unknown> {
    return this.#seal().call(name, params, options);
  }

  /**
   * Answers one JSON-RPC request or batch. Never rejects because of its content.
   *
   * @throws Error if the body is neither bytes nor a string
   */
  async handleRequest(body: Uint8Array | string, options: RpcCallOptions = {}): Promise<JsonRpcOutput> {
    return new JsonRpcOutput(
      await this.#seal().answer(messageText(body), new RpcCall(options.ctx, options.signal)),
    );
  }

  /** The route of `app.mountRpc`. @throws Error if the registry is for REST @internal */
  jsonRpcRoute(path: string): RouteHandler {
    checkMountMode(path, this.#mode);
    return jsonRpcRoute(this.#seal());
  }

  /** The routes of `app.mountRest`. @throws Error if a procedure cannot be mounted as REST @internal */
  restRoutes(prefix: string): RestRoute[] {
    return this.#seal().restRoutes(prefix);
  }

  #add(kind: Procedure['kind'], name: string, args: unknown[], above: (...args: never[]) => unknown): this {
    const place = callSite(above);
    const [options, handler] = args.length < 2 ? [{}, args[0]] : args;
    return this.#register(fromOptions(kind, name, options as object, handler, place));
  }

  #register(procedure: Procedure): this {
    const { name } = procedure;
    this.#assertOpen(`${procedure.kind}('${name}')`);
    assertFree(this.#procedures.get(name), procedure);
    const isRest = this.#mode === RpcMode.Rest;
    if (!isDeferred(procedure, this.#known(), isRest)) {
      const { type, named } = inputRules(procedure, this.#known());
      checkInputType(procedure, type, named, isRest);
    }
    this.#procedures.set(name, procedure);
    return this;
  }

  /** Closes the registry at its first use: nothing can be added afterwards. */
  #seal(): SealedRegistry {
    this.#sealed ??= new SealedRegistry(
      this.#procedures.values(),
      this.#known(),
      this.#steps,
      this.#maxBatch,
      this.#openRpcInfo,
      this.#heartbeatMs,
    );
    return this.#sealed;
  }

  #known(): KnownTypes {
    return { contract: this.#contract, defined: this.#defined };
  }

  #assertOpen(what: string): void {
    if (this.#sealed !== undefined) {
      throw new ConfigError(
        'FW_REGISTERED_TOO_LATE',
        `${what} came too late: the registry is mounted or was called; register everything before`,
      );
    }
  }
}
