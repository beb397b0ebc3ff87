// A part of both pages: small marks for methods, statuses and kinds.
import type { JSX } from 'preact';

export type Tone = 'plain' | 'green' | 'blue' | 'amber' | 'red' | 'violet' | 'teal';

export function Badge({
  tone = 'plain',
  children,
  title,
}: {
  readonly tone?: Tone;
  readonly children: string;
  readonly title?: string | undefined;
}): JSX.Element {
  return (
    <span class={`badge ${tone}`} title={title}>
      {children}
    </span>
  );
}

const methods: Readonly<Record<string, Tone>> = {
  GET: 'blue',
  HEAD: 'blue',
  POST: 'green',
  PUT: 'amber',
  PATCH: 'amber',
  DELETE: 'red',
  WEBSOCKET: 'violet',
  JOB: 'teal',
  query: 'blue',
  mutation: 'green',
  subscription: 'violet',
};

const short: Readonly<Record<string, string>> = {
  WEBSOCKET: 'WS',
  DELETE: 'DEL',
  OPTIONS: 'OPT',
  '*': 'ANY',
};

/** In lists, where there is little room. */
const shorter: Readonly<Record<string, string>> = { mutation: 'mut', subscription: 'sub', PATCH: 'PAT' };

/** A method of HTTP, `WEBSOCKET`, `JOB`, `*` for all methods, or a kind of procedures. */
export function MethodBadge({
  method,
  isShort = false,
}: {
  readonly method: string;
  readonly isShort?: boolean;
}): JSX.Element {
  const text = (isShort ? shorter[method] : undefined) ?? short[method] ?? method;
  return (
    <Badge tone={methods[method] ?? 'plain'} title={text === method ? undefined : method}>
      {text}
    </Badge>
  );
}

/** The status of a response; without one, it is not there yet. @param hasFailed a call of RPC was answered with an error */
export function StatusBadge({
  status,
  hasFailed = false,
}: {
  readonly status: number | undefined;
  readonly hasFailed?: boolean;
}): JSX.Element {
  if (status === undefined) return <Badge title="not answered yet">···</Badge>;
  return <Badge tone={hasFailed && status < 400 ? 'amber' : toneOf(status)}>{String(status)}</Badge>;
}

/** How a call of RPC ended: the name of a declared error, or a code of JSON-RPC. @param message what the app says of it */
export function OutcomeBadge({
  outcome,
  message,
}: {
  readonly outcome: string;
  readonly message?: string | undefined;
}): JSX.Element {
  if (outcome === 'ok') return <Badge tone="green">ok</Badge>;
  const meaning = message ?? codes[outcome];
  return (
    <Badge
      tone={outcome === '-32603' ? 'red' : 'amber'}
      title={meaning === undefined ? undefined : titleOf(outcome, message)}
    >
      {meaning ?? outcome}
    </Badge>
  );
}

/** What is cut in a narrow list can be read there. */
function titleOf(outcome: string, message: string | undefined): string {
  return message === undefined ? outcome : `${outcome}: ${message}`;
}

/** What the codes mean that JSON-RPC 2.0 (section 5.1) and fw give to errors. */
const codes: Readonly<Record<string, string>> = {
  '-32700': 'not JSON',
  '-32600': 'invalid request',
  '-32601': 'unknown procedure',
  '-32602': 'invalid input',
  '-32603': 'internal error',
  '-32010': 'other contract',
  '-32001': '401 Unauthorized',
  '-32003': '403 Forbidden',
  '-32004': '404 Not Found',
  '-32009': '409 Conflict',
  '-32029': '429 Too Many Requests',
};

function toneOf(status: number): Tone {
  if (status >= 500) return 'red';
  if (status >= 400) return 'amber';
  return status >= 300 ? 'blue' : 'green';
}
