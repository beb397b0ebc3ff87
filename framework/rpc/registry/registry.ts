// RPC: the registry of an application's procedures, which are served over JSON-RPC or REST.

import type { RequireAuthOptions } from '../../auth/principal.js';
import type { GenerateClientFileOptions, GenerateClientOptions } from '../../client/client-options.js';
import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import type { RouteHandler } from '../../context/handlers.js';
import type { AddedBy, ContextMiddleware } from '../../extract/context-middleware.js';
import type { OpenApiSpec } from '../../openapi/openapi-spec.js';
import type { OpenRpcDocument, OpenRpcInfo } from '../../openapi/openrpc/registry-openrpc.js';
import { addRenamed, checkValue, refuseMore, warnDeprecated } from '../../options/check.js';
import { filled } from '../../options/rules.js';
import { kindOf } from '../../options/shown.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { callSite } from '../../tracing/call-site.js';
import type { SocketSubscriptions, SubscriptionSocket } from '../../websocket/socket-config.js';
import type { WireTypes } from '../../wire/wire-type.js';
import { Contract } from '../contract/contract.js';
import type { RpcServer } from '../dispatch.js';
import { jsonRpcRoute } from '../http/http.js';
import type { RestRoute } from '../http/rest.js';
import { RpcCall, type RpcCallOptions } from '../procedure/call.js';
import { checkGroupName } from '../procedure/check-name.js';
import type { FreeHandler, ProcedureHandler, ProcedureOptions } from '../procedure/handler-types.js';
import type { AnyRpcMiddleware, RpcMiddleware } from '../procedure/middleware.js';
import type { Procedure, RunnableProcedure } from '../procedure/procedure.js';
import { checkUse, fromOptions, fromTexts, readType } from '../procedure/registration.js';
import type { ErrorDeclarations, NoErrors } from '../protocol/error-declarations.js';
import { JsonRpcOutput, messageText } from '../protocol/messages.js';
import { RunningSubscriptions } from '../subscription/socket-subscriptions.js';
import { jsonRpcErrorText, restErrorText } from '../subscription/subscription-response.js';
import type {
  Events,
  FreeSubscriptionHandler,
  SubscriptionHandler,
} from '../subscription/subscription-types.js';
import { caller, type RpcCaller } from './caller.js';
import { checkInfo } from './discover.js';
import { type RegistryDocumentOptions, RegistryDocuments } from './registry-documents.js';
import { type RegisteredTool, RegistryState } from './registry-state.js';
import { RpcGuard } from './rpc-guard.js';
import { checkHeartbeat, checkMaxBatch, checkMode, checkMountMode, RpcMode } from './rpc-mode.js';

/** The procedures of a registry, ready to run as tools. */
export interface ToolServer extends RpcServer {
  /** The procedure for an input whose values are texts, as in a URI. */
  fromTexts(procedure: Procedure): RunnableProcedure;
}

/** What `fw/mcp` needs of a registry. */
export interface RegistryTools {
  readonly tools: readonly RegisteredTool[];
  readonly server: ToolServer;
  /** @throws Error if a type is not known */
  types(): WireTypes;
}

/**
 * ```ts
 * const rpc = new RpcRegistry();
 * rpc.query('add', { input: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => a + b);
 * app.mountRpc('/rpc', rpc);
 * ```
 */
