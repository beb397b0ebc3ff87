// The client: procedures over REST.
import { type FwRpcAroundCalls, type FwRpcCallable, type FwRpcProcedure, runCall } from './calls.js';
import type { FwRpcArguments, FwRpcCaller } from './define-client.js';
import { type FwRpcStreamProtocol, isLostStatus } from './event-stream.js';
import {
  type FwRpcCallOptions,
  FwRpcHttpError,
  type FwRpcRequestOptions,
  mayPass,
  readJson,
  sendRequest,
} from './requests.js';
import { searchOf } from './urls.js';

type FwRpcRestOptions<Body> = FwRpcRequestOptions<Body> & FwRpcAroundCalls;

/** @param encode makes the body of a request */
export function restCaller<Body>(
  encode: (value: unknown) => Body,
  failure: FwRpcFailure,
): FwRpcCaller<FwRpcCallable, FwRpcArguments<FwRpcCallOptions>, FwRpcRestOptions<Body>> {
  return async (
    { baseUrl, options: common },
    [name, procedure],
    // A mutation without an input sends an object, because not every server accepts an empty body.
    input = procedure.kind === 'mutation' && procedure.hasInput === false ? {} : undefined,
    options = {},
  ) => {
    const { kind, hasOutput } = procedure;
    const isQuery = kind === 'query';
    const call = { name, kind, input, options };
    return await runCall(common, call, hasOutput, isQuery && mayPass, async (given, own) => {
      const url = restUrl(baseUrl, name) + (isQuery ? searchOf(Object.entries(given ?? {})) : '');
      // A body cannot be null; no body means the same.
      const body = isQuery || given === undefined || given === null ? undefined : encode(given);
      const failed = failure(name, procedure);
      const { text } = await sendRequest(common, url, isQuery ? 'GET' : 'POST', body, [name], own, failed);
      return readJson(text, url);
    });
  };
}

function restUrl(baseUrl: string, name: string): string {
  return `${baseUrl.replace(/\/$/, '')}/${encodeURIComponent(name)}`;
}

/** Makes the errors of a procedure. */
export type FwRpcFailure = (
  name: string,
  procedure: Pick<FwRpcProcedure, 'errors'>,
) => (status: number, statusText: string, body: unknown) => FwRpcHttpError;

export const plainFailure: FwRpcFailure =
  (name) =>
  (...given) =>
    new FwRpcHttpError(...given, name);

/** If procedures declare errors, which are told by the name in the body. */
export const declaredFailure: FwRpcFailure =
  (name, { errors = [] }) =>
  (status, statusText, body) => {
    const { error, message, code, data } = (body ?? {}) as Readonly<Record<string, unknown>>;
    const declared = errors.find((one) => one === error);
    const isDeclared = declared !== undefined && typeof message === 'string' && typeof code === 'number';
    const own = isDeclared ? { code, message, name: declared, data } : undefined;
    return new FwRpcHttpError(status, statusText, body, name, own);
  };

/** Whether it is an error that the procedure declares. */
export function isRestErrorOf(error: unknown, method: string): boolean {
  return error instanceof FwRpcHttpError && error.procedure === method && error.error !== undefined;
}

/** What subscriptions send, and what they fail with. */
export function restStreams(failure: FwRpcFailure): FwRpcStreamProtocol {
  return {
    request: ({ baseUrl }, name, input) => ({
      url: restUrl(baseUrl, name) + searchOf(Object.entries(input ?? {})),
      method: 'GET',
      headers: {},
    }),
    refusal: () => undefined,
    failure(sent, [name, procedure]) {
      const { status = 500, body } = (sent ?? {}) as { status?: number; body?: { message?: unknown } };
      return failure(name, procedure)(status, String(body?.message), body);
    },
    httpError: ({ status, statusText }, body, [name, procedure]) =>
      failure(name, procedure)(status, statusText, body),
    isLost: isLostStatus,
  };
}
