// RPC: the calls of a registry's procedures, in process and over HTTP.
import type { Context } from '../../context/context.js';
import type { RouteHandler } from '../../context/handlers.js';
import type { SocketSubscriptions, SubscriptionSocket } from '../../websocket/socket-rpc.js';
import { jsonRpcRoute } from '../http.js';
import type { RpcCallOptions } from '../procedure/call.js';
import { RpcCall } from '../procedure/call.js';
import { JsonRpcOutput, messageText } from '../protocol/messages.js';
import type { RestRoute } from '../rest.js';
import { RunningSubscriptions } from '../subscription/socket-subscriptions.js';
import { jsonRpcErrorText, restErrorText } from '../subscription/subscription-response.js';
import { caller, type RpcCaller } from './caller.js';
import { RegistryDocuments } from './registry-documents.js';
import { checkMountMode, RpcMode } from './rpc-mode.js';

export abstract class RegistryCalls extends RegistryDocuments {
  /**
   * Calls a procedure by its name, in process; resolves to its result, null if that is undefined, or to the events of
   * a subscription, an async iterable.
   *
   * @throws JsonRpcError -32601 if there is no such procedure, -32602 if the input is invalid; thrown from a route,
   * these are 404 and 400. Also throws what the procedure throws.
   */
  async call(name: string, params?: unknown, options: RpcCallOptions = {}): Promise<unknown> {
    return this.state.seal().call(name, params, options);
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
    return caller(this.state.seal(), options) as RpcCaller<Client>;
  }

  /**
   * Answers one JSON-RPC request or batch. Never rejects because of its content.
   *
   * @throws Error if the body is neither bytes nor a string
   */
  async handleRequest(body: Uint8Array | string, options: RpcCallOptions = {}): Promise<JsonRpcOutput> {
    return new JsonRpcOutput(
      await this.state.seal().answer(messageText(body), new RpcCall(options.ctx, options.signal)),
    );
  }

  /** The route of `app.mountRpc`. @throws Error if the registry is for REST @internal */
  jsonRpcRoute(path: string): RouteHandler {
    checkMountMode(path, this.state.mode);
    return jsonRpcRoute(this.state.seal());
  }

  /** The subscriptions of a connection, for the option `rpc` of `websocket`, which calls it for each of them. */
  overSocket(ctx: Context, socket: SubscriptionSocket): SocketSubscriptions {
    const { subscriptions } = this.state.seal();
    const errorText = this.state.mode === RpcMode.Rest ? restErrorText : jsonRpcErrorText;
    return new RunningSubscriptions({ subscriptions, errorText }, ctx, socket);
  }

  /** The routes of `app.mountRest`. @throws Error if a procedure cannot be mounted as REST @internal */
  restRoutes(prefix: string): RestRoute[] {
    return this.state.seal().restRoutes(prefix);
  }
}
