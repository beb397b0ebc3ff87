// RPC over HTTP: the route of a registry in JSON-RPC mode.

import { decodeBody } from '../../context/buffered-body.js';
import type { Context } from '../../context/context.js';
import type { RouteHandler } from '../../context/handlers.js';
import { FwError } from '../../http/errors.js';
import { isJsonType, shownType } from '../../http/media-type.js';
import { ContentType, FwResponse } from '../../http/response.js';
import { RpcCall } from '../procedure/call.js';
import { isForm, readUpload, type Upload } from './upload.js';

/** What answers the text of a JSON-RPC message. */
export interface Answering {
  serve(text: string, call: RpcCall): string | undefined | Promise<string | FwResponse | undefined>;
  /** Whether a procedure takes files; otherwise no form is read. */
  readonly takesForms: boolean;
  /** Answers a call with files. Rejects with an FwError for a form that is not one. */
  upload(upload: Upload, call: RpcCall): Promise<string | undefined>;
}

/** 200 for every JSON-RPC response, 204 if there is none, 415 for a body that is not JSON. A subscription is a stream. */
export function jsonRpcRoute(server: Answering): RouteHandler {
  return async function jsonRpc(ctx) {
    const type = ctx.req.header('content-type');
    if (type !== 'application/json') {
      if (isForm(type) && server.takesForms)
        return respond(ctx, await server.upload(await readUpload(ctx), new RpcCall(ctx, undefined)));
      assertJson(ctx);
    }
    // Not text(), which makes a promise more of the same bytes.
    const text = decodeBody(await ctx.req.body.content());
    const answered = server.serve(text, new RpcCall(ctx, undefined));
    const body = typeof answered === 'object' ? await answered : answered;
    return respond(ctx, body);
  };
}

function respond(ctx: Context, body: string | FwResponse | undefined): FwResponse {
  // A procedure may queue header fields and cookies, but the status is that of the transport, not of the procedure.
  ctx.status(body === undefined ? 204 : 200);
  if (typeof body === 'object') return body;
  return new FwResponse(body ?? '', 200, body === undefined ? undefined : ContentType.json);
}

/** @throws FwError 415 if the body has another media type */
export function assertJson(ctx: Context): void {
  const type = ctx.req.header('content-type');
  if (type === 'application/json') return;
  if (type !== undefined && (isJsonType(type) || JSON_RPC.test(type))) return;
  const sent = type === undefined ? 'without a media type' : `of media type '${shownType(type)}'`;
  throw FwError.unsupportedMediaType(`a body ${sent} is not accepted; send 'Content-Type: application/json'`);
}

/** The other media types that the HTTP transport of JSON-RPC 2.0 allows, besides `application/json`. */
const JSON_RPC = /^application\/json-?rpc[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;
