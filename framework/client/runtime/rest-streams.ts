// The client: what subscriptions over REST send, and what they fail with.
import { type FwRpcStreamProtocol, isLostStatus } from './event-stream.js';
import { type FwRpcFailure, restUrl } from './rest.js';
import { searchOf } from './urls.js';

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
