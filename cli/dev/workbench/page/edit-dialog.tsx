// The page about the app: a request that is written or changed by hand, and sent.
import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { Dialog } from '../../../../framework/docs-page/parts/dialog.js';
import { Notice } from '../../../../framework/docs-page/parts/layout.js';
import type { HeaderField, RequestDetail, SendOrder } from '../protocol.js';
import { messageOf, send } from './calls.js';
import { goTo } from './place.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

export function EditDialog({
  title,
  from,
  onClose,
}: {
  readonly title: string;
  readonly from?: RequestDetail;
  readonly onClose: () => void;
}): JSX.Element {
  const method = useSignal(from?.method ?? 'GET');
  const target = useSignal(from?.target ?? '/');
  const headers = useSignal(headerText(from?.requestHeaders ?? []));
  const original = bodyText(from);
  const body = useSignal(original ?? '');
  const failure = useSignal('');
  const isSending = useSignal(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    const read = readHeaderText(headers.value);
    if ('problem' in read) {
      failure.value = `Header fields: ${read.problem}`;
      return;
    }
    const isKept = from !== undefined && (original === undefined || body.value === original);
    const order: SendOrder = {
      ...(from !== undefined && { from: from.id }),
      method: method.value,
      target: target.value,
      headers: read.fields,
      ...(!isKept && { body: body.value }),
    };
    failure.value = '';
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
        <TextArea label="Header fields, one a line" rows={6} text={headers} />
        <TextArea label="Body" rows={8} text={body} disabled={from !== undefined && original === undefined} />
        {from === undefined ? null : <p class="dim">{original === undefined ? UNEDITABLE : MASKED}</p>}
        {failure.value === '' ? null : (
          <Notice tone="red" alert>
            {failure.value}
          </Notice>
        )}
        <div class="row">
          <Button type="submit" kind="primary" disabled={isSending.value}>
            {isSending.value ? 'Sending…' : 'Send'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

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
