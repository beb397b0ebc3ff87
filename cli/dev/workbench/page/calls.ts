// The page about the app: its calls to `fw dev`.
import type {
  AppInfo,
  CycleEntry,
  RequestDetail,
  RequestSummary,
  SendOrder,
  SourcePlace,
} from '../protocol.js';

export function fetchRequests(): Promise<RequestSummary[]> {
  return call('requests');
}

export function fetchRequest(id: number): Promise<RequestDetail> {
  return call(`requests/${id}`);
}

export function fetchApp(): Promise<AppInfo> {
  return call('app');
}

export function fetchCycles(): Promise<CycleEntry[]> {
  return call('cycles');
}

export async function forgetRequests(): Promise<void> {
  await call('requests', { method: 'DELETE' });
}

/** Resolves to the id of the new request once it is answered. */
export async function send(order: SendOrder): Promise<number> {
  const { id } = await call<{ id: number }>('send', { method: 'POST', body: JSON.stringify(order) });
  return id;
}

export async function openInEditor(place: SourcePlace): Promise<void> {
  await call('open', { method: 'POST', body: JSON.stringify(place) });
}

/** @throws Error with a message for people. */
async function call<Result>(path: string, init: RequestInit = {}): Promise<Result> {
  const headers = init.method === undefined ? {} : { 'Content-Type': 'application/json' };
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch {
    throw new Error('fw dev does not answer; is it still running?');
  }
  if (response.status === 204) return undefined as Result;
  const body = (await response.json().catch(() => undefined)) as { message?: string } | undefined;
  if (response.ok && body !== undefined) return body as Result;
  throw new Error(body?.message ?? `fw dev answered with status ${response.status}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
