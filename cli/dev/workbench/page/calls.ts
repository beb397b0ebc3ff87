// The page about the app: its calls to `fw dev`.
import type { AppInfo, ChartInfo } from '../app-info.js';
import type {
  CycleEntry,
  DocsPage,
  DocsPageSummary,
  DocsResult,
  ErrorGroup,
  FoundRequest,
  KeptList,
  MailDetail,
  MailSummary,
  RequestDetail,
  RequestSummary,
  SavedCall,
  SearchOrder,
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

export function fetchCharts(): Promise<ChartInfo> {
  return call('charts');
}

export function fetchCycles(): Promise<CycleEntry[]> {
  return call('cycles');
}

export function fetchMails(): Promise<MailSummary[]> {
  return call('mails');
}

export function fetchMail(id: number): Promise<MailDetail> {
  return call(`mails/${id}`);
}

export function fetchKept(): Promise<KeptList> {
  return call('kept');
}

export function fetchPin(id: number): Promise<RequestDetail> {
  return call(`pins/${id}`);
}

/** @param request the number of a request that `fw dev` has */
export async function pin(request: number): Promise<void> {
  await call('pins', { method: 'POST', body: JSON.stringify({ request }) });
}

export async function unpin(id: number): Promise<void> {
  await call(`pins/${id}`, { method: 'DELETE' });
}

/** One with the same name is replaced. */
export async function saveCall(one: Omit<SavedCall, 'id'>): Promise<void> {
  await call('saved', { method: 'POST', body: JSON.stringify(one) });
}

export async function removeSaved(id: number): Promise<void> {
  await call(`saved/${id}`, { method: 'DELETE' });
}

export function fetchDocs(): Promise<DocsPageSummary[]> {
  return call('docs');
}

export function fetchDocsPage(name: string): Promise<DocsPage> {
  return call(`docs-page?name=${encodeURIComponent(name)}`);
}

export function findDocs(query: string, signal: AbortSignal): Promise<DocsResult[]> {
  return call(`docs-search?q=${encodeURIComponent(query)}`, { signal });
}

export function fetchErrors(): Promise<ErrorGroup[]> {
  return call('errors');
}

export function findRequests(order: SearchOrder, signal: AbortSignal): Promise<FoundRequest[]> {
  return call('search', { method: 'POST', body: JSON.stringify(order), signal });
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
