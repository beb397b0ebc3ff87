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

/** A method of HTTP, `WEBSOCKET`, `*` for all methods, or a kind of procedures. */
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

/** The status of a response; without one, it is not there yet. */
export function StatusBadge({ status }: { readonly status: number | undefined }): JSX.Element {
  if (status === undefined) return <Badge title="not answered yet">···</Badge>;
  return <Badge tone={toneOf(status)}>{String(status)}</Badge>;
}

function toneOf(status: number): Tone {
  if (status >= 500) return 'red';
  if (status >= 400) return 'amber';
  return status >= 300 ? 'blue' : 'green';
}
