// The client: the routes of an App.
import { type FwRpcAroundCalls, type FwRpcCall, runCall } from './calls.js';
import type { FwRpcArguments, FwRpcCaller, FwRpcConnection, FwRpcEntry } from './define-client.js';
import {
  type FwRpcCallOptions,
  FwRpcHttpError,
  type FwRpcRequestOptions,
  mayPass,
  readJson,
  sendRequest,
} from './requests.js';
import { filledPath, querySearch } from './urls.js';

/** How a route is called. */
export interface FwRouteCall extends FwRpcEntry {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  /** The media type of the body. */
  readonly body?: string;
  /** Whether there are several answers, so that the result has the status. */
  readonly isTagged?: boolean;
  /** The statuses whose bodies are text. */
  readonly text?: readonly number[];
  /** The statuses of declared errors. */
  readonly errors: readonly number[];
  /** False if a call returns nothing. */
  readonly hasOutput?: false;
}

/** A route answered with a status that is not a success. */
export class FwRouteError extends FwRpcHttpError {
  override readonly name: string = 'FwRouteError';
  readonly route: string;

  constructor(status: number, statusText: string, body: unknown, route: string) {
    super(status, statusText, body);
    this.route = route;
  }
}

/** Whether it is an error that the route declares. */
export function isErrorOfRoute(
  error: unknown,
  route: string,
  { errors }: Pick<FwRouteCall, 'errors'>,
): boolean {
  return error instanceof FwRouteError && error.route === route && errors.includes(error.status);
}

type FwRouteOptions<Body> = FwRpcRequestOptions<Body> & FwRpcAroundCalls;

/**
 * @param base what stands before the paths
 * @param encodeForm makes the body of a route that takes a form
 */
export function routeCaller<Options, Form = never>(
  base: (connection: FwRpcConnection<Options>) => string,
  encodeForm?: (value: unknown) => Form,
): FwRpcCaller<FwRouteCall, FwRpcArguments<FwRpcCallOptions>, Options & FwRouteOptions<string | Form>> {
  return async (connection, [name, route], given = {}, options = {}) => {
    const { method, path, query, body: type, isTagged, text: texts, hasOutput } = route;
    const { options: common } = connection;
    const call: FwRpcCall = { name, kind: 'route', input: given, options };
    return await runCall(common, call, hasOutput, method === 'GET' && mayPass, async (input, own) => {
      const values = (input ?? {}) as Readonly<Record<string, unknown>>;
      const url = base(connection) + filledPath(path, values) + querySearch(query, values);
      const encoders: Readonly<Record<string, ((value: unknown) => string | Form) | undefined>> = {
        'application/json': JSON.stringify,
        'multipart/form-data': encodeForm,
      };
      const { body: value } = values;
      const encode = encoders[type ?? ''];
      const body = type === undefined ? undefined : (encode ?? String)(value);
      const headers = type === undefined || encode ? own.headers : { 'Content-Type': type, ...own.headers };
      const failed = (...sent: [number, string, unknown]): Error => new FwRouteError(...sent, name);
      const sending = { ...own, headers };
      const { status, text } = await sendRequest(common, url, method, body, [], sending, failed);
      const answer = texts?.includes(status) ? text : readJson(text, url);
      return isTagged ? { status, body: answer } : answer;
    });
  };
}
