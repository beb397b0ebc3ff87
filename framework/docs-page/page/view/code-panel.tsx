// The page about an API: the call as code to copy. Credentials are in it only if the reader wants that.
import { type Signal, signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Api } from '../../../api-model/api.js';
import { clientText } from '../../../api-model/code-client.js';
import { curlText } from '../../../api-model/code-curl.js';
import { fetchText } from '../../../api-model/code-fetch.js';
import { powerShellCode } from '../../../api-model/code-powershell.js';
import { secretsFor } from '../../../api-model/credentials.js';
import { Code } from '../../parts/code.js';
import { Tabs } from '../../parts/tabs.js';
import type { CallState } from '../state/call-state.js';
import { credentials } from '../state/page-state.js';

/** Chosen for all operations, until the page is loaded again. */
const isShown: Signal<boolean> = signal(false);
const open: Signal<string> = signal(/^Win/.test(navigator.platform) ? 'powershell' : 'curl');

export function CodePanel({ api, state }: { readonly api: Api; readonly state: CallState }): JSX.Element {
  const { detail, plan } = state;
  const secrets = secretsFor(detail.access, api.schemes, credentials.value);
  const client = clientText(detail, state.form.filled.value, secrets, location.origin, isShown.value);
  const isSocket = detail.target.kind === 'socket';
  return (
    <section class="stack tight" aria-labelledby="code-heading">
      <div class="row">
        <h2 id="code-heading" class="grow">
          As code
        </h2>
        {secrets.length === 0 ? null : (
          <label class="row dim">
            <input
              type="checkbox"
              checked={isShown.value}
              onInput={(event) => {
                isShown.value = event.currentTarget.checked;
              }}
            />
            with my credentials
          </label>
        )}
      </div>
      <Tabs
        label="Languages"
        open={open.value}
        onOpen={(id) => {
          open.value = id;
        }}
        tabs={[
          ...(isSocket
            ? []
            : [
                {
                  id: 'curl',
                  title: 'curl',
                  panel: () => (
                    <Code code={curlText(plan, isShown.value)} language="sh" label="the call with curl" />
                  ),
                },
                {
                  id: 'powershell',
                  title: 'PowerShell',
                  panel: () => (
                    <Code
                      code={powerShellCode(plan, isShown.value)}
                      language="text"
                      label="the call with PowerShell"
                    />
                  ),
                },
                {
                  id: 'fetch',
                  title: 'fetch',
                  panel: () => (
                    <Code code={fetchText(plan, isShown.value)} language="ts" label="the call with fetch" />
                  ),
                },
              ]),
          ...(client === undefined
            ? []
            : [
                {
                  id: 'client',
                  title: 'Generated client',
                  panel: () => (
                    <Code code={client} language="ts" label="the call with the generated client" />
                  ),
                },
              ]),
        ]}
      />
    </section>
  );
}
