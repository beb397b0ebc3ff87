// RPC: the registry of an application's procedures; what is registered on it is answered by JSON-RPC or as REST.
import type { StandardSchemaV1 } from '../extract/standard-schema.js';
import { callSite, type RouteHandler } from '../routes.js';
import { RpcCall } from './call.js';
import { clientText, writeClient } from './client/write-client.js';
import { readContract } from './contract.js';
import { notFound } from './dispatch.js';
import type { FreeHandler, ProcedureHandler, ProcedureOptions } from './handler-types.js';
import { jsonRpcRoute } from './http.js';
import { inputRules } from './input-rules.js';
import { JsonRpcOutput, messageText } from './messages.js';
import type { RpcMiddleware } from './middleware.js';
import type { OpenApiSpec } from './openapi/openapi-spec.js';
import { registryOpenApi } from './openapi/registry-openapi.js';
import { checkInfo } from './openrpc/discover.js';
import type { OpenRpcInfo } from './openrpc/registry-openrpc.js';
import type { Procedure } from './procedure.js';
import { checkInputType, checkMiddleware, fromOptions, fromTexts } from './registration.js';
import type { GenerateClientFileOptions, GenerateClientOptions, RpcCallOptions } from './registry-options.js';
import { type KnownTypes, registryTypes } from './registry-types.js';
import type { RestRoute } from './rest.js';
import { Running } from './running.js';
import { isTypeName } from './types/known-names.js';
import { parseType } from './types/parse-type.js';
import type { WireType, WireTypes } from './types/wire-type.js';

/** How a registry is meant to be mounted: decides the generated client and the OpenAPI document. */
export const RpcMode = { Rest: 'rest', JsonRpc: 'jsonrpc' } as const;
export type RpcMode = (typeof RpcMode)[keyof typeof RpcMode];

/**
 * ```ts
 * const rpc = new RpcRegistry();
 * rpc.query('add', { input: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => a + b);
 * app.mountRpc('/rpc', rpc);
 * ```
 */
export class RpcRegistry {
  #mode: RpcMode = RpcMode.JsonRpc;
  readonly #procedures = new Map<string, Procedure>();
  readonly #steps: RpcMiddleware[] = [];
  readonly #defined: Record<string, WireType> = Object.create(null);
  #contract: WireTypes | undefined;
  #maxBatch = 50;
  #told: OpenRpcInfo | undefined;
  #running: Running | undefined;

  /** A registry for one of the modes; `new RpcRegistry()` is one for JSON-RPC. @throws Error when there is no such mode. */
  static withMode(mode: RpcMode): RpcRegistry {
    if (mode !== RpcMode.Rest && mode !== RpcMode.JsonRpc) {
      throw new Error(`there is no RPC mode '${mode as string}'; use RpcMode.Rest or RpcMode.JsonRpc`);
    }
    const registry = new RpcRegistry();
    registry.#mode = mode;
    return registry;
  }

  get mode(): RpcMode {
    return this.#mode;
  }

  /**
   * Registers a procedure that only reads. The handler takes what the schema `input` gives; without one, its
   * type is inferred by `fw generate`.
   *
   * @throws Error when the name is taken or not possible, or no params could match the input.
   */
  query(name: string, handler: FreeHandler): this;
  query<Input extends StandardSchemaV1 = never, Output extends StandardSchemaV1 = never>(
    name: string,
    options: ProcedureOptions<Input, Output>,
    handler: ProcedureHandler<NoInfer<Input>, NoInfer<Output>>,
  ): this;
  query(name: string, ...args: unknown[]): this {
    return this.#add('query', name, args, this.query);
  }

  /** Like `query`, for a procedure that changes something. */
  mutation(name: string, handler: FreeHandler): this;
  mutation<Input extends StandardSchemaV1 = never, Output extends StandardSchemaV1 = never>(
    name: string,
    options: ProcedureOptions<Input, Output>,
    handler: ProcedureHandler<NoInfer<Input>, NoInfer<Output>>,
  ): this;
  mutation(name: string, ...args: unknown[]): this {
    return this.#add('mutation', name, args, this.mutation);
  }

  /**
   * Registers a query whose types are written as TypeScript: `'{ a: number; b?: string }'`. The input is checked
   * against its type.
   *
   * @throws Error like `query`, and when a type cannot be read.
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

  /** The same as `mutationWithTypes`. */
  registerWithTypes(name: string, handler: FreeHandler, inputType: string, outputType: string): this {
    const place = callSite(this.registerWithTypes);
    return this.#register(fromTexts('mutation', name, handler, inputType, outputType, place));
  }

