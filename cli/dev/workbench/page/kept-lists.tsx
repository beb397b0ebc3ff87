// The page about the app: the lists of pinned requests and of saved calls.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { MethodBadge } from '../../../../framework/docs-page/parts/badge.js';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { clock } from '../../../../framework/docs-page/parts/format.js';
import { Icon } from '../../../../framework/docs-page/parts/icon.js';
import { Empty, Notice } from '../../../../framework/docs-page/parts/layout.js';
import type { PinnedSummary, SavedCall } from '../protocol.js';
import { messageOf, removeSaved, send } from './calls.js';
import { EditDialog } from './edit-dialog.js';
import { kept } from './kept.js';
import { goWhenDone, linkTo, place } from './place.js';
import { RequestStatus } from './request-status.js';
import { RowTarget } from './row-target.js';

/** The newest first. */
export function PinnedList({ search }: { readonly search: string }): JSX.Element {
  const rows = matching(kept.value.pins, search);
  if (rows.length === 0)
    return (
      <Empty title={search === '' ? 'No pinned requests' : 'No results'}>
        Open a request and press Pin to keep it.
      </Empty>
    );
  return (
    <div class="scroll">
      <ul class="rows">
        {rows.map((one) => (
          <PinnedRow key={one.id} pin={one} />
        ))}
      </ul>
    </div>
  );
}

function PinnedRow({ pin }: { readonly pin: PinnedSummary }): JSX.Element {
  const { id, method, label, began } = pin;
  const item = `pin-${id}`;
  return (
    <li>
      <a
        class="request-row"
        href={linkTo('requests', item)}
        aria-current={place.value.item === item ? 'true' : undefined}
      >
        <span class="row-method">
          <MethodBadge method={label === 'WebSocket' ? 'WEBSOCKET' : method} />
        </span>
        <RowTarget request={pin} />
        <span class="row-status">
          <RequestStatus request={pin} />
        </span>
        <span class="row-clock mono">{clock(began)}</span>
      </a>
    </li>
  );
}

export function SavedList({ search }: { readonly search: string }): JSX.Element {
  const failure = useSignal('');
  const rows = matching(kept.value.saved, search);
  if (rows.length === 0)
    return (
      <Empty title={search === '' ? 'No saved calls' : 'No results'}>
        Write a request, give it a name and press Save.
      </Empty>
    );
  return (
    <div class="scroll">
      {failure.value === '' ? null : (
        <Notice tone="red" alert>
          {failure.value}
        </Notice>
      )}
      <ul class="rows">
        {rows.map((one) => (
          <SavedRow
            key={one.id}
            call={one}
            onProblem={(text) => {
              failure.value = text;
            }}
          />
        ))}
      </ul>
    </div>
  );
}

function SavedRow({
  call,
  onProblem,
}: {
  readonly call: SavedCall;
  readonly onProblem: (text: string) => void;
}): JSX.Element {
  const isEditing = useSignal(false);
  const { id, name, method, target, headers, body = '' } = call;
  const failed = (error: unknown): void => onProblem(`${name}: ${messageOf(error)}`);
  const run = (): void => {
    onProblem('');
    goWhenDone(send({ method, target, headers, body }), 'requests').catch(failed);
  };
  return (
    <li class="saved-row">
      <span class="row-method">
        <MethodBadge method={method} />
      </span>
      <span class="grow saved-name">
        <strong>{name}</strong>
        <span class="mono dim row-target">{target}</span>
      </span>
      <span class="row actions">
        <Button small label={`Send ${name}`} onClick={run}>
          <Icon name="send" /> Send
        </Button>
        <Button
          small
          icon
          kind="quiet"
          label={`Edit ${name}`}
          onClick={() => {
            isEditing.value = true;
          }}
        >
          <Icon name="edit" />
        </Button>
        <Button
          small
          icon
          kind="quiet"
          label={`Remove ${name}`}
          onClick={() => void removeSaved(id).catch(failed)}
        >
          <Icon name="clear" />
        </Button>
      </span>
      {isEditing.value ? (
        <EditDialog
          title={name}
          draft={call}
          onClose={() => {
            isEditing.value = false;
          }}
        />
      ) : null}
    </li>
  );
}

/** The newest first. Every word of the search must be in it. */
export function matching<One extends object>(all: readonly One[], search: string): One[] {
  const words = search.toLowerCase().split(' ').filter(Boolean);
  return all
    .filter((one) => {
      const text = Object.values(one).map(String).join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .reverse();
}
