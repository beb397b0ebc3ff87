// The page about an API: calls an operation: the form, the answer, and the call as code.
import type { JSX } from 'preact';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Notice } from '../../parts/layout.js';
import { BodyForm } from '../form/body-form.js';
import { ParameterForm } from '../form/parameter-form.js';
import type { Api } from '../model/api.js';
import type { Operation } from '../model/operations.js';
import { isOwn } from '../model/servers.js';
import type { CallState } from '../state/call-state.js';
import { AnswerView } from './answer-view.js';
import { CodePanel } from './code-panel.js';

interface TryPanelProps {
  readonly api: Api;
  readonly operation: Operation;
  readonly state: CallState;
}

export function TryPanel({ api, operation, state }: TryPanelProps): JSX.Element {
  const { detail, form } = state;
  const why = whyNot(state);
  const count = form.isTried.value ? form.issues.value.size : 0;
  const isStream = operation.kind === 'subscription';
  return (
    <section class="stack" aria-labelledby="try-heading">
      <h2 id="try-heading">Try it</h2>
      {why === undefined ? null : <Notice tone="amber">{why}</Notice>}
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void state.send();
        }}
      >
        <ParameterForm state={form} detail={detail} />
        <BodyForm state={form} detail={detail} title={detail.target.kind === 'rpc' ? 'Input' : 'Body'} />
        {detail.parameters.length + detail.bodies.length === 0 ? <p class="dim">It takes nothing.</p> : null}
        <div class="row">
          {state.isRunning ? (
            <Button onClick={() => state.stop()}>
              <Icon name="stop" /> {isStream ? 'Stop' : 'Cancel'}
            </Button>
          ) : (
            <Button kind="primary" type="submit" disabled={why !== undefined}>
              <Icon name={isStream ? 'play' : 'send'} /> {isStream ? 'Subscribe' : 'Send'}
            </Button>
          )}
          <span role="status" class="form-issue">
            {count === 0
              ? ''
              : `${count === 1 ? 'One value does' : `${count} values do`} not fit; sent nevertheless.`}
          </span>
        </div>
      </form>
      <AnswerView state={state} name={operation.name} />
      <CodePanel api={api} state={state} />
    </section>
  );
}

/** Why it cannot be called from this page at all. */
function whyNot({ detail: { target } }: CallState): string | undefined {
  if (target.kind === 'rpc' && target.path === null) {
    return 'The registry is mounted nowhere in this app, so that its procedures cannot be called from here.';
  }
  if (target.kind === 'http' && !isOwn(target.base, location.href)) {
    return `The server of this operation is ${target.base}. The policy of this page lets it call only its own server; copy the call as code instead.`;
  }
  return undefined;
}