  /** Names a type, for type strings that refer to it. @throws Error when the name is taken or cannot be one. */
  defineType(name: string, type: string): this {
    this.#assertOpen(`defineType('${name}')`);
    if (!isTypeName(name))
      throw new Error(`'${name}' cannot name a type of its own; use a name such as 'User'`);
    if (Object.hasOwn(this.#defined, name))
      throw new Error(`the type '${name}' is defined twice; rename one`);
    this.#defined[name] = parseType(type);
    return this;
  }

  /** Appends middleware around every procedure, before its own. */
  use(middleware: RpcMiddleware): this {
    this.#assertOpen('use');
    this.#steps.push(checkMiddleware('RpcRegistry.use', middleware));
    return this;
  }

  /** How many calls a batch may hold; 50 by default. @throws Error when it is no whole number above 0. */
  maxBatch(calls: number): this {
    this.#assertOpen('maxBatch');
    if (!Number.isSafeInteger(calls) || calls < 1)
      throw new Error(`invalid maxBatch ${calls}: give 1 or more`);
    this.#maxBatch = calls;
    return this;
  }

  /** Lets JSON-RPC answer `rpc.discover` with an OpenRPC document. @throws Error in REST mode, or without a title or version. */
  discoverable(info: OpenRpcInfo): this {
    this.#assertOpen('discoverable');
    if (this.#mode === RpcMode.Rest) {
      throw new Error('discoverable() is for JSON-RPC; describe a REST registry by generateOpenapi()');
    }
    this.#told = checkInfo(info);
    return this;
  }

  /**
   * Takes the types of procedures without a schema from the file that `fw generate` keeps. Undefined, where there
   * is none yet, leaves them unchecked.
   *
   * ```ts no-run
   * import contract from './rpc-contract.json' with { type: 'json' };
   * rpc.useContract(contract);
   * ```
   *
   * @throws Error when it is no contract.
   */
  useContract(contract: unknown): this {
    this.#assertOpen('useContract');
    this.#contract = contract === undefined ? undefined : readContract(contract);
    return this;
  }

  /**
   * All types on the wire: what the client and the OpenAPI document are made from.
   *
   * @throws Error where a schema cannot tell its type, or two types have one name.
   */
  types(): WireTypes {
    return registryTypes(this.#procedures.values(), { contract: this.#contract, defined: this.#defined });
  }

  /** The typed client as the text of one TypeScript file. @throws Error like `types`. */
  generateClient(options: GenerateClientOptions = {}): string {
    return clientText(this.types(), this.#mode, options);
  }

  /**
   * Writes the typed client to exactly this path, relative to the working directory, where its text differs from
   * what is there.
   *
   * @throws Error like `types`, and where the file cannot be written.
   */
  async generateClientFile(path: string, options: GenerateClientFileOptions = {}): Promise<void> {
    await writeClient(this.types(), this.#mode, path, options);
  }

  /**
   * An OpenAPI document of the procedures: a path for each in REST mode, one path for all of JSON-RPC.
   *
   * @param version of the API.
   * @param basePath of its `servers` entry, behind `origin`; `http://127.0.0.1:3000` where that is not given.
   * @throws Error like `types`.
   */
  generateOpenapi(
    title: string,
    version: string,
    basePath: string,
    { origin = 'http://127.0.0.1:3000' }: { origin?: string } = {},
  ): OpenApiSpec {
    return registryOpenApi(this.types(), { title, version, basePath, origin, mode: this.#mode });
  }

  /**
   * Calls a procedure by its name, whatever way the call came; gives its result, null where that is nothing.
   *
   * @throws JsonRpcError (-32601, -32602) when there is none or the input does not match, which is 404 and 400
   * where it leaves a route; and what the procedure throws.
   */
  async call(name: string, params?: unknown, options: RpcCallOptions = {}): Promise<unknown> {
    const procedure = this.#run().procedures.get(name);
    if (procedure === undefined) throw notFound(name);
    return (await procedure.run(params, new RpcCall(options.ctx, options.signal))) ?? null;
  }

  /**
   * Answers one JSON-RPC request or batch. Never rejects for what is in it.
   *
   * @throws Error when the body is neither bytes nor text.
   */
  async handleRequest(body: Uint8Array | string, options: RpcCallOptions = {}): Promise<JsonRpcOutput> {
    return new JsonRpcOutput(
      await this.#run().answer(messageText(body), new RpcCall(options.ctx, options.signal)),
    );
  }

  /** The route of `app.mountRpc`. @throws Error when the registry is one for REST. @internal */
  jsonRpcRoute(path: string): RouteHandler {
    if (this.#mode === RpcMode.Rest) {
      throw new Error(`mountRpc('${path}') takes a registry for JSON-RPC; mount one for REST by mountRest()`);
    }
    const running = this.#run();
    return jsonRpcRoute((text, call) => running.answer(text, call));
  }

  /** The routes of `app.mountRest`. @throws Error when a procedure cannot be mounted so. @internal */
  restRoutes(prefix: string): RestRoute[] {
    return this.#run().restRoutes(prefix);
  }

  #add(kind: Procedure['kind'], name: string, args: unknown[], above: (...args: never[]) => unknown): this {
    const place = callSite(above);
    const [options, handler] = args.length < 2 ? [{}, args[0]] : args;
    return this.#register(fromOptions(kind, name, options as object, handler, place));
  }

  #register(procedure: Procedure): this {
    const { name, place } = procedure;
    this.#assertOpen(`${procedure.kind}('${name}')`);
    const present = this.#procedures.get(name);
    if (present !== undefined) {
      throw new Error(
        `two procedures are named '${name}': at ${present.place()} and at ${place()}; rename or remove one of them`,
      );
    }
    const { type, named } = inputRules(procedure, this.#known());
    checkInputType(procedure, type, named, this.#mode === RpcMode.Rest);
    this.#procedures.set(name, procedure);
    return this;
  }

  /** From the first use on, nothing can be added. */
  #run(): Running {
    this.#running ??= new Running(
      this.#procedures.values(),
      this.#known(),
      this.#steps,
      this.#maxBatch,
      this.#told,
    );
    return this.#running;
  }

  #known(): KnownTypes {
    return { contract: this.#contract, defined: this.#defined };
  }

  #assertOpen(what: string): void {
    if (this.#running !== undefined) {
      throw new Error(
        `${what} came too late: the registry is mounted or was called; register everything before`,
      );
    }
  }
}
