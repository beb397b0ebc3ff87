// The page about the app: what can be done with a request: send it again, keep it, copy it, export it.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { CopyButton, useCopied } from '../../../../framework/docs-page/parts/copy-button.js';
import { Icon } from '../../../../framework/docs-page/parts/icon.js';
import { Notice } from '../../../../framework/docs-page/parts/layout.js';
import type { RequestDetail } from '../protocol.js';
import { messageOf, pin, send, unpin } from './calls.js';
import { asCurl, asPowerShell } from './copies/command-copies.js';
import { asFetch, asWebSocket } from './copies/fetch-copy.js';
import { asTest } from './copies/test-copy.js';
import { draftOf, EditDialog } from './edit-dialog.js';
import { asHar, harName } from './har.js';
import { kept, pinOf } from './kept.js';
import { MenuButton } from './menu-button.js';
import { goTo, goWhenDone, place } from './place.js';
import { hello } from './store.js';

export function RequestActions({ request }: { readonly request: RequestDetail }): JSX.Element {
  const isEditing = useSignal(false);
  const isSending = useSignal(false);
  const failure = useSignal('');
  const failed = (error: unknown): void => {
    failure.value = messageOf(error);
  };
  // A pin is of an earlier time: `fw dev` may not have its request any more.
  const openPin = pinOf(place.value.item);
  const isWebSocket = request.label === 'WebSocket';
  const again = (): void => {
    const { id, method, target, requestHeaders: headers, requestBody } = request;
    isSending.value = true;
    failure.value = '';
    const order =
      openPin === undefined
        ? { from: id, method, target, headers }
        : { method, target, headers, body: requestBody?.text ?? '' };
    goWhenDone(send(order), 'requests')
      .catch(failed)
      .finally(() => {
        isSending.value = false;
      });
  };
  return (
    <div class="stack">
      <div class="row">
        {isWebSocket || request.isJob === true ? null : (
          <>
            <Button onClick={again} disabled={isSending.value}>
              <Icon name="refresh" /> {isSending.value ? 'Sending…' : 'Send again'}
            </Button>
            <Button
              onClick={() => {
                isEditing.value = true;
              }}
            >
              <Icon name="edit" /> Edit and send
            </Button>
          </>
        )}
        <Copies request={request} />
        <PinButton request={request} openPin={openPin} onProblem={failed} />
        <Button
          kind="quiet"
          title="Save as an HTTP Archive (.har)"
          onClick={() => download(harName(request), asHar(request, hello.value ?? { version: '' }))}
        >
          <Icon name="download" /> Export
        </Button>
      </div>
      {failure.value === '' ? null : (
        <Notice tone="red" alert>
          {failure.value}
        </Notice>
      )}
      {isEditing.value ? (
        <EditDialog
          title="Edit and send"
          {...(openPin === undefined ? { from: request } : { draft: draftOf(request) })}
          onClose={() => {
            isEditing.value = false;
          }}
        />
      ) : null}
    </div>
  );
}

/** Jobs have nothing that could be sent. */
function Copies({ request }: { readonly request: RequestDetail }): JSX.Element | null {
  const { said, copy } = useCopied();
  if (request.isJob === true) return null;
  if (request.label === 'WebSocket')
    return <CopyButton icon={false} label="Copy as JavaScript" text={() => asWebSocket(request)} />;
  const tests = hello.value?.tests;
  const forms: readonly (readonly [title: string, text: () => string])[] = [
    ['curl', () => asCurl(request)],
    ['PowerShell', () => asPowerShell(request)],
    ['fetch', () => asFetch(request)],
    ...(tests === undefined ? [] : [['test', () => asTest(request, tests)] as const]),
  ];
  return (
    <>
      <MenuButton items={forms.map(([title, text]) => ({ title, choose: () => copy(text()) }))}>
        <Icon name={said === 'Copied' ? 'check' : 'copy'} /> {said || 'Copy as…'}
        <span class="menu-arrow">
          <Icon name="chevron" />
        </span>
      </MenuButton>
      <span class="hidden-visually" role="status">
        {said}
      </span>
    </>
  );
}

function PinButton({
  request,
  openPin,
  onProblem,
}: {
  readonly request: RequestDetail;
  readonly openPin: number | undefined;
  readonly onProblem: (error: unknown) => void;
}): JSX.Element {
  const { id, began } = request;
  // Numbers of requests begin again with `fw dev`, times do not.
  const own = openPin ?? kept.value.pins.find((one) => one.request === id && one.began === began)?.id;
  const toggle = (): void => {
    if (own === undefined) pin(id).catch(onProblem);
    else
      unpin(own).then(() => {
        if (openPin !== undefined) goTo('requests');
      }, onProblem);
  };
  return (
    <Button kind="quiet" onClick={toggle} pressed={own !== undefined}>
      <Icon name="pin" /> {own === undefined ? 'Pin' : 'Unpin'}
    </Button>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
