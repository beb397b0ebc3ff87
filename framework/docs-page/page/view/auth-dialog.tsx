// The page about an API: authentication, entered once for all operations, and kept only for this tab.
import type { JSX } from 'preact';
import type { Api } from '../../../api-model/api.js';
import type { Scheme } from '../../../api-model/credentials.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { credentials, enter, forget, hasCredentials } from '../state/page-state.js';
import { MarkdownView } from './markdown-view.js';

export function AuthDialog({
  api,
  onClose,
}: {
  readonly api: Api;
  readonly onClose: () => void;
}): JSX.Element {
  return (
    <Dialog title="Authenticate" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
        }}
      >
        {api.schemes.map((scheme) => (
          <SchemeField key={scheme.name} scheme={scheme} />
        ))}
        {api.csrf === null ? null : (
          <p class="dim">
            The app protects itself against requests of other sites: the token of its cookie{' '}
            <code>{api.csrf.cookie}</code> is sent along.
          </p>
        )}
        <p class="dim">Kept in this tab until it is closed, and sent to this server only.</p>
        <div class="row">
          <Button kind="primary" type="submit">
            Done
          </Button>
          <Button onClick={forget} disabled={!hasCredentials.value}>
            Forget
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function SchemeField({ scheme }: { readonly scheme: Scheme }): JSX.Element {
  const { name, kind, description, field } = scheme;
  const id = `scheme-${encodeURIComponent(name)}`;
  return (
    <div class="stack tight scheme">
      <label for={id}>
        <strong>{name}</strong> <span class="dim">{whatOf(scheme)}</span>
      </label>
      {description === undefined ? null : <MarkdownView text={description} />}
      {kind === 'cookie' ? (
        <p class="dim">
          Browsers send the cookie <code>{field}</code> by themselves: sign in with an operation of this API,
          from this page. A value is needed here only if no operation sets it.
        </p>
      ) : null}
      {kind === 'basic' ? (
        <BasicFields id={id} name={name} />
      ) : (
        <input
          class="field mono"
          id={id}
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={credentials.value[name] ?? ''}
          onInput={(event) => enter(name, event.currentTarget.value.trim())}
        />
      )}
    </div>
  );
}

/** RFC 7617: the user has no colon. */
function BasicFields({ id, name }: { readonly id: string; readonly name: string }): JSX.Element {
  const value = credentials.value[name] ?? '';
  const colon = value.indexOf(':');
  const [user, password] = colon === -1 ? [value, ''] : [value.slice(0, colon), value.slice(colon + 1)];
  const change = (nextUser: string, nextPassword: string): void => {
    enter(
      name,
      nextUser === '' && nextPassword === '' ? '' : `${nextUser.replaceAll(':', '')}:${nextPassword}`,
    );
  };
  return (
    <div class="row">
      <input
        class="field grow"
        id={id}
        aria-label={`${name}: user`}
        placeholder="user"
        autocomplete="off"
        value={user}
        onInput={(event) => change(event.currentTarget.value, password)}
      />
      <input
        class="field grow"
        type="password"
        aria-label={`${name}: password`}
        placeholder="password"
        autocomplete="off"
        value={password}
        onInput={(event) => change(user, event.currentTarget.value)}
      />
    </div>
  );
}

function whatOf({ kind, field, prefix }: Scheme): string {
  if (kind === 'bearer') return 'token, sent as Authorization: Bearer …';
  if (kind === 'basic') return 'user and password';
  if (kind === 'query') return `key, sent as the query parameter ${field}`;
  return kind === 'cookie' ? `cookie ${field}` : `key, sent as ${field}: ${prefix}…`;
}
