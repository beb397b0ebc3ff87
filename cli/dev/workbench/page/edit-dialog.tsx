// The page about the app: a request that is written or changed by hand, and sent.
import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { Dialog } from '../../../../framework/docs-page/parts/dialog.js';
import { Notice } from '../../../../framework/docs-page/parts/layout.js';
import type { HeaderField, RequestDetail, SavedCall, SendOrder } from '../protocol.js';
import { messageOf, saveCall, send } from './calls.js';
import { goTo } from './place.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** What the dialog begins with, without a request that it is made from. */
export type Draft = Pick<SavedCall, 'method' | 'target' | 'headers' | 'body'> & { readonly name?: string };

export function EditDialog({
  title,
  from,
  draft = from === undefined ? undefined : draftOf(from),
  onClose,
}: {
  readonly title: string;
  readonly from?: RequestDetail;
  readonly draft?: Draft | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  const method = useSignal(draft?.method ?? 'GET');
  const target = useSignal(draft?.target ?? '/');
  const headers = useSignal(headerText(draft?.headers ?? []));
  const original = bodyText(from);
  const body = useSignal(draft?.body ?? '');
  const failure = useSignal('');
  const isSending = useSignal(false);
  /** Undefined if the header fields cannot be read, which is said. */
  const written = (): Omit<SavedCall, 'id' | 'name'> | undefined => {
    const read = readHeaderText(headers.value);
    failure.value = 'problem' in read ? `Headers: ${read.problem}` : '';
    if ('problem' in read) return undefined;
    return { method: method.value, target: target.value, headers: read.fields, body: body.value };
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const call = written();
    if (call === undefined) return;
    const isKept = from !== undefined && (original === undefined || body.value === original);
    const { body: text = '', ...others } = call;
    const order: SendOrder = {
      ...(from !== undefined && { from: from.id }),
      ...others,
      ...(!isKept && { body: text }),
    };
    isSending.value = true;
    send(order)
      .then(
        (id) => {
          onClose();
          goTo('requests', id);
        },
        (error: unknown) => {
          failure.value = messageOf(error);
        },
      )
      .finally(() => {
        isSending.value = false;
      });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <Line method={method} target={target} />
        <TextArea label="Headers, one per line" rows={6} text={headers} />
        <TextArea label="Body" rows={8} text={body} disabled={from !== undefined && original === undefined} />
        <Hints from={from} isWhole={original !== undefined} headers={headers.value} failure={failure.value} />
        <div class="row">
          <Button type="submit" kind="primary" disabled={isSending.value}>
            {isSending.value ? 'Sending…' : 'Send'}
          </Button>
          <span class="grow" />
          <SaveField
            name={draft?.name ?? ''}
            isWhole={from === undefined || original !== undefined}
            call={written}
            onProblem={(text) => {
              failure.value = text;
            }}
          />
        </div>
      </form>
    </Dialog>
  );
}

/** What masked values stand for, and what is wrong. */
function Hints({
  from,
  isWhole,
  headers,
  failure,
}: {
  readonly from: RequestDetail | undefined;
  readonly isWhole: boolean;
  readonly headers: string;
  readonly failure: string;
}): JSX.Element {
  const hint =
    from !== undefined ? (isWhole ? MASKED : UNEDITABLE) : headers.includes('••••••') ? FILLED : undefined;
  return (
    <>
      {hint === undefined ? null : <p class="dim">{hint}</p>}
      {failure === '' ? null : (
        <Notice tone="red" alert>
          {failure}
        </Notice>
      )}
    </>
  );
}

/** Keeps what the dialog has under a name. */
function SaveField({
  name: first,
  isWhole,
  call,
  onProblem,
}: {
  readonly name: string;
  /** Whether the dialog has the whole body. */
  readonly isWhole: boolean;
  readonly call: () => Omit<SavedCall, 'id' | 'name'> | undefined;
  readonly onProblem: (text: string) => void;
}): JSX.Element {
  const name = useSignal(first);
  const isSaved = useSignal(false);
  const save = (): void => {
    const one = call();
    if (one === undefined) return;
    saveCall({ ...one, name: name.value }).then(
      () => {
        isSaved.value = true;
      },
      (error: unknown) => onProblem(messageOf(error)),
    );
  };
  if (!isWhole) return <span class="dim">A call without its body cannot be saved.</span>;
  return (
    <span class="row">
      <label>
        <span class="hidden-visually">Name of the saved call</span>
        <input
          class="field"
          placeholder="Name"
          value={name.value}
          maxLength={100}
          onInput={(event) => {
            name.value = event.currentTarget.value;
            isSaved.value = false;
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // It would send the request.
            event.preventDefault();
            if (name.value !== '') save();
          }}
        />
      </label>
      <Button onClick={save} disabled={name.value === ''}>
        {isSaved.value ? 'Saved' : 'Save'}
      </Button>
      <span class="hidden-visually" role="status">
        {isSaved.value ? 'Saved' : ''}
      </span>
    </span>
  );
}

const FILLED =
  '•••••• is filled in when it is sent: with the value of the newest request that has such a header.';
const MASKED = '•••••• stands for a secret, which is sent as it was.';
const UNEDITABLE =
  'The body cannot be edited, because it is not text or was cut off; it is sent as it was if it is known as a whole.';

function Line({
  method,
  target,
}: {
  readonly method: Signal<string>;
  readonly target: Signal<string>;
}): JSX.Element {
  return (
    <div class="row">
      <label>
        <span class="hidden-visually">Method</span>
        <select
          class="field"
          value={method.value}
          onChange={(event) => {
            method.value = event.currentTarget.value;
          }}
        >
          {[...new Set([method.value, ...methods])].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label class="grow">
        <span class="hidden-visually">Path and query</span>
        <input
          class="field mono"
          value={target.value}
          spellcheck={false}
          onInput={(event) => {
            target.value = event.currentTarget.value;
          }}
        />
      </label>
    </div>
  );
}

function TextArea({
  label,
  rows,
  text,
  disabled = false,
}: {
  readonly label: string;
  readonly rows: number;
  readonly text: Signal<string>;
  readonly disabled?: boolean;
}): JSX.Element {
  return (
    <label class="stack label">
      {label}
      <textarea
        class="field"
        rows={rows}
        spellcheck={false}
        value={text.value}
        disabled={disabled}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
    </label>
  );
}

/** A request as what the dialog begins with. */
export function draftOf(from: RequestDetail): Draft {
  return {
    method: from.method,
    target: from.target,
    headers: from.requestHeaders,
    body: bodyText(from) ?? '',
  };
}

/** Undefined if it cannot be edited as text. */
function bodyText(from: RequestDetail | undefined): string | undefined {
  const body = from?.requestBody;
  if (body === undefined || body.size === 0) return '';
  return body.isCut === true ? undefined : body.text;
}

/** Header fields as lines of text, which can be edited. */
export function headerText(fields: readonly HeaderField[]): string {
  return fields.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** RFC 9110, section 5.1: a name is a token. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The fields, or what is wrong with the first line that is not one. */
export function readHeaderText(
  text: string,
): { readonly fields: HeaderField[] } | { readonly problem: string } {
  const fields: HeaderField[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (/^[ \t\r]*$/.test(line)) continue;
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    if (colon === -1) return { problem: `line ${index + 1} has no colon: write 'Name: value'` };
    if (!TOKEN.test(name))
      return { problem: `line ${index + 1}: '${name}' is not the name of a header field` };
    fields.push([name, unpadded(line.slice(colon + 1))]);
  }
  return { fields };
}

/** RFC 9110, section 5.5: SP and HTAB around a value do not belong to it. */
function unpadded(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && ' \t\r'.includes(value[start] as string)) start += 1;
  while (end > start && ' \t\r'.includes(value[end - 1] as string)) end -= 1;
  return value.slice(start, end);
}
