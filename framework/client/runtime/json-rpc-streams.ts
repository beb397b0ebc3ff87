// The client: what subscriptions over JSON-RPC send, and what they fail with.
import { type FwRpcStreamProtocol, isLostStatus } from './event-stream.js';
import { JsonRpcClientError, jsonRpcError, jsonRpcRequest, outcomeOf } from './json-rpc.js';
import { FwRpcHttpError, readJson } from './requests.js';

export const jsonRpcStreams: FwRpcStreamProtocol = {
  request: (connection, name, input) => ({
    url: connection.baseUrl,
    method: 'POST',
    body: JSON.stringify(jsonRpcRequest(connection, name, input)),
    headers: { 'Content-Type': 'application/json' },
  }),
  refusal(text, url, name) {
    const { error } = outcomeOf(readJson(text, url));
    return error === undefined ? undefined : new JsonRpcClientError(error, name);
  },
  failure: (sent, [name]) => new JsonRpcClientError(jsonRpcError(sent ?? {}), name),
  httpError: ({ status, statusText }, body) => new FwRpcHttpError(status, statusText, body),
  isLost(error) {
    // The codes that stand for 500, 503, 408 and 429.
    if (error instanceof JsonRpcClientError) return [-32603, -32053, -32008, -32029].includes(error.code);
    return isLostStatus(error);
  },
};