export class RpcRegistry<Added = unknown, Prefix extends string = ''> {
  readonly #state: RegistryState = new RegistryState();
  /** @internal */
  readonly documents: RegistryDocuments = new RegistryDocuments(this.#state);

  /** Takes no arguments: for REST, `RpcRegistry.withMode(RpcMode.Rest)`. @throws ConfigError if there is one */
  constructor(...none: readonly never[]) {
    if (none.length === 0) return;
    throw new ConfigError(
      'FW_RPC_CONSTRUCTOR',
      'new RpcRegistry() takes no arguments; write RpcRegistry.withMode(RpcMode.Rest) for a mode, RpcRegistry.group(name) for a group',
    );
  }

  /** A registry for one of the modes; `new RpcRegistry()` is for JSON-RPC. @throws Error for an unknown mode */
  static withMode(mode: RpcMode): RpcRegistry {
    const registry = new RpcRegistry();
    registry.#state.mode = checkMode(mode);
    return registry;
  }

  /**
   * A registry for the procedures of a group, to be merged into another one: `list` of the group `users` is called
   * `users.list`, and `client.users.list()` in the generated client.
   *
   * ```ts
   * export const users = RpcRegistry.group('users').use(authed);
   * users.query('me', (_: void, { user }) => user);
   * rpc.merge(users);
   * ```
   *
   * @throws ConfigError if it is not a name such as `users` or `admin.users`
   */
  static group<const Prefix extends string>(name: Prefix): RpcRegistry<unknown, Prefix> {
    checkGroupName(name);
    const registry = new RpcRegistry<unknown, Prefix>();
    registry.#state.prefix = name;
    return registry;
  }

  get mode(): RpcMode {
    return this.#state.mode;
  }

  /** The name of its group; empty without one. */
  get prefix(): Prefix {
    return this.#state.prefix as Prefix;
  }

  /**
   * Registers a procedure that only reads. The handler gets the output of the schema `input`; without a schema, the
   * type of its parameter is inferred by `fw generate`.
   *
   * @throws Error if the name is taken or not allowed, or no params could match the input
   */
  query(name: string, handler: FreeHandler<unknown, NoErrors, Added>): this;
  query<
    Input extends StandardSchemaV1 = never,
    Output extends StandardSchemaV1 = never,
    Errors extends ErrorDeclarations = NoErrors,
    const Use extends readonly AnyRpcMiddleware[] = readonly AnyRpcMiddleware[],
  >(
    name: string,
    options: ProcedureOptions<Input, Output, Errors, Use>,
    handler: ProcedureHandler<
      NoInfer<Input>,
      NoInfer<Output>,
      NoInfer<Errors>,
      Added & AddedBy<NoInfer<Use>>
    >,
  ): this;
  query(name: string, ...args: unknown[]): this {
    return this.#add('query', name, args, this.query);
  }

  /** Like `query`, for a procedure that changes something. */
  mutation(name: string, handler: FreeHandler<unknown, NoErrors, Added>): this;
  mutation<
    Input extends StandardSchemaV1 = never,
    Output extends StandardSchemaV1 = never,
    Errors extends ErrorDeclarations = NoErrors,
    const Use extends readonly AnyRpcMiddleware[] = readonly AnyRpcMiddleware[],
  >(
    name: string,
    options: ProcedureOptions<Input, Output, Errors, Use>,
    handler: ProcedureHandler<
      NoInfer<Input>,
      NoInfer<Output>,
      NoInfer<Errors>,
      Added & AddedBy<NoInfer<Use>>
    >,
  ): this;
  mutation(name: string, ...args: unknown[]): this {
    return this.#add('mutation', name, args, this.mutation);
  }

  /**
   * Like `query`, for an async generator: clients get the events that it yields, for as long as it runs. The schema
   * `output` is that of one event.
   */
  subscription(name: string, handler: FreeSubscriptionHandler<Events<unknown>, NoErrors, Added>): this;
  subscription<
    Input extends StandardSchemaV1 = never,
    Output extends StandardSchemaV1 = never,
    Errors extends ErrorDeclarations = NoErrors,
    const Use extends readonly AnyRpcMiddleware[] = readonly AnyRpcMiddleware[],
  >(
    name: string,
    options: ProcedureOptions<Input, Output, Errors, Use>,
    handler: SubscriptionHandler<
      NoInfer<Input>,
      NoInfer<Output>,
      NoInfer<Errors>,
      Added & AddedBy<NoInfer<Use>>
    >,
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
  queryWithTypes(
    name: string,
    handler: FreeHandler<unknown, NoErrors, Added>,
    inputType: string,
    outputType: string,
  ): this {
    return this.#addTexts('query', name, handler, [inputType, outputType], this.queryWithTypes);
  }

  /** Like `queryWithTypes`, for a mutation. */
  mutationWithTypes(
    name: string,
    handler: FreeHandler<unknown, NoErrors, Added>,
    inputType: string,
    outputType: string,
  ): this {
    return this.#addTexts('mutation', name, handler, [inputType, outputType], this.mutationWithTypes);
  }

  /** Like `queryWithTypes`, for a subscription: the output type is that of one event. */
  subscriptionWithTypes(
    name: string,
    handler: FreeSubscriptionHandler<Events<unknown>, NoErrors, Added>,
    inputType: string,
    outputType: string,
  ): this {
    return this.#addTexts('subscription', name, handler, [inputType, outputType], this.subscriptionWithTypes);
  }

  /** The same as `mutationWithTypes`. */
  registerWithTypes(
    name: string,
    handler: FreeHandler<unknown, NoErrors, Added>,
    inputType: string,
    outputType: string,
  ): this {
    return this.#addTexts('mutation', name, handler, [inputType, outputType], this.registerWithTypes);
  }

  /** Names a type, for type strings that refer to it. @throws Error if the name is taken or not allowed */
  defineType(name: string, type: string): this {
    checkValue('defineType', 'the name', name, filled);
    this.#state.assertOpen(`defineType('${name}')`);
    this.#state.define(name, readType(`the type '${name}'`, type));
    return this;
  }

  /**
   * Adds middleware around every procedure; it runs before that of the procedure's option `use`. Handlers that are
   * registered on the returned registry, which is this one, get what middleware of `createMiddleware` adds.
   */
  use<More>(middleware: ContextMiddleware<More>): RpcRegistry<Added & More, Prefix>;
  use(middleware: RpcMiddleware): this;
  use(middleware: AnyRpcMiddleware, ...more: readonly never[]): unknown {
    this.#state.assertOpen('use');
    refuseMore('RpcRegistry.use', more, 'call it once for each middleware');
    this.#state.use.push(...checkUse('RpcRegistry.use', [middleware], callSite(this.use)));
    return this;
  }

  /**
   * Guards every procedure, but for named exceptions: 401 if nobody is authenticated. It is asked after the middleware
   * of `use`, and after that of a procedure which authenticates. Guards add up: that of an App around the registry is
   * asked first, and opens procedures by exceptions of its own.
   *
   * ```ts
   * rpc.requireAuth({ except: ['signIn'] });
   * ```
   *
   * @throws ConfigError if there is a guard already; at the mount, if an exception is not a procedure
   */
  requireAuth(options: RequireAuthOptions = {}): this {
    this.#state.assertOpen('requireAuth');
    this.#state.guardBy(new RpcGuard(options));
    return this;
  }

  /**
   * Takes over the procedures of other registries, with their middleware and defined types. They accept no more
   * procedures afterwards; what else there is to set is set here.
   *
   * @throws ConfigError if a name is taken, if one of them has a contract or another setting, or if this is a group
   * and one of them is not a group inside of it
   */
  merge(...registries: readonly RpcRegistry<unknown, string>[]): this {
    for (const one of registries) {
      if (!(one instanceof RpcRegistry)) {
        throw new ConfigError('FW_OPTION_TYPE', `merge() takes registries, got ${kindOf(one)}`);
      }
      this.#state.merge(one.#state);
    }
    return this;
  }

  /**
   * Makes its queries and mutations tools of `app.mountMcp`, as their option `mcp` does for one. One with `mcp: false` is
   * left out. Of a group, it holds for the procedures of the group.
   *
   * ```ts
   * rpc.merge(RpcRegistry.group('reports').mcp());
   * ```
   */
  mcp(): this {
    this.#state.assertOpen('mcp');
    this.#state.areTools = true;
    return this;
  }

  /** How many calls a batch may have; 50 by default. @throws Error if it is not a whole number above 0 */
  maxBatch(calls: number): this {
    this.#state.set('maxBatch');
    this.#state.maxBatch = checkMaxBatch(calls);
    return this;
  }

  /**
   * After how many idle milliseconds the stream of a subscription gets a comment, which keeps it open; 15,000 by
   * default. Clients reconnect after three of these times without a byte. @throws Error if no timer can have it
   */
  heartbeat(ms: number): this {
    this.#state.set('heartbeat');
    this.#state.heartbeatMs = checkHeartbeat(ms);
    return this;
  }

  /**
   * Answers the method `rpc.discover` with an OpenRPC document of all procedures, for everybody who may call the
   * registry. @throws Error in REST mode, or without title or version
   */
  openRpc(info: OpenRpcInfo): this {
    this.#state.set('openRpc');
    this.#state.openRpcInfo = checkInfo('openRpc', info, this.#state.mode);
    return this;
  }

  /** @deprecated Use `openRpc`. */
  discoverable(info: OpenRpcInfo): this {
    return this.openRpc(info);
  }

  /** The OpenRPC document of all procedures. @throws Error in REST mode, or without title or version */
  generateOpenRpc(info: OpenRpcInfo): OpenRpcDocument {
    return this.documents.generateOpenRpc(info);
  }

  /**
   * Reads the types of procedures without a schema, and the comments of all, from the contract file that `fw generate`
   * writes. With undefined, for a file that does not exist yet, their inputs are not validated.
   *
   * ```ts no-run
   * import contract from './rpc-contract.json' with { type: 'json' };
   * rpc.loadContract(contract);
   * ```
   *
   * @throws ConfigError if it is not a contract of this version of fw. Types are parsed when they are first needed:
   * those of inputs at registration or mount, those of outputs by `types()`, with the same error.
   */
  loadContract(contract: unknown): this {
    this.#state.set('loadContract');
    this.#state.contract = contract === undefined ? undefined : new Contract(contract);
    return this;
  }

  /** @deprecated Use `loadContract`. */
  useContract(contract: unknown): this {
    warnDeprecated('RpcRegistry.useContract', 'loadContract');
    return this.loadContract(contract);
  }

  /**
   * Calls a procedure by its name, in process; resolves to its result, null if that is undefined, or to the events of
   * a subscription, an async iterable.
   *
   * @throws JsonRpcError -32601 if there is no such procedure, -32602 if the input is invalid; thrown from a route,
   * these are 404 and 400. Also throws what the procedure throws.
   */
  async call(name: string, params?: unknown, options: RpcCallOptions = {}): Promise<unknown> {
    return this.#state.seal().call(name, params, options);
  }

  /**
   * The procedures as functions that are called in process, such as in tests and while a page is rendered. They have
   * the types of the generated client, and need its type alone:
   *
   * ```ts no-run
   * import type { FwRpcClient } from './client.ts';
   * const api = rpc.caller<FwRpcClient>({ ctx });
   * const user = await api.users.get({ id: '1' });
   * ```
   */
  caller<Client>(options: RpcCallOptions = {}): RpcCaller<Client> {
    return caller(this.#state.seal(), options) as RpcCaller<Client>;
  }

  /**
   * Answers one JSON-RPC request or batch. Never rejects because of its content.
   *
   * @throws Error if the body is neither bytes nor a string
   */
  async handleRequest(body: Uint8Array | string, options: RpcCallOptions = {}): Promise<JsonRpcOutput> {
    return new JsonRpcOutput(
      await this.#state.seal().answer(messageText(body), new RpcCall(options.ctx, options.signal)),
    );
  }

  /** The tools of `app.mountMcp`, ready to run. @internal */
  tools(): RegistryTools {
    return { tools: this.#state.tools(), server: this.#state.seal(), types: () => this.types() };
  }

  /** The route of `app.mountRpc`. @throws Error if the registry is for REST @internal */
  jsonRpcRoute(path: string): RouteHandler {
    checkMountMode(path, this.#state.mode);
    return jsonRpcRoute(this.#state.seal());
  }

  /** The subscriptions of a connection, for the option `rpc` of `websocket`, which calls it for each of them. */
  overSocket(ctx: Context, socket: SubscriptionSocket): SocketSubscriptions {
    const { subscriptions } = this.#state.seal();
    const errorText = this.#state.mode === RpcMode.Rest ? restErrorText : jsonRpcErrorText;
    return new RunningSubscriptions({ subscriptions, errorText }, ctx, socket);
  }

  /** The routes of `app.mountRest`. @throws Error if a procedure cannot be mounted as REST @internal */
  restRoutes(prefix: string): RestRoute[] {
    return this.#state.seal().restRoutes(prefix);
  }

  /**
   * All types as they are sent; the client and the OpenAPI document are made from them.
   *
   * @throws Error if a schema cannot provide its type, or two types have one name
   */
  types(): WireTypes {
    return this.documents.types();
  }

  /** The typed client as the text of one TypeScript file. @throws Error like `types`. */
  generateClient(options: GenerateClientOptions = {}): string {
    return this.documents.generateClient(options);
  }

  /**
   * Writes the typed client to this path, relative to the working directory, if its text differs from that of the
   * existing file.
   *
   * @throws Error like `types`, and if the file cannot be written
   */
  async generateClientFile(path: string, options: GenerateClientFileOptions = {}): Promise<void> {
    await this.documents.generateClientFile(path, options);
  }

  /**
   * An OpenAPI document of the procedures: a path for each in REST mode, one path for all of JSON-RPC.
   *
   * @param version the version of the API
   * @param basePath the path in the `servers` entry, after `origin`, which is `http://127.0.0.1:3000` by default
   * @param options.security the schemes of the middleware around the registry, by which callers of procedures with
   * `requireAuth` are authenticated; of several objects, one. For REST.
   * @throws ConfigError like `types`, and if an argument is not of its kind
   */
  generateOpenapi(
    title: string,
    version: string,
    basePath: string,
    options: RegistryDocumentOptions = {},
  ): OpenApiSpec {
    return this.documents.generateOpenapi(title, version, basePath, options);
  }

  #add(kind: Procedure['kind'], name: string, args: unknown[], above: (...args: never[]) => unknown): this {
    const place = callSite(above);
    const [options, handler] = args.length < 2 ? [{}, args[0]] : args;
    this.#state.register(fromOptions(kind, this.#state.named(name), options as object, handler, place));
    return this;
  }

  #addTexts(
    kind: Procedure['kind'],
    name: string,
    handler: unknown,
    types: readonly [string, string],
    above: (...args: never[]) => unknown,
  ): this {
    const place = callSite(above);
    this.#state.register(fromTexts(kind, this.#state.named(name), handler, ...types, place));
    return this;
  }
}

addRenamed(RpcRegistry, 'RpcRegistry', { newWithMode: 'RpcRegistry.withMode(RpcMode.Rest)' });
