// What a failed call means, and what to tell the user about it.
import { FwRpcHttpError, isRpcError, JsonRpcClientError } from './client.ts';

export function isSignedOut(error: unknown): boolean {
  return isRpcError(error, 'Unauthorized');
}

/** Whether the call may succeed later: it did not reach the server, or the server was not ready. */
export function mayPass(error: unknown): boolean {
  if (error instanceof FwRpcHttpError) return [408, 429, 502, 503, 504].includes(error.status);
  return !(error instanceof JsonRpcClientError) || isRpcError(error, 'ServiceUnavailable');
}

/** The faults of an input by the name of the field, if the server has refused it. */
export function issuesOf(error: unknown): Readonly<Record<string, string>> {
  if (!isRpcError(error, 'InvalidParams')) return {};
  const { issues = [] } = (error.data ?? {}) as { issues?: { path: string[]; message: string }[] };
  return Object.fromEntries(issues.map(({ path, message }) => [path[0] ?? '', message]));
}

/** Faults of a form by the name of the field; `form` is for those of none. */
export type Faults = Readonly<Record<string, string>>;

/** @param explain what the errors that the procedure declares mean for the form */
export function faultsOf(error: Error | null, explain: (error: Error) => Faults = () => ({})): Faults {
  if (error === null) return {};
  const faults = { ...issuesOf(error), ...explain(error) };
  return Object.keys(faults).length > 0 ? faults : { form: messageOf(error) };
}

/** A sentence for the user. */
export function messageOf(error: unknown): string {
  if (error instanceof FwRpcHttpError) {
    if (error.status === 429) return 'That was too much at once. Try again in a minute.';
    // As a page over plain HTTP, where PUBLIC_URL begins with https; the log of the server has the reason.
    if (error.status === 403)
      return 'The server refuses requests from this address. Open the page at its public address.';
    return mayPass(error) ? 'The server is not ready.' : 'Something went wrong on the server.';
  }
  if (!(error instanceof JsonRpcClientError)) return 'The server cannot be reached.';
  if (isRpcError(error, 'Internal')) return 'Something went wrong on the server.';
  if (isRpcError(error, 'ServiceUnavailable')) return 'The server is not ready. Try again later.';
  if (isRpcError(error, 'TooManyRequests')) return 'That was too often. Try again later.';
  if (isRpcError(error, 'NotFound')) return 'It does not exist any more.';
  const [issue] = Object.values(issuesOf(error));
  return issue === undefined ? sentence(error.message) : `The text ${issue}.`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
