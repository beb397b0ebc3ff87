// RPC over HTTP: the routes of a registry's procedures as REST.

import { ConfigError } from '../../config-error.js';
import { noteCall, noteFailedCall } from '../../context/called.js';
import type { Context } from '../../context/context.js';
import type { RouteHandler } from '../../context/handlers.js';
import { FwError } from '../../http/errors.js';
import { ContentType, FwResponse } from '../../http/response.js';
import type { ProcedureAccess } from '../../openapi/registry-openapi.js';
import { shown } from '../../options/shown.js';
import { RpcCall } from '../procedure/call.js';
import type { RunnableProcedure } from '../procedure/procedure.js';
import { resultText } from '../procedure/result-text.js';
import { errorOf, outcomeOf, wireError } from '../protocol/rpc-error.js';
import type { RunnableSubscription } from '../subscription/subscription.js';
import { restErrorText, subscriptionResponse } from '../subscription/subscription-response.js';
import { assertJson } from './http.js';
import { isForm, readUpload, refuseForm, withFiles } from './upload.js';

/** One route to register. */
export interface RestRoute extends BareRestRoute {
  readonly access: ProcedureAccess;
}

interface BareRestRoute {
  readonly method: 'GET' | 'POST';
  readonly pattern: string;
  readonly handler: RouteHandler;
}

/** Refuses a request of a client that was generated for other types. */
export type Refusing = (ctx: Context) => void;

/** @throws Error if the prefix is not a valid path */
export function checkPrefix(prefix: string): void {
  if (typeof prefix === 'string' && (prefix === '' || /^\/.*[^/]$/.test(prefix))) return;
  throw new ConfigError(
    'FW_MOUNT_PREFIX',
    `mountRest takes a prefix such as '/api', without a slash at its end, got ${shown(prefix)}`,
  );
}

/** `GET {prefix}/{name}`: the fields of the input are query parameters. */
export function queryRoute(prefix: string, procedure: RunnableProcedure, refuse: Refusing): BareRestRoute {
  const handler: RouteHandler = async function restQuery(ctx) {
    refuse(ctx);
    return respond(procedure, queryInput(ctx), ctx);
  };
  return { method: 'GET', pattern: `${prefix}/${procedure.name}`, handler };
}

/** `POST {prefix}/{name}`: the input is the JSON body, or a form if it has files; without a body there is no input. */
export function mutationRoute(
  prefix: string,
  procedure: RunnableProcedure,
  refuse: Refusing,
  forms: Forms,
): BareRestRoute {
  const handler: RouteHandler = async function restMutation(ctx) {
    refuse(ctx);
    return respond(procedure, await bodyInput(ctx, procedure.name, forms), ctx);
  };
  return { method: 'POST', pattern: `${prefix}/${procedure.name}`, handler };
}

/** `GET {prefix}/{name}`, with the input of a query, answered with server-sent events. */
export function subscriptionRoute(
  prefix: string,
  subscription: RunnableSubscription,
  refuse: Refusing,
  heartbeatMs: number,
): BareRestRoute {
  const { name } = subscription;
  const handler: RouteHandler = async function restSubscription(ctx) {
    refuse(ctx);
    const options = { ctx, heartbeatMs, errorText: restErrorText };
    const at = noteCall(ctx, name);
    try {
      return await subscriptionResponse(subscription, queryInput(ctx), options);
    } catch (error) {
      throw notedError(error, name, ctx, at);
    }
  };
  return { method: 'GET', pattern: `${prefix}/${name}`, handler };
}

async function respond(procedure: RunnableProcedure, input: unknown, ctx: Context): Promise<FwResponse> {
  const { name } = procedure;
  const at = noteCall(ctx, name);
  try {
    const result = await procedure.run(input, new RpcCall(ctx, undefined));
    return new FwResponse(resultText(name, result), 200, ContentType.json);
  } catch (error) {
    throw notedError(error, name, ctx, at);
  }
}

/** What to throw for the error of a call, which is noted. @param at the number of the call in its request */
function notedError(thrown: unknown, name: string, ctx: Context, at: number): unknown {
  const error = errorOf(name, thrown);
  noteFailedCall(ctx, at, outcomeOf(wireError(error)));
  return error;
}

/** What a registry knows of procedures that a form calls. */
interface Forms {
  readonly takesFiles: (name: string) => boolean;
  /** Whether a guard will refuse the call, so that the form need not be read. */
  readonly isRefused: (name: string, ctx: Context) => boolean;
}

async function bodyInput(ctx: Context, name: string, { takesFiles, isRefused }: Forms): Promise<unknown> {
  const type = ctx.req.header('content-type');
  if (type !== 'application/json' && isForm(type)) {
    if (!takesFiles(name)) refuseForm(name);
    if (isRefused(name, ctx)) return undefined;
    return checkedBody(withFiles(await readUpload(ctx)));
  }
  const isTyped = type !== undefined;
  if (isTyped) assertJson(ctx);
  const { length } = await ctx.req.bytes();
  if (length === 0) return undefined;
  if (!isTyped) assertJson(ctx);
  return checkedBody(await ctx.req.json());
}

function checkedBody(input: unknown): unknown {
  if (typeof input === 'object' && input !== null) return input;
  throw FwError.badRequest('Invalid input: the body is neither an object nor an array');
}

/**
 * A string per key, an array if the key is repeated; undefined without keys. Without a prototype, because keys come
 * from the client.
 */
function queryInput(ctx: Context): Record<string, string | string[]> | undefined {
  const queries = Object.entries(ctx.req.queries());
  if (queries.length === 0) return undefined;
  const input: Record<string, string | string[]> = Object.create(null);
  for (const [key, values] of queries) {
    input[key] = values.length === 1 ? (values[0] as string) : values;
  }
  return input;
}
