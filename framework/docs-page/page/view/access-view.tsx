// The page about an API: who may call an operation.
import type { JSX } from 'preact';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import type { Scheme } from '../model/credentials.js';
import type { Access } from '../model/detail.js';
import { credentials } from '../state/page-state.js';

export function AccessView({
  access,
  schemes,
  onAuthenticate,
}: {
  readonly access: Access;
  readonly schemes: readonly Scheme[];
  readonly onAuthenticate: () => void;
}): JSX.Element | null {
  if (!access.isRequired && access.schemes.length === 0) return null;
  const isEntered = access.schemes.some((group) =>
    group.every((name) => (credentials.value[name] ?? '') !== ''),
  );
  const ways = access.schemes.map((group) => group.map((name) => wayOf(name, schemes)).join(' and '));
  if (!access.isRequired) {
    return <p class="dim">Anyone may call it. It takes notice of who calls: {ways.join(', or ')}.</p>;
  }
  return (
    <section class="access" aria-label="Who may call it">
      <span class="inline-icon">
        <Icon name="lock" />
      </span>
      <span class="grow">
        The caller must be known
        {ways.length > 0 ? `: ${ways.join(', or ')}` : ''}
        {access.scopes.map((scope) => (
          <span key={scope} class="scope">
            <Badge tone="violet" title="A scope that the caller needs">
              {scope}
            </Badge>
          </span>
        ))}
      </span>
      {isEntered ? (
        <Badge tone="green">entered</Badge>
      ) : (
        <Button small onClick={onAuthenticate}>
          Authenticate
        </Button>
      )}
    </section>
  );
}

function wayOf(name: string, schemes: readonly Scheme[]): string {
  const scheme = schemes.find((one) => one.name === name);
  if (scheme === undefined) return name;
  if (scheme.kind === 'bearer') return 'bearer token';
  if (scheme.kind === 'basic') return 'user and password';
  if (scheme.kind === 'cookie') return `cookie ${scheme.field}`;
  return scheme.kind === 'query' ? `key in the query (${scheme.field})` : `key in ${scheme.field}`;
}
